#include "domain_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/families.hpp>

#include "context.hpp"

namespace crosshead {
namespace {

int number_of(std::string_view text, const std::string& option, const std::string& whole) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        throw UsageError(fmt::format("{} {}: not a number or a range; write it as 4 or 2..5", option, whole));
    return value;
}

/// "4" or "2..5".
std::pair<int, int> range_of(const std::string& text, const std::string& option) {
    const auto dots = text.find("..");
    if (dots == std::string::npos) {
        const int value = number_of(text, option, text);
        return {value, value};
    }
    const std::string_view view = text;
    return {number_of(view.substr(0, dots), option, text), number_of(view.substr(dots + 2), option, text)};
}

/// "uniform" or "grid:6".
HeadWeightChoice choice_of(const std::string& text, const std::string& option) {
    if (text == "uniform") return {0};
    constexpr std::string_view prefix = "grid:";
    if (text.rfind(prefix, 0) == 0) {
        const int units = number_of(std::string_view(text).substr(prefix.size()), option, text);
        if (units >= 1) return {units};
    }
    throw UsageError(
        fmt::format("{} {}: write uniform, or grid:D for all positive multiples of 1/D", option, text));
}

const char* reach_name(SinkReach reach) {
    return reach == SinkReach::every ? "every" : reach == SinkReach::united ? "union" : "any";
}
const char* tuples_name(Tuples tuples) {
    return tuples == Tuples::distinct ? "distinct" : tuples == Tuples::multisets ? "multisets" : "ordered";
}
std::string choice_name(const HeadWeightChoice& choice) {
    return choice.grid == 0 ? "uniform" : fmt::format("grid:{}", choice.grid);
}

}  // namespace

void DomainOptions::add_to(CLI::App& command) {
    const auto group = "Which systems";
    command.add_option("-n,--nodes", nodes, "Nodes of the systems, the sink included: 4 or 2..5")
        ->type_name("A..B")
        ->group(group);
    command.add_option("-H,--heads", heads, "Heads of the systems: 2 or 1..3")
        ->type_name("A..B")
        ->group(group);
    command
        .add_option(
            "--reach", reach,
            "Where every node reaches the sink: in every head, in the union of the heads, or in any way")
        ->check(CLI::IsMember({"every", "union", "any"}))
        ->group(group);
    command
        .add_option("--tuples", tuples,
                    "Heads of a system: distinct and unordered, multisets (repetitions), or ordered")
        ->check(CLI::IsMember({"distinct", "multisets", "ordered"}))
        ->group(group);
    command.add_option("--edge-weights", edge_weights, "Edge weights are integers 1..K (default 1: uniform)")
        ->type_name("K")
        ->group(group);
    command
        .add_option("--alpha", alpha,
                    "Walk weights of the heads: uniform, or grid:D for all positive multiples of 1/D")
        ->group(group);
    command.add_option("--beta", beta, "Diffusion weights of the heads, likewise")->group(group);
    command.add_option("--weights", weights, "alpha and beta alike, head by head")
        ->group(group)
        ->excludes("--alpha")
        ->excludes("--beta");
    command
        .add_flag("--optional-self-loops", optional_self_loops,
                  "Self-loops may be missing, but at node 0 and the sink")
        ->group(group);
    command
        .add_option(
            "--family", family,
            "Only the graphs of a family: line, full-causal, sliding-window, …; all: every graph, where a "
            "claim has a family for its usual domain")
        ->group(group);
}

