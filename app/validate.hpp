// The command `crosshead validate`.
#pragma once

#include "context.hpp"

namespace crosshead {

/// Adds the subcommand; parsing it runs it. Attention files need no LibTorch; models do.
void add_validate_command(CLI::App& app, Context& context);

}  // namespace crosshead
