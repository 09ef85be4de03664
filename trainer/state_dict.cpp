#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/zip_archive.hpp>
#include <crosshead/trainer/pickle.hpp>
#include <crosshead/trainer/state_dict.hpp>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

namespace crosshead {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view rebuild_tensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view rebuild_parameter = "torch._utils._rebuild_parameter";

struct StorageType {
    std::string_view global, dtype;
    std::uint64_t element_bytes;
};
constexpr StorageType storage_types[] = {
    {"torch.FloatStorage", "F32", 4},     {"torch.DoubleStorage", "F64", 8}, {"torch.HalfStorage", "F16", 2},
    {"torch.BFloat16Storage", "BF16", 2}, {"torch.LongStorage", "I64", 8},   {"torch.IntStorage", "I32", 4},
    {"torch.ShortStorage", "I16", 2},     {"torch.CharStorage", "I8", 1},    {"torch.ByteStorage", "U8", 1},
    {"torch.BoolStorage", "BOOL", 1}};

const std::set<std::string, std::less<>>& allowed_globals() {
    static const auto names = [] {
        std::set<std::string, std::less<>> all{"collections.OrderedDict", std::string(rebuild_tensor),
                                               std::string(rebuild_parameter)};
        for (const StorageType& type : storage_types) all.emplace(type.global);
        return all;
    }();
    return names;
}

/// How many times the bytes of the archive its tensors may take in all: tied weights share a storage, and
/// nothing honest shares one more often.
constexpr std::uint64_t max_sharing = 8;

/// As many as PyTorch itself can index.
constexpr std::size_t max_dimensions = 64;

struct Layout {
    std::vector<std::int64_t> shape, strides;  // strides and offset in elements
    std::int64_t offset = 0;
};

/// Elements of a shape, and the last element that strides reach; nullopt on overflow or a negative number.
std::optional<std::pair<std::int64_t, std::int64_t>> extent_of(const Layout& layout) {
    std::int64_t count = 1, last = layout.offset;
    if (layout.offset < 0 || layout.shape.size() != layout.strides.size()) return std::nullopt;
    for (std::size_t d = 0; d < layout.shape.size(); ++d) {
        std::int64_t step = 0;
        if (layout.shape[d] < 0 || layout.strides[d] < 0 ||
            __builtin_mul_overflow(count, layout.shape[d], &count) ||
            __builtin_mul_overflow(std::max<std::int64_t>(layout.shape[d] - 1, 0), layout.strides[d],
                                   &step) ||
            __builtin_add_overflow(last, step, &last))
            return std::nullopt;
    }
    return std::pair(count, last);
}

/// Copies strided elements to C order. The layout was checked against the storage.
std::string gathered(const std::string& storage, const Layout& layout, std::uint64_t width,
                     std::uint64_t count) {
    std::string bytes(count * width, '\0');
    std::vector<std::int64_t> index(layout.shape.size(), 0);
    std::int64_t from = layout.offset;
    for (std::uint64_t to = 0; to < count; ++to) {
        std::memcpy(bytes.data() + to * width, storage.data() + static_cast<std::uint64_t>(from) * width,
                    width);
        for (std::size_t d = layout.shape.size(); d-- > 0;) {
            from += layout.strides[d];
            if (++index[d] < layout.shape[d]) break;
            from -= layout.strides[d] * layout.shape[d];
            index[d] = 0;
        }
    }
    return bytes;
}

/// Turns the calls of one pickle into tensors, with the bytes from the archive beside it.
class TensorReader {
  public:
    TensorReader(const ZipArchive& archive, std::string folder, const Pickle& pickle, std::string place)
        : archive_(archive), folder_(std::move(folder)), pickle_(pickle), place_(std::move(place)) {
        for (const ZipEntry& entry : archive.entries()) budget_ += max_sharing * entry.bytes;
    }

    SafeTensor tensor(const std::string& name, const PickleValue& value) {
        name_ = name;
        const PickleValue* call = &value;
        if (is_call(*call, rebuild_parameter)) {
            const PickleValue& arguments = pickle_[call->items[1]];
            if (arguments.items.empty()) refuse("a parameter is made of nothing");
            call = &pickle_[arguments.items[0]];
        }
        if (!is_call(*call, rebuild_tensor))
            refuse(fmt::format("holds {} where a tensor belongs", to_string(call->kind)));
        const PickleValue& arguments = pickle_[call->items[1]];
        if (arguments.items.size() < 6 || arguments.items.size() > 7)
            refuse(fmt::format("a tensor is made from {} arguments, not 6", arguments.items.size()));
        const auto argument = [&](std::size_t i) -> const PickleValue& {
            return pickle_[arguments.items[i]];
        };
        const Layout layout{integers(argument(2)), integers(argument(3)), integer(argument(1))};
        return materialise(argument(0), layout);
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(
            fmt::format("{}: tensor \"{}\": {}; save the model's state_dict() again", place_, name_, why));
    }

    bool is_call(const PickleValue& value, std::string_view callee) const {
        return value.kind == Kind::call && pickle_[value.items[0]].text == callee;
    }

    std::int64_t integer(const PickleValue& value) const {
        if (value.kind != Kind::integer)
            refuse(fmt::format("{} where an integer belongs", to_string(value.kind)));
        return value.integer;
    }

    std::vector<std::int64_t> integers(const PickleValue& value) const {
        if (value.kind != Kind::tuple) refuse(fmt::format("{} where a shape belongs", to_string(value.kind)));
        if (value.items.size() > max_dimensions)
            refuse(fmt::format("{} dimensions; at most {} are read", value.items.size(), max_dimensions));
        std::vector<std::int64_t> numbers;
        for (const PickleId item : value.items) numbers.push_back(integer(pickle_[item]));
        return numbers;
    }