Domain DomainOptions::domain(const Domain& usual) const {
    Domain result = usual;
    if (family == "all") {
        result.family.reset();
    } else if (!family.empty()) {
        const FamilyInfo& info = family_named(family);
        if (info.is_random)
            throw UsageError(fmt::format(
                "--family {}: a random family is no fixed set of graphs; take --method random", family));
        if (!result.family) result.heads_from = result.heads_to = 1;
        result.family = info.family;
    } else if (!reach.empty() || !tuples.empty() || !edge_weights.empty() || optional_self_loops) {
        result.family.reset();
    }
    if (!nodes.empty()) std::tie(result.nodes_from, result.nodes_to) = range_of(nodes, "--nodes");
    if (!heads.empty()) std::tie(result.heads_from, result.heads_to) = range_of(heads, "--heads");
    if (!reach.empty())
        result.reach = reach == "every"   ? SinkReach::every
                       : reach == "union" ? SinkReach::united
                                          : SinkReach::any;
    if (!tuples.empty())
        result.tuples = tuples == "distinct"    ? Tuples::distinct
                        : tuples == "multisets" ? Tuples::multisets
                                                : Tuples::ordered;
    if (!edge_weights.empty()) {
        const auto [from, to] = range_of(edge_weights, "--edge-weights");
        if (from != 1 && from != to)
            throw UsageError(fmt::format("--edge-weights {}: weights run from 1; write 1..{} or {}",
                                         edge_weights, to, to));
        result.max_edge_weight = to;
    }
    if (optional_self_loops) result.self_loops = false;
    if (!alpha.empty()) result.walk_weights = choice_of(alpha, "--alpha");
    if (!beta.empty()) result.diffusion_weights = choice_of(beta, "--beta");
    if (!alpha.empty() || !beta.empty()) result.tied_weights = false;
    if (!weights.empty()) {
        result.walk_weights = result.diffusion_weights = choice_of(weights, "--weights");
        result.tied_weights = true;
    }
    return result;
}

void SearchOptions::add_to(CLI::App& command) {
    const auto group = "How";
    command
        .add_option(
            "--method", method,
            "exhaustive: every system; random: drawn ones; climb: local search on the margin; gradient: "
            "ascent through LibTorch")
        ->check(CLI::IsMember({"exhaustive", "random", "climb", "gradient"}))
        ->capture_default_str()
        ->group(group);
    command.add_flag("--count", count, "Go through everything, and count violations")->group(group);
    command
        .add_flag(
            "--minimal", minimal,
            "Prove the counterexample minimal: nodes, then heads, then edges, all smaller ones exhausted")
        ->group(group);
    command
        .add_option("--trials", trials, "Systems that random, climb and gradient judge for each statement")
        ->check(whole_number())
        ->capture_default_str()
        ->group(group);
    command.add_option("--seed", seed, "Seed of the drawn systems")
        ->check(whole_number())
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--database", database,
                    "Folder of found instances, which random, climb and gradient replay first")
        ->type_name("DIR")
        ->capture_default_str()
        ->group(group);
    command.add_flag("--no-database", no_database, "Neither replay nor keep instances")->group(group);
}

CheckOptions SearchOptions::check_options(const Convention& convention) const {
    CheckOptions options;
    options.method = method == "random"     ? Method::random
                     : method == "climb"    ? Method::climb
                     : method == "gradient" ? Method::gradient
                                            : Method::exhaustive;
    options.convention = convention;
    options.count = count;
    options.minimal = minimal;
    options.trials = trials;
    options.seed = seed;
    if (!no_database) options.database = database;
    if (minimal && options.method != Method::exhaustive)
        throw UsageError(
            fmt::format("--minimal: --method {} does not exhaust what is smaller; leave one out", method));
    if (trials == 0) throw UsageError("--trials 0: nothing would be tried; give at least 1");
    return options;
}

std::string domain_command_line(const Domain& domain) {
    const auto range = [](int from, int to) {
        return from == to ? fmt::format("{}", from) : fmt::format("{}..{}", from, to);
    };
    std::string text = fmt::format("--nodes {} --heads {}", range(domain.nodes_from, domain.nodes_to),
                                   range(domain.heads_from, domain.heads_to));
    if (domain.family) {
        for (const auto& info : families())
            if (info.family == *domain.family) text += fmt::format(" --family {}", info.name);
        return text;
    }
    const Domain plain;
    if (domain.reach != plain.reach) text += fmt::format(" --reach {}", reach_name(domain.reach));
    if (domain.tuples != plain.tuples) text += fmt::format(" --tuples {}", tuples_name(domain.tuples));
    if (domain.max_edge_weight != 1) text += fmt::format(" --edge-weights {}", domain.max_edge_weight);
    if (!domain.self_loops) text += " --optional-self-loops";
    if (domain.tied_weights) return text + fmt::format(" --weights {}", choice_name(domain.walk_weights));
    if (domain.walk_weights.grid != 0) text += fmt::format(" --alpha {}", choice_name(domain.walk_weights));
    if (domain.diffusion_weights.grid != 0)
        text += fmt::format(" --beta {}", choice_name(domain.diffusion_weights));
    return text;
}

}  // namespace crosshead
