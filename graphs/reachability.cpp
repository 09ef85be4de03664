#include <algorithm>
#include <crosshead/graphs/reachability.hpp>

namespace crosshead {

Reachability::Reachability(const HeadSystem& system, const ConvexWeights& head_weights) {
    const auto n = static_cast<std::size_t>(system.nodes());
    reached_.assign(n, boost::dynamic_bitset<>(n));
    longest_.assign(n, -1);
    self_loop_.assign(n, false);
    other_in_edge_.assign(n, false);
    longest_[n - 1] = 0;
    // Nodes stand in topological order, so going down from the sink every target is already complete.
    for (std::size_t j = n; j-- > 0;) {
        reached_[j].set(j);
        for (std::size_t h = 0; h < system.head_count(); ++h) {
            if (head_weights[h] == 0) continue;
            const auto& graph = system.head(h).graph();
            for (auto [edge, end] = out_edges(j, graph); edge != end; ++edge) {
                const auto destination = target(*edge, graph);
                if (destination == j) {
                    self_loop_[j] = true;
                    continue;
                }
                other_in_edge_[destination] = true;
                reached_[j] |= reached_[destination];
                if (longest_[destination] >= 0)
                    longest_[j] = std::max(longest_[j], longest_[destination] + 1);
            }
        }
    }
}

bool Reachability::all_reach_sink() const {
    return std::all_of(longest_.begin(), longest_.end(), [](int length) { return length >= 0; });
}

}  // namespace crosshead
