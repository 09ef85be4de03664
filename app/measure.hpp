// The command `crosshead measure`.
#pragma once

#include "context.hpp"

namespace crosshead {

/// Adds the subcommand; parsing it runs it.
void add_measure_command(CLI::App& app, Context& context);

}  // namespace crosshead
