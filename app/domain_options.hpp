// The options of `check` and `refute` that say which systems are searched, and how.
#pragma once

#include <CLI/CLI.hpp>
#include <crosshead/proofs_check/check.hpp>
#include <optional>
#include <string>

namespace crosshead {

struct DomainOptions {
    std::string nodes, heads, reach, tuples, edge_weights, alpha, beta, weights, family;
    bool optional_self_loops = false;

    void add_to(CLI::App& command);
    /// `usual` with everything that was given put in its place. Throws UsageError (option, value, remedy).
    Domain domain(const Domain& usual) const;
};

struct SearchOptions {
    std::string method = "exhaustive";
    std::string database = ".crosshead/instances";
    bool no_database = false, count = false, minimal = false;
    std::uint64_t trials = 10'000, seed = 0;

    void add_to(CLI::App& command);
    CheckOptions check_options(const Convention& convention) const;
};

/// The options that give `domain` back, as a shell would be given them: "--nodes 2..4 --heads 2".
std::string domain_command_line(const Domain& domain);

}  // namespace crosshead
