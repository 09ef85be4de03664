// The program as a child process: what it prints, and its exit code.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace crosshead::testing {

using nlohmann::json;
namespace fs = std::filesystem;

struct Finished {
    int exit_code;
    std::string out, err;
};

/// A folder of its own for each test, removed with it.
class Program : public ::testing::Test {
  protected:
    void SetUp() override {
        folder = fs::temp_directory_path() / ("crosshead-test-" + std::to_string(::getpid()));
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    Finished run(const std::string& arguments) const {
        const std::string out = (folder / "out").string(), err = (folder / "err").string();
        const int status = std::system(
            (std::string(CROSSHEAD_PROGRAM) + " " + arguments + " >" + out + " 2>" + err).c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(err)};
    }
    std::string file(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return (folder / name).string();
    }
    /// A version 1 .npy of doubles.
    static std::string npy(const std::string& shape, const std::vector<double>& values) {
        std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
        header.resize((header.size() + 10 + 1 + 63) / 64 * 64 - 10 - 1, ' ');
        header += '\n';
        std::string bytes = std::string("\x93NUMPY\x01\x00", 8);
        bytes += static_cast<char>(header.size() & 0xFF);
        bytes += static_cast<char>(header.size() >> 8);
        bytes += header;
        return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    }
    static std::string text_of(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    const std::string second_example = std::string(CROSSHEAD_EXAMPLES) + "/second_example.json";
    fs::path folder;
};

}  // namespace crosshead::testing
