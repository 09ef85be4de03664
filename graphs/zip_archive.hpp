// Reading zip archives (.npz, PyTorch .pt) with limits on what they may ask for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace crosshead {

struct ZipLimits {
    std::uint64_t max_entries = 100'000;
    std::uint64_t max_entry_bytes = std::uint64_t{4} << 30;    // uncompressed
    std::uint64_t max_total_bytes = std::uint64_t{8} << 30;    // uncompressed, over all entries
    std::uint64_t max_ratio = 1'000;                           // uncompressed : compressed, above 1 MiB
};

struct ZipEntry {
    std::string name;
    std::uint64_t bytes = 0;  // uncompressed
};

/// A zip archive opened for reading. The constructor checks the directory against the limits before anything
/// is inflated. Throws InputError naming the path: not a zip, truncated, encrypted entry, two entries of one
/// name, a limit exceeded (zip bomb), a checksum that does not match.
class ZipArchive {
  public:
    explicit ZipArchive(const std::filesystem::path& path, const ZipLimits& limits = {});
    ~ZipArchive();
    ZipArchive(ZipArchive&&) noexcept;
    ZipArchive& operator=(ZipArchive&&) noexcept;

    const std::vector<ZipEntry>& entries() const;
    bool contains(const std::string& name) const;
    /// The uncompressed bytes of one entry; reads never go past the size that the directory states.
    std::string read(const std::string& name) const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace crosshead
