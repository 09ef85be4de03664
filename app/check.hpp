// The commands `crosshead check` and `crosshead refute`: a statement over a domain of systems.
#pragma once

namespace CLI {
class App;
}

namespace crosshead {

struct Context;

/// Adds the subcommands; parsing one runs it. Exit code 10 where a universal statement is refuted. Throws
/// UsageError, InputError (a statement or claim file that does not parse) and NotBuiltError.
void add_check_command(CLI::App& app, Context& context);
void add_refute_command(CLI::App& app, Context& context);

}  // namespace crosshead
