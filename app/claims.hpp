// The command `crosshead claims`: the catalogue, explained; and docs/claims.md, written by it.
#pragma once

namespace CLI {
class App;
}

namespace crosshead {

struct Context;

/// Adds the subcommand; parsing it runs it. Throws UsageError for an unknown id.
void add_claims_command(CLI::App& app, Context& context);

}  // namespace crosshead
