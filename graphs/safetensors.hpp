// The safetensors format: named tensors with text metadata (an 8-byte length, a JSON header, raw bytes).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// One tensor as it lies in the file: little-endian, C order.
struct SafeTensor {
    std::string dtype;                // "F16", "BF16", "F32", "F64", "I64", …
    std::vector<std::int64_t> shape;  // empty for a scalar
    std::string bytes;
};

struct SafeTensors {
    std::map<std::string, std::string> metadata;
    std::map<std::string, SafeTensor> tensors;
};

/// Throws InputError (place, value, remedy): not safetensors, truncated, header too long or not JSON, unknown
/// dtype, offsets that overlap, leave holes, run past the end or do not fit the shape.
SafeTensors read_safetensors(const std::filesystem::path& path);
SafeTensors parse_safetensors(std::string_view bytes, const std::string& place);

/// Tensors in name order, 8-byte aligned header, written atomically; Python's safetensors reads it.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& contents);
std::string format_safetensors(const SafeTensors& contents);

/// The values of a floating-point tensor as doubles, exactly. Throws InputError for other dtypes.
std::vector<double> values_as_double(const SafeTensor& tensor, const std::string& place);

}  // namespace crosshead
