// What a command says that needs LibTorch, in a build without it.
#pragma once

#include <crosshead/graphs/error.hpp>
#include <string>

namespace crosshead {

[[noreturn]] inline void needs_torch(const std::string& what) {
    throw NotBuiltError(what +
                        " needs LibTorch, and this program was built without it; apt-get install "
                        "libtorch-dev, then configure "
                        "with -DCROSSHEAD_TORCH=ON and build again");
}

}  // namespace crosshead
