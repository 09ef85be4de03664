#include "torch_program.hpp"

#include <unistd.h>

#include <crosshead/graphs/error.hpp>
#include <filesystem>

namespace crosshead {

void continue_with_torch(const std::string& what, const std::vector<std::string>& arguments) {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::string program = (self.parent_path() / "crosshead-torch").string();
    std::vector<std::string> copies = arguments;
    std::vector<char*> argv;
    for (auto& argument : copies) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (!error) ::execv(program.c_str(), argv.data());
    throw NotBuiltError(what +
                        " needs LibTorch, and this program was built without it; apt-get install "
                        "libtorch-dev, then configure "
                        "with -DCROSSHEAD_TORCH=ON and build again");
}

}  // namespace crosshead
