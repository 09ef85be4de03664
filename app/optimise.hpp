// crosshead optimise: the best head weights, with a certificate.
#pragma once

#include <CLI/CLI.hpp>

#include "context.hpp"

namespace crosshead {

void add_optimise_command(CLI::App& app, Context& context);

}  // namespace crosshead
