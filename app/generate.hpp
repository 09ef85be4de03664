// The command `crosshead generate`.
#pragma once

namespace CLI {
class App;
}

namespace crosshead {

/// Adds the subcommand; parsing it runs it. It prints the system to stdout, or writes it with -o. Throws
/// UsageError for parameters out of their range and InputError for a file that cannot be written.
void add_generate_command(CLI::App& app);

}  // namespace crosshead
