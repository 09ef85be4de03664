// Whole files, in and out: reads are bounded, writes are atomic.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace crosshead {

/// Largest file that is read whole, in bytes.
inline constexpr std::uint64_t max_file_bytes = std::uint64_t{8} << 30;

/// The bytes of a regular file. Throws InputError naming the path: not there, a directory, empty, unreadable,
/// or larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = max_file_bytes);

/// Writes to a temporary file in the folder of the file itself (links are followed, an existing file's mode
/// is kept), flushes it to disk, then renames it over `path`: after a crash, path holds the old bytes or the
/// new, never a part. Throws InputError naming the path, also where it is a device, a pipe or anything else
/// that is no regular file.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Throws InputError naming the path where write_file_atomically could not write: the folder is not there or may
/// not be written, or the path is no regular file. For work that writes only at its end.
void require_writable(const std::filesystem::path& path);

}  // namespace crosshead
