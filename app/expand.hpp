// crosshead expand: where the signal of a node comes from, word by word.
#pragma once

#include <CLI/CLI.hpp>

#include "context.hpp"

namespace crosshead {

void add_expand_command(CLI::App& app, Context& context);

}  // namespace crosshead
