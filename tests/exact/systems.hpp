// Systems to test on: every small graph, and random weighted ones (RapidCheck).
#pragma once

#include <rapidcheck.h>

#include <crosshead/graphs/head_system.hpp>
#include <utility>
#include <vector>

namespace crosshead::testing {

/// A uniform head with self-loops everywhere and the given edges.
inline HeadDag uniform_head(int nodes, const std::vector<std::pair<Node, Node>>& edges) {
    std::vector<WeightedEdge> all;
    for (Node j = 0; j < nodes; ++j) all.push_back({j, j, 1});
    for (const auto& [source, destination] : edges) all.push_back({source, destination, 1});
    return HeadDag(nodes, std::move(all));
}

/// All 2^(n(n−1)/2) uniform heads on n nodes.
inline std::vector<HeadDag> all_heads(int nodes) {
    std::vector<std::pair<Node, Node>> pairs;
    for (Node j = 0; j < nodes; ++j)
        for (Node i = j + 1; i < nodes; ++i) pairs.emplace_back(j, i);
    std::vector<HeadDag> heads;
    for (unsigned mask = 0; mask < (1u << pairs.size()); ++mask) {
        std::vector<std::pair<Node, Node>> edges;
        for (std::size_t k = 0; k < pairs.size(); ++k)
            if (mask >> k & 1) edges.push_back(pairs[k]);
        heads.push_back(uniform_head(nodes, edges));
    }
    return heads;
}

/// Integer weights 0..9 on every pair j ≤ i (self-loops at least 1, j → j+1 at least 1, so that the sink is
/// reached), and head weights that are integers over their sum. Shrinks inside these hypotheses.
inline rc::Gen<HeadSystem> weighted_systems(int most_nodes, int most_heads) {
    return rc::gen::exec([=] {
        const int nodes = *rc::gen::inRange(2, most_nodes + 1);
        const int heads = *rc::gen::inRange(1, most_heads + 1);
        std::vector<HeadDag> dags;
        for (int h = 0; h < heads; ++h) {
            std::vector<WeightedEdge> edges;
            for (Node j = 0; j < nodes; ++j)
                for (Node i = j; i < nodes; ++i)
                    edges.push_back({j, i, *rc::gen::inRange(i - j <= 1 ? 1 : 0, 10)});
            dags.emplace_back(nodes, std::move(edges));
        }
        const auto weights = [&] {
            std::vector<Rational> scores;
            for (int h = 0; h < heads; ++h) scores.emplace_back(*rc::gen::inRange(1, 6));
            return ConvexWeights::from_scores(std::move(scores), "weights");
        };
        const auto alpha = weights(), beta = weights();
        return HeadSystem(std::move(dags), alpha, beta);
    });
}

}  // namespace crosshead::testing
