// How many node sequences lead from a source to the sink: in each head, in the union, only across heads.
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <optional>
#include <vector>

namespace crosshead {

/// Whether a step may stay where it is.
enum class SelfLoops { counted, left_out };

/// Paths j = v_0 ≤ v_1 ≤ … ≤ v_t = τ of t edges.
struct PathCounts {
    std::vector<Integer> in_head;  // all edges in head h
    Integer in_union = 0;          // every edge in some head
    /// In the union, but in no single head; absent where that needs more than `most_states` states (nodes
    /// times the sets of heads that a path can still be in).
    std::optional<Integer> only_across_heads;
};

/// `head_weights`: a head of weight 0 has no edges. O(t · edges · sets of heads that occur).
PathCounts count_paths(const HeadSystem& system, const ConvexWeights& head_weights, Node source,
                       std::size_t steps, SelfLoops self_loops, std::size_t most_states = 1u << 20);

}  // namespace crosshead
