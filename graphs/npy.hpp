// NumPy's .npy and .npz, read without Python and without ever touching a pickle.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// One array. Elements are brought to C order and to the machine's byte order.
struct NpyArray {
    enum class Kind { floating, integer };
    Kind kind = Kind::floating;
    std::vector<std::int64_t> shape;
    std::vector<double> floating;        // f2, f4, f8: exact
    std::vector<std::int64_t> integers;  // i1..i8, u1..u4, b1
};

/// Format versions 1 to 3, C and Fortran order, either byte order. Throws InputError naming the path: not
/// .npy, truncated, trailing bytes, a shape whose size does not fit the file, a dtype that is not supported;
/// dtype object is refused unread (it holds a pickle, which could run code).
NpyArray read_npy(const std::filesystem::path& path);
NpyArray parse_npy(std::string_view bytes, const std::string& place);

/// Every array of an .npz, by name without ".npy". Throws InputError for what ZipArchive and parse_npy refuse
/// and for an entry that is not an array.
std::map<std::string, NpyArray> read_npz(const std::filesystem::path& path);
/// The names alone, in the order of the archive; and one array alone, so that its neighbours stay unread.
std::vector<std::string> npz_names(const std::filesystem::path& path);
NpyArray read_npz_array(const std::filesystem::path& path, const std::string& name);

}  // namespace crosshead
