// Pickles and .pt archives written by hand, honest and hostile.
#pragma once

#include <zip.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../scratch_file.hpp"

namespace crosshead::test {

using namespace std::string_literals;

inline std::string little_endian(std::uint64_t value, std::size_t bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
    return out;
}

inline const std::string proto = "\x80\x02";
inline std::string text(std::string_view value) {
    return "X" + little_endian(value.size(), 4) + std::string(value);
}
inline std::string integer(std::int64_t value) {
    return "\x8a\x08" + little_endian(static_cast<std::uint64_t>(value), 8);
}
inline std::string global(std::string_view module, std::string_view name) {
    return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}
inline std::string tuple(const std::vector<std::string>& items) {
    std::string out = "(";
    for (const std::string& item : items) out += item;
    return out + "t";
}
inline std::string integers(const std::vector<std::int64_t>& values) {
    std::vector<std::string> items;
    for (const std::int64_t value : values) items.push_back(integer(value));
    return tuple(items);
}
inline const std::string ordered_dict = global("collections", "OrderedDict") + ")R";

/// A state_dict of the given pairs of name and (pickled) value.
inline std::string state_dict(const std::vector<std::pair<std::string, std::string>>& items) {
    std::string out = proto + ordered_dict + "(";
    for (const auto& [name, value] : items) out += text(name) + value;
    return out + "u.";
}

/// What torch.save writes for a tensor over storage `key`.
struct TensorRecipe {
    std::vector<std::int64_t> shape, strides;
    std::int64_t offset = 0, elements = 0;
    std::string key = "0", type = "FloatStorage", location = "cuda:5";

    std::string storage() const {
        return tuple({text("storage"), global("torch", type), text(key), text(location), integer(elements)}) +
               "Q";
    }
    std::string pickled() const {
        return global("torch._utils", "_rebuild_tensor_v2") +
               tuple({storage(), integer(offset), integers(shape), integers(strides), "\x89", ordered_dict}) +
               "R";
    }
};

struct ArchiveEntry {
    std::string name, bytes;
};

/// Writes a zip archive of stored entries.
inline void write_archive(const ScratchFile& file, const std::vector<ArchiveEntry>& entries) {
    int code = 0;
    zip_t* archive = zip_open(file.path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    for (const ArchiveEntry& entry : entries) {
        zip_source_t* source = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
        const auto at = static_cast<zip_uint64_t>(zip_file_add(archive, entry.name.c_str(), source, 0));
        zip_set_file_compression(archive, at, ZIP_CM_STORE, 0);
    }
    zip_close(archive);
}

}  // namespace crosshead::test
