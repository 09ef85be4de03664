// The command `crosshead train`.
#pragma once

#include "context.hpp"

namespace crosshead {

/// Adds the subcommand; parsing it runs it. Without LibTorch it throws NotBuiltError, which says how to get
/// it.
void add_train_command(CLI::App& app, Context& context);

}  // namespace crosshead
