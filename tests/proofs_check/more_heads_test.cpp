// more-heads-better-best against brute force over all tuples of heads.
#include <gtest/gtest.h>

#include <crosshead/proofs_check/more_heads.hpp>

#include "../exact/naive.hpp"
#include "search_helpers.hpp"

namespace crosshead {
namespace {

using testing::heads_on;

/// p_h of every head of the domain, from its naive walk matrix.
std::vector<Rational> forward_probabilities(const Domain& domain, int nodes) {
    std::vector<Rational> all;
    for (const auto& head : enumerate_heads(domain, nodes)) {
        const IntegerSystem one{nodes, {IntegerSystem::weights_of(head, nodes)}, {1}, {1}};
        const auto walk = naive::walk(one.system());
        Rational least = 1;
        for (std::size_t j = 0; j + 1 < walk.size(); ++j) least = std::min(least, Rational(1 - walk[j][j]));
        all.push_back(least);
    }
    return all;
}

/// The share of all H-tuples whose best head has p_h ≥ x.
Rational share(const std::vector<Rational>& p, int heads, const Rational& x) {
    std::size_t reached = 0, tuples = 0;
    std::vector<std::size_t> tuple(static_cast<std::size_t>(heads), 0);
    while (true) {
        ++tuples;
        bool any = false;
        for (const auto k : tuple) any = any || p[k] >= x;
        reached += any ? 1 : 0;
        std::size_t place = 0;
        while (place < tuple.size() && ++tuple[place] == p.size()) tuple[place++] = 0;
        if (place == tuple.size()) return Rational(Integer(reached), Integer(tuples));
    }
}

void expect_brute_force(const Domain& domain, int nodes, int most_heads) {
    const auto p = forward_probabilities(domain, nodes);
    const auto result = more_heads_better_best(domain, nodes, most_heads);
    EXPECT_EQ(result.nodes, nodes);
    EXPECT_EQ(result.heads, p.size());
    ASSERT_FALSE(result.distribution.empty());
    std::uint64_t total = 0;
    for (std::size_t k = 0; k < result.distribution.size(); ++k) {
        const auto& [value, count] = result.distribution[k];
        EXPECT_EQ(count, static_cast<std::uint64_t>(std::count(p.begin(), p.end(), value)));
        if (k > 0) {
            EXPECT_LT(result.distribution[k - 1].first, value);
        }
        total += count;
    }
    EXPECT_EQ(total, p.size());
    const Rational largest = result.distribution.back().first;
    ASSERT_EQ(result.best_reached.size(), static_cast<std::size_t>(most_heads));
    bool grows = false;
    for (int h = 1; h <= most_heads; ++h) {
        EXPECT_EQ(result.best_reached[static_cast<std::size_t>(h - 1)], share(p, h, largest)) << h;
        for (const auto& [value, count] : result.distribution)
            if (h > 1) grows = grows || share(p, h, value) > share(p, h - 1, value);
    }
    EXPECT_EQ(result.verdict, grows ? Verdict::exhausted : Verdict::vacuous);
}

TEST(MoreHeads, IsBruteForceOverAllTuples) {
    for (int nodes = 2; nodes <= 4; ++nodes) expect_brute_force(heads_on(nodes, nodes, 1, 1), nodes, 3);
    Domain weighted = heads_on(2, 3, 1, 1);
    weighted.max_edge_weight = 3;
    expect_brute_force(weighted, 2, 4);
    weighted.max_edge_weight = 2;
    expect_brute_force(weighted, 3, 2);
}

TEST(MoreHeads, IsVacuousWhereEveryHeadIsAlike) {
    // Uniform heads leave every node with 1/2 at least, and the last one before the sink with just that.
    const auto result = more_heads_better_best(heads_on(4, 4, 1, 1), 4, 3);
    EXPECT_EQ(result.distribution, (std::vector<std::pair<Rational, std::uint64_t>>{{Rational(1, 2), 21}}));
    EXPECT_EQ(result.verdict, Verdict::vacuous);
    EXPECT_EQ(result.best_reached, std::vector<Rational>(3, Rational(1)));
}

TEST(MoreHeads, OneEdgeOfWeightsOneToThree) {
    // w(0→1)/(w(0→0) + w(0→1)) is 3/4 for one pair of weights in nine; the sink's own loop triples both.
    Domain weighted = heads_on(2, 2, 1, 1);
    weighted.max_edge_weight = 3;
    const auto result = more_heads_better_best(weighted, 2, 2);
    EXPECT_EQ(result.heads, 27u);
    EXPECT_EQ(result.distribution.back(), (std::pair<Rational, std::uint64_t>{Rational(3, 4), 3}));
    EXPECT_EQ(result.best_reached, (std::vector<Rational>{Rational(1, 9), Rational(17, 81)}));
    EXPECT_EQ(result.verdict, Verdict::exhausted);
}

}  // namespace
}  // namespace crosshead