    /// persistent value: ("storage", type, key, location, elements). The location ("cuda:0") is where the
    /// bytes once were, and does not matter for reading them.
    SafeTensor materialise(const PickleValue& storage, const Layout& layout) {
        const PickleValue& id = storage.kind == Kind::persistent ? pickle_[storage.items[0]] : storage;
        if (storage.kind != Kind::persistent || id.kind != Kind::tuple || id.items.size() != 5 ||
            pickle_[id.items[0]].text != "storage")
            refuse("its storage is not described as torch.save does");
        const std::string& global = pickle_[id.items[1]].text;
        const auto* type = std::find_if(std::begin(storage_types), std::end(storage_types),
                                        [&](const StorageType& t) { return t.global == global; });
        if (type == std::end(storage_types)) refuse(fmt::format("its storage has no known type"));
        const std::string& bytes = storage_bytes(pickle_[id.items[2]]);
        const std::int64_t elements = integer(pickle_[id.items[4]]);
        if (elements < 0 || bytes.size() % type->element_bytes != 0 ||
            bytes.size() / type->element_bytes != static_cast<std::uint64_t>(elements))
            refuse(fmt::format("its storage is said to hold {} elements of {} bytes, but has {} bytes",
                               elements, type->element_bytes, bytes.size()));
        const auto extent = extent_of(layout);
        if (!extent || extent->first > elements || (extent->first > 0 && extent->second >= elements))
            refuse(fmt::format("shape, strides and offset do not lie within its storage of {} elements",
                               elements));
        const std::uint64_t size = static_cast<std::uint64_t>(extent->first) * type->element_bytes;
        if (size > budget_) refuse("the tensors together are many times larger than the file");
        budget_ -= size;
        return {std::string(type->dtype), layout.shape,
                gathered(bytes, layout, type->element_bytes, static_cast<std::uint64_t>(extent->first))};
    }

    const std::string& storage_bytes(const PickleValue& key) {
        const std::string entry = folder_ + "data/" + key.text;
        if (key.kind != Kind::text || !archive_.contains(entry))
            refuse(fmt::format("its storage data/{} is not in the file, which is truncated or damaged",
                               key.text));
        const auto [at, fresh] = storages_.try_emplace(entry);
        if (fresh) at->second = archive_.read(entry);
        return at->second;
    }

    const ZipArchive& archive_;
    std::string folder_;
    const Pickle& pickle_;
    std::string place_, name_;
    std::map<std::string, std::string> storages_;
    std::uint64_t budget_ = 0;
};

/// The folder, with its slash, that holds data.pkl.
std::string folder_of_pickle(const ZipArchive& archive, const std::string& place) {
    std::optional<std::string> folder;
    for (const ZipEntry& entry : archive.entries()) {
        const std::size_t slash = entry.name.find('/');
        const std::size_t base = slash == std::string::npos ? 0 : slash + 1;
        if (entry.name.compare(base, std::string::npos, "constants.pkl") == 0)
            throw InputError(fmt::format(
                "{}: is a TorchScript module, which is a program; save the model's state_dict() instead",
                place));
        if (entry.name.compare(base, std::string::npos, "data.pkl") != 0) continue;
        if (folder)
            throw InputError(fmt::format("{}: holds two data.pkl; save it again with torch.save", place));
        folder = entry.name.substr(0, base);
    }
    if (!folder)
        throw InputError(fmt::format(
            "{}: is a zip archive without a data.pkl, so torch.save did not write it; check the path",
            place));
    return *folder;
}

std::string first_bytes(const std::filesystem::path& path) {
    std::string bytes(2, '\0');
    std::ifstream(path, std::ios::binary).read(bytes.data(), 2);
    return bytes;
}

}  // namespace

StateDict read_pt(const std::filesystem::path& path) {
    const std::string place = path.string();
    if (std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) > 0 &&
        first_bytes(path) != "PK")
        throw InputError(
            fmt::format("{}: is not a zip archive, as torch.save writes since PyTorch 1.6; load it there and "
                        "save it again",
                        place));
    const ZipArchive archive(path);
    const std::string folder = folder_of_pickle(archive, place);
    if (archive.contains(folder + "byteorder") && archive.read(folder + "byteorder") != "little")
        throw InputError(
            fmt::format("{}: was saved on a big-endian machine; save it on a little-endian one", place));
    const std::string bytes = archive.read(folder + "data.pkl");
    const Pickle pickle(bytes, allowed_globals(), place + ": data.pkl");
    const PickleValue& root = pickle.root();
    if (root.kind != Kind::dict)
        throw InputError(fmt::format("{}: holds {}, not a state_dict; save model.state_dict()", place,
                                     to_string(root.kind)));
    TensorReader reader(archive, folder, pickle, place);
    StateDict tensors;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
        const PickleValue& key = pickle[root.items[i]];
        if (key.kind != Kind::text)
            throw InputError(
                fmt::format("{}: names a tensor by {}; save model.state_dict()", place, to_string(key.kind)));
        if (!tensors.emplace(key.text, reader.tensor(key.text, pickle[root.items[i + 1]])).second)
            throw InputError(fmt::format("{}: names tensor \"{}\" twice; save it again", place, key.text));
    }
    return tensors;
}

CheckpointFile read_checkpoint_file(const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    if (first_bytes(path) == "PK" || extension == ".pt" || extension == ".pth") return {read_pt(path), {}};
    SafeTensors contents = read_safetensors(path);
    return {std::move(contents.tensors), std::move(contents.metadata)};
}

}  // namespace crosshead
