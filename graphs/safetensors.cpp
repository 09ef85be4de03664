#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/safetensors.hpp>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

namespace crosshead {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensor bytes are used as they lie in the file");

/// Longest header that the reference implementation reads, in bytes.
constexpr std::uint64_t max_header_bytes = 100'000'000;
constexpr std::size_t length_bytes = 8;

std::optional<std::uint64_t> dtype_bytes(std::string_view dtype) {
    static const std::map<std::string_view, std::uint64_t> sizes = {
        {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
        {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
        {"U32", 4},  {"F32", 4}, {"I64", 8}, {"U64", 8},     {"F64", 8}};
    const auto found = sizes.find(dtype);
    return found == sizes.end() ? std::nullopt : std::optional(found->second);
}

/// Bytes that a tensor takes; nullopt for an unknown dtype, a negative extent or a product that overflows.
std::optional<std::uint64_t> tensor_bytes(std::string_view dtype, const std::vector<std::int64_t>& shape) {
    const auto element = dtype_bytes(dtype);
    if (!element) return std::nullopt;
    std::uint64_t size = *element;
    for (const std::int64_t extent : shape)
        if (extent < 0 || __builtin_mul_overflow(size, static_cast<std::uint64_t>(extent), &size))
            return std::nullopt;
    return size;
}

/// Parses JSON in which no object says one key twice (nlohmann would silently keep the last).
json parse_header(std::string_view text, const std::string& place) {
    std::vector<std::set<std::string>> open;
    const auto watch = [&](int, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) open.emplace_back();
        if (event == json::parse_event_t::object_end) open.pop_back();
        if (event == json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
            throw InputError(fmt::format("{}: the header names \"{}\" twice; write it again", place,
                                         value.get<std::string>()));
        return true;
    };
    try {
        return json::parse(text, watch);
    } catch (const json::exception& error) {
        throw InputError(
            fmt::format("{}: the header is not JSON ({}); is it a safetensors file?", place, error.what()));
    }
}

std::uint64_t unsigned_number(const json& value, const std::string& place) {
    if (!value.is_number_unsigned())
        throw InputError(
            fmt::format("{} is {}, not a whole number from 0; write the file again", place, value.dump()));
    return value.get<std::uint64_t>();
}

/// One tensor's entry in the header: where its bytes lie, counted from the end of the header.
struct Span {
    std::uint64_t begin = 0, end = 0;
    std::string name;
};

Span read_entry(const std::string& name, const json& entry, const std::string& place, SafeTensor& tensor) {
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets"))
        throw InputError(fmt::format(
            "{}: is not an object of dtype, shape and data_offsets; write the file again", place));
    if (!entry["dtype"].is_string() || !dtype_bytes(entry["dtype"].get<std::string>()))
        throw InputError(fmt::format("{}: dtype {} is not known; convert the tensor to F32 or F64", place,
                                     entry["dtype"].dump()));
    tensor.dtype = entry["dtype"].get<std::string>();
    if (!entry["shape"].is_array() || !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2)
        throw InputError(fmt::format(
            "{}: shape or data_offsets is not a list of the right length; write the file again", place));
    for (const json& extent : entry["shape"]) {
        const std::uint64_t value = unsigned_number(extent, place + ": an extent of shape");
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            throw InputError(fmt::format("{}: an extent of {} is too large; write it again", place, value));
        tensor.shape.push_back(static_cast<std::int64_t>(value));
    }
    Span span{unsigned_number(entry["data_offsets"][0], place + ": data_offsets[0]"),
              unsigned_number(entry["data_offsets"][1], place + ": data_offsets[1]"), name};
    const auto needed = tensor_bytes(tensor.dtype, tensor.shape);
    if (span.end < span.begin || !needed || span.end - span.begin != *needed)
        throw InputError(
            fmt::format("{}: data_offsets [{}, {}] do not fit dtype {} and shape {}; write the file again",
                        place, span.begin, span.end, tensor.dtype, entry["shape"].dump()));
    return span;
}

void read_metadata(const json& metadata, const std::string& place, SafeTensors& contents) {
    if (!metadata.is_object())
        throw InputError(fmt::format("{}: __metadata__ is not an object; write the file again", place));
    for (const auto& [key, value] : metadata.items()) {
        if (!value.is_string())
            throw InputError(
                fmt::format("{}: __metadata__ \"{}\" is not text; write the file again", place, key));
        contents.metadata[key] = value.get<std::string>();
    }
}

/// The spans must tile the data exactly: in order, without holes or overlaps, to the last byte.
void require_tiling(std::vector<Span>& spans, std::uint64_t size, const std::string& place) {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    std::uint64_t covered = 0;
    for (const Span& span : spans) {
        if (span.end > size)
            throw InputError(fmt::format(
                "{}: tensor \"{}\" ends at byte {} of the data, which has {}; the file is truncated, "
                "write or download it again",
                place, span.name, span.end, size));
        if (span.begin != covered)
            throw InputError(
                fmt::format("{}: tensor \"{}\" begins at byte {} of the data, {} the {} before it; "
                            "write the file again",
                            place, span.name, span.begin,
                            span.begin < covered ? "inside" : "leaving a hole after", covered));
        covered = span.end;
    }
    if (covered != size)
        throw InputError(
            fmt::format("{}: {} bytes follow the last tensor; write the file again", place, size - covered));
}

/// IEEE binary16, exactly.
double double_from_half(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    double value = exponent == 31  ? (fraction ? std::numeric_limits<double>::quiet_NaN()
                                               : std::numeric_limits<double>::infinity())
                   : exponent == 0 ? std::ldexp(fraction, -24)
                                   : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) ? -value : value;
}

template <class Stored, class Convert>
std::vector<double> convert(const std::string& bytes, Convert to_double) {
    std::vector<double> values(bytes.size() / sizeof(Stored));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Stored stored;
        std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
        values[i] = to_double(stored);
    }
    return values;
}

}  // namespace

