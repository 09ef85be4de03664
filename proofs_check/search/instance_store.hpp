// What searches found, kept so that the next search tries it first: the instance itself, not a seed, which
// would die with the next change of a generator.
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace crosshead {

/// A folder with one file a statement, "crosshead.instances/1" (docs/formats.md). The folder is made when
/// something is first stored.
class InstanceStore {
  public:
    /// An empty path stores nothing and holds nothing.
    explicit InstanceStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The systems stored for a statement, in its canonical text. Throws InputError for a damaged file.
    std::vector<HeadSystem> load(const std::string& statement) const;
    /// Adds a system, unless it is there; keeps the `most_kept` newest. Atomic; throws InputError where the
    /// folder cannot be written.
    void store(const std::string& statement, const HeadSystem& system) const;

    static constexpr std::size_t most_kept = 64;

  private:
    std::filesystem::path file_of(const std::string& statement) const;
    std::filesystem::path folder_;
};

}  // namespace crosshead
