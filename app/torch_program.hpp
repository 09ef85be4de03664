// The program comes in two: `crosshead`, which starts in milliseconds, and `crosshead-torch`, the same
// commands linked with LibTorch, whose loading alone takes half a second. The first goes on as the second
// where it needs a model.
#pragma once

#include <string>
#include <vector>

namespace crosshead {

/// Replaces this process by the crosshead-torch beside it, with the same arguments. Throws NotBuiltError,
/// opened by `what`, where there is none, which is so in a build without LibTorch.
[[noreturn]] void continue_with_torch(const std::string& what, const std::vector<std::string>& arguments);

}  // namespace crosshead