SafeTensors parse_safetensors(std::string_view bytes, const std::string& place) {
    std::uint64_t header_bytes = 0;
    if (bytes.size() >= length_bytes) std::memcpy(&header_bytes, bytes.data(), length_bytes);
    if (bytes.size() <= length_bytes || bytes[length_bytes] != '{')
        throw InputError(
            fmt::format("{}: is not safetensors (no header after the 8-byte length); check the path", place));
    if (header_bytes > max_header_bytes || header_bytes > bytes.size() - length_bytes)
        throw InputError(
            fmt::format("{}: states a header of {} bytes, but {} follow (and at most {} are read); the file "
                        "is truncated or "
                        "not safetensors",
                        place, header_bytes, bytes.size() - length_bytes, max_header_bytes));
    const json header = parse_header(bytes.substr(length_bytes, header_bytes), place);
    const std::string_view data = bytes.substr(length_bytes + header_bytes);
    SafeTensors contents;
    std::vector<Span> spans;
    for (const auto& [name, entry] : header.items())
        if (name == "__metadata__")
            read_metadata(entry, place, contents);
        else
            spans.push_back(read_entry(name, entry, fmt::format("{}: tensor \"{}\"", place, name),
                                       contents.tensors[name]));
    require_tiling(spans, data.size(), place);
    for (const Span& span : spans)
        contents.tensors[span.name].bytes = data.substr(span.begin, span.end - span.begin);
    return contents;
}

SafeTensors read_safetensors(const std::filesystem::path& path) {
    return parse_safetensors(read_file(path), path.string());
}

std::string format_safetensors(const SafeTensors& contents) {
    json header = json::object();
    if (!contents.metadata.empty()) header["__metadata__"] = contents.metadata;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : contents.tensors) {
        if (name == "__metadata__" || tensor_bytes(tensor.dtype, tensor.shape) != tensor.bytes.size())
            throw InputError(fmt::format(
                "tensor \"{}\": {} bytes do not fit dtype {} and its shape (or the name is reserved)", name,
                tensor.bytes.size(), tensor.dtype));
        header[name] = {{"dtype", tensor.dtype},
                        {"shape", tensor.shape},
                        {"data_offsets", {offset, offset + tensor.bytes.size()}}};
        offset += tensor.bytes.size();
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const json::exception& error) {
        throw InputError(
            fmt::format("safetensors: a name or a metadata text is not UTF-8 ({})", error.what()));
    }
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t header_bytes = text.size();
    std::string bytes(length_bytes, '\0');
    std::memcpy(bytes.data(), &header_bytes, length_bytes);
    bytes.reserve(length_bytes + text.size() + offset);
    bytes += text;
    for (const auto& [name, tensor] : contents.tensors) bytes += tensor.bytes;
    return bytes;
}

void write_safetensors(const std::filesystem::path& path, const SafeTensors& contents) {
    write_file_atomically(path, format_safetensors(contents));
}

std::vector<double> values_as_double(const SafeTensor& tensor, const std::string& place) {
    if (tensor_bytes(tensor.dtype, tensor.shape) != tensor.bytes.size())
        throw InputError(fmt::format("{}: {} bytes do not fit dtype {} and its shape", place,
                                     tensor.bytes.size(), tensor.dtype));
    if (tensor.dtype == "F64") return convert<double>(tensor.bytes, [](double x) { return x; });
    if (tensor.dtype == "F32")
        return convert<float>(tensor.bytes, [](float x) { return static_cast<double>(x); });
    if (tensor.dtype == "F16") return convert<std::uint16_t>(tensor.bytes, double_from_half);
    if (tensor.dtype == "BF16")
        return convert<std::uint16_t>(tensor.bytes, [](std::uint16_t bits) {
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
        });
    throw InputError(fmt::format("{}: dtype {} does not hold floating-point numbers; convert it to F32",
                                 place, tensor.dtype));
}

}  // namespace crosshead
