#include <algorithm>
#include <crosshead/proofs_check/search/small_head.hpp>
#include <limits>

namespace crosshead {

int edge_count(const SmallHead& head, int nodes) {
    int count = 0;
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < i; ++j) count += head.at(i, j) != 0 ? 1 : 0;
    return count;
}

bool reaches_sink(const SmallHead& head, int nodes) {
    for (int j = 0; j + 1 < nodes; ++j) {
        bool leaves = false;
        for (int i = j + 1; i < nodes; ++i) leaves = leaves || head.at(i, j) != 0;
        if (!leaves) return false;
    }
    return true;
}

bool has_all_self_loops(const SmallHead& head, int nodes) {
    for (int j = 0; j < nodes; ++j)
        if (head.at(j, j) == 0) return false;
    return true;
}

std::vector<std::uint32_t> IntegerSystem::weights_of(const SmallHead& head, int nodes) {
    return {head.weight.begin(), head.weight.begin() + triangle_index(nodes, 0)};
}

HeadSystem IntegerSystem::system() const {
    std::vector<HeadDag> dags;
    for (const auto& head : heads) {
        std::vector<WeightedEdge> edges;
        for (int j = 0; j < nodes; ++j)
            for (int i = j; i < nodes; ++i)
                if (const auto weight = head[static_cast<std::size_t>(triangle_index(i, j))]; weight != 0)
                    edges.push_back({j, i, weight});
        dags.emplace_back(nodes, std::move(edges));
    }
    const auto weights = [](const std::vector<std::uint32_t>& scores, const char* place) {
        return ConvexWeights::from_scores({scores.begin(), scores.end()}, place);
    };
    return HeadSystem(std::move(dags), weights(walk_scores, "walk weights"),
                      weights(diffusion_scores, "diffusion weights"));
}

int IntegerSystem::edge_count() const {
    int count = 0;
    for (const auto& head : heads)
        for (int i = 0; i < nodes; ++i)
            for (int j = 0; j < i; ++j)
                count += head[static_cast<std::size_t>(triangle_index(i, j))] != 0 ? 1 : 0;
    return count;
}

bool IntegerSystem::is_small() const {
    if (nodes > max_small_nodes || nodes < 2) return false;
    for (const auto& head : heads) {
        for (const auto weight : head)
            if (weight > std::numeric_limits<std::uint16_t>::max()) return false;
        for (int j = 0; j < nodes; ++j)
            if (head[static_cast<std::size_t>(triangle_index(j, j))] == 0) return false;
    }
    return true;
}

SmallHead IntegerSystem::small_head(std::size_t h) const {
    SmallHead head;
    std::transform(heads[h].begin(), heads[h].end(), head.weight.begin(),
                   [](std::uint32_t weight) { return static_cast<std::uint16_t>(weight); });
    return head;
}

}  // namespace crosshead
