#include <boost/dynamic_bitset.hpp>
#include <crosshead/exact/path_counts.hpp>
#include <map>

namespace crosshead {
namespace {

using HeadSet = boost::dynamic_bitset<>;

/// Edge j → i of the union, with the heads that have it.
struct SharedEdge {
    Node source, destination;
    HeadSet heads;
};

std::vector<SharedEdge> shared_edges(const HeadSystem& system, const ConvexWeights& head_weights,
                                     SelfLoops self_loops) {
    std::map<std::pair<Node, Node>, HeadSet> edges;
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        if (head_weights[h] == 0) continue;
        const HeadDag& head = system.head(h);
        for (std::size_t e = 0; e < head.edge_count(); ++e) {
            const Node source = head.sources()[e], destination = head.destinations()[e];
            if (source == destination && self_loops == SelfLoops::left_out) continue;
            edges.try_emplace({source, destination}, system.head_count()).first->second.set(h);
        }
    }
    std::vector<SharedEdge> list;
    for (auto& [ends, heads] : edges) list.push_back({ends.first, ends.second, std::move(heads)});
    return list;
}

/// Paths into the sink over the edges that `counts` picks.
template <class Counts>
Integer count_over(const std::vector<SharedEdge>& edges, int nodes, Node source, std::size_t steps,
                   const Counts& counts) {
    std::vector<Integer> paths(static_cast<std::size_t>(nodes), Integer(0));
    paths[static_cast<std::size_t>(source)] = 1;
    for (std::size_t k = 0; k < steps; ++k) {
        std::vector<Integer> next(paths.size(), Integer(0));
        for (const auto& edge : edges)
            if (counts(edge))
                next[static_cast<std::size_t>(edge.destination)] +=
                    paths[static_cast<std::size_t>(edge.source)];
        paths = std::move(next);
    }
    return paths.back();
}

/// A path is across heads once no head has all its edges: count by the set of heads that still have them.
std::optional<Integer> count_across(const std::vector<SharedEdge>& edges, const HeadSystem& system,
                                    Node source, std::size_t steps, std::size_t most_states) {
    using Counts = std::map<HeadSet, Integer>;
    std::vector<Counts> paths(static_cast<std::size_t>(system.nodes()));
    paths[static_cast<std::size_t>(source)][HeadSet(system.head_count()).set()] = 1;
    for (std::size_t k = 0; k < steps; ++k) {
        std::vector<Counts> next(paths.size());
        std::size_t states = 0;
        for (const auto& edge : edges)
            for (const auto& [heads, count] : paths[static_cast<std::size_t>(edge.source)]) {
                auto& slot = next[static_cast<std::size_t>(edge.destination)];
                states -= slot.size();
                slot[heads & edge.heads] += count;
                states += slot.size();
                if (states > most_states) return std::nullopt;
            }
        paths = std::move(next);
    }
    const auto found = paths.back().find(HeadSet(system.head_count()));
    return found == paths.back().end() ? Integer(0) : found->second;
}

}  // namespace

PathCounts count_paths(const HeadSystem& system, const ConvexWeights& head_weights, Node source,
                       std::size_t steps, SelfLoops self_loops, std::size_t most_states) {
    const auto edges = shared_edges(system, head_weights, self_loops);
    PathCounts result;
    for (std::size_t h = 0; h < system.head_count(); ++h)
        result.in_head.push_back(count_over(edges, system.nodes(), source, steps,
                                            [h](const SharedEdge& edge) { return edge.heads.test(h); }));
    result.in_union =
        count_over(edges, system.nodes(), source, steps, [](const SharedEdge&) { return true; });
    result.only_across_heads = count_across(edges, system, source, steps, most_states);
    return result;
}

}  // namespace crosshead
