// Which nodes a node can reach in the union of the heads, and how far the sink is.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <vector>

namespace crosshead {

/// Reachability in the union graph of the heads that carry weight. Which heads count depends on the operator:
/// α_h > 0 for the walk, β_h > 0 for diffusion.
class Reachability {
  public:
    /// `head_weights`: one per head of `system`; a head of weight 0 adds no edges.
    Reachability(const HeadSystem& system, const ConvexWeights& head_weights);

    int nodes() const { return static_cast<int>(reached_.size()); }
    /// D_j: the nodes that `node` can reach, itself included (design §1, stopping certificate).
    const boost::dynamic_bitset<>& reached_from(Node node) const { return reached_[node]; }
    bool reaches_sink(Node node) const { return reached_[node].test(reached_.size() - 1); }
    bool all_reach_sink() const;
    /// Edges on the longest path from `node` to the sink, self-loops not counted; -1 where there is no path.
    int longest_path_to_sink(Node node) const { return longest_[node]; }
    bool has_self_loop(Node node) const { return self_loop_[node]; }
    /// True where the node has an in-edge other than its self-loop.
    bool has_other_in_edge(Node node) const { return other_in_edge_[node]; }

  private:
    std::vector<boost::dynamic_bitset<>> reached_;
    std::vector<int> longest_;
    std::vector<bool> self_loop_, other_in_edge_;
};

}  // namespace crosshead
