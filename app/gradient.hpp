// --method gradient: ascent through LibTorch, where this program has it.
#pragma once

#include <crosshead/proofs_check/check.hpp>
#include <string>
#include <vector>

namespace crosshead {

/// The search, or nothing where the method is another one. In a program without LibTorch it goes on as the
/// one beside it that has it (torch_program.hpp). `arguments`: as main got them.
ExternalSearch gradient_search(const CheckOptions& options, const std::vector<std::string>& arguments);

}  // namespace crosshead
