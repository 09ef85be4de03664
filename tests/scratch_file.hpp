// A file in the temporary folder that disappears with the object.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace crosshead::test {

class ScratchFile {
  public:
    /// Reserves a path of its own that ends in `name`, and writes `bytes` there if any are given.
    explicit ScratchFile(std::string_view name) {
        static std::atomic<unsigned> counter{0};
        folder_ = std::filesystem::temp_directory_path() /
                  ("crosshead-test-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
        std::filesystem::create_directories(folder_);
        path_ = folder_ / name;
    }
    ScratchFile(std::string_view name, std::string_view bytes) : ScratchFile(name) {
        std::ofstream(path_, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path folder_, path_;
};

}  // namespace crosshead::test
