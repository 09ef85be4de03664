// The finite sets of systems that a statement is checked over, with their sizes known beforehand.
#pragma once

#include <crosshead/graphs/families.hpp>
#include <crosshead/graphs/rational.hpp>
#include <crosshead/proofs_check/search/small_head.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

enum class SinkReach {
    every,   // in every head every node reaches the sink
    united,  // in the union of the heads every node does
    any      // no condition
};

enum class Tuples {
    distinct,   // unordered, heads pairwise different (head order is irrelevant where weights are uniform)
    multisets,  // unordered, repetitions allowed
    ordered     // all H-tuples
};

/// How head weights run: 1/H each, or every way to share `grid` units out among the heads, each at least one.
struct HeadWeightChoice {
    int grid = 0;  // 0: uniform
};

struct Domain {
    int nodes_from = 2, nodes_to = 4;
    int heads_from = 2, heads_to = 2;
    SinkReach reach = SinkReach::every;
    Tuples tuples = Tuples::distinct;
    /// Edge weights are integers 1..max_edge_weight; 1 is uniform.
    int max_edge_weight = 1;
    /// Whether every node must have its self-loop; otherwise only node 0 and the sink must.
    bool self_loops = true;
    HeadWeightChoice walk_weights, diffusion_weights;
    bool tied_weights = false;  // β = α, whatever diffusion_weights says
    /// One family of graphs instead of all: each head is it, at every n.
    std::optional<Family> family;

    /// Throws UsageError naming the option: ranges that are empty or go beyond `most_nodes`, a grid smaller
    /// than the number of heads.
    void validate(int most_nodes = max_small_nodes) const;
    /// "unordered pairs of distinct heads on 2..5 nodes, …".
    std::string description() const;
};

/// Most nodes of systems that are drawn, and of the members of a family.
inline constexpr int max_drawn_nodes = 64, max_family_nodes = 200;

/// Largest number of heads on n nodes that are enumerated.
inline constexpr std::size_t max_pool_heads = 4'000'000;

/// Heads on n nodes in the domain, each on its own: with SinkReach::every those that reach the sink. In order
/// of edge count, then of weights. Throws UsageError beyond max_pool_heads or max_small_nodes.
std::vector<SmallHead> enumerate_heads(const Domain& domain, int nodes);

/// α and β of the domain for H heads, as integer scores; at least one pair.
struct HeadScores {
    std::vector<std::uint32_t> walk, diffusion;
};
std::vector<HeadScores> enumerate_head_scores(const Domain& domain, int heads);

/// The number of head tuples on n nodes by a closed form, without enumerating: ∏_m K((K+1)^m − 1)·K over m =
/// 1..n−1 heads for weights up to K, and inclusion-exclusion over equal heads for "united" and "distinct".
/// nullopt where there is none (self-loops optional).
std::optional<Integer> closed_form_tuples(const Domain& domain, int nodes, int heads);
/// Tuples times head weights, all sizes; nullopt as above.
std::optional<Integer> closed_form_systems(const Domain& domain);

}  // namespace crosshead
