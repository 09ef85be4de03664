// Optimised head weights against grids, closed forms and naive definitions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <crosshead/exact/head_operators.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/numeric/fidelity_bound.hpp>
#include <crosshead/numeric/weight_optimisation.hpp>

#include "../exact/naive.hpp"
#include "../exact/systems.hpp"

namespace crosshead::testing {
namespace {

/// The paper's second example.
HeadSystem second_example() {
    return HeadSystem(
        {uniform_head(4, {{0, 1}, {1, 2}, {2, 3}}), uniform_head(4, {{0, 2}, {1, 2}, {1, 3}, {2, 3}})});
}

HeadSystem at(const HeadSystem& system, std::vector<Rational> weights) {
    const ConvexWeights convex(std::move(weights), "test");
    return system.with_weights(convex, convex);
}

/// All multiples of 1/q on the simplex of H weights.
void each_grid_point(std::size_t heads, int q,
                     const std::function<void(const std::vector<Rational>&)>& visit) {
    std::vector<int> parts(heads, 0);
    const std::function<void(std::size_t, int)> descend = [&](std::size_t h, int left) {
        if (h + 1 == heads) {
            parts[h] = left;
            std::vector<Rational> weights;
            for (const int part : parts) weights.emplace_back(part, q);
            visit(weights);
            return;
        }
        for (int part = 0; part <= left; ++part) {
            parts[h] = part;
            descend(h + 1, left - part);
        }
    };
    descend(0, q);
}

/// A lower bound of φ: the minimum over nodes of the maximum over t ≤ most, by full matrix powers.
Rational naive_fidelity(const HeadSystem& system, std::size_t most) {
    Rational least = 1;
    for (const auto& one : naive::fidelity(naive::diffusion(system), most))
        least = std::min(least, one.value);
    return least;
}

TEST(WeightOptimisation, SecondExampleMeetsWhereTwoNodesCross) {
    // (Δ̄)[τ][w] = 1/3 + β₁/6 rises in β₁, and the signal of v, at t = 3 and later, falls: the best β is where
    // they cross.
    const WeightOptimum optimum = optimise_weights(second_example(), {});
    EXPECT_EQ(optimum.search.end, SearchEnd::narrow);
    const auto& enclosure = optimum.optimum.enclosure;
    EXPECT_LT(enclosure.upper() - enclosure.lower(), 1e-6);
    EXPECT_EQ(optimum.beats_best_head, Decision::yes);
    EXPECT_FALSE(optimum.single_head_is_best);
    ASSERT_TRUE(optimum.best.value.exact);
    EXPECT_EQ(*optimum.best.value.exact, Rational(1, 3) + optimum.best.weights[0] / 6);
    EXPECT_EQ(*optimum.best.value.exact, naive_fidelity(at(second_example(), optimum.best.weights), 40));
    // The other side of the crossing is worse.
    const Rational more = optimum.best.weights[0] + Rational(1, 100'000);
    EXPECT_LT(naive_fidelity(at(second_example(), {more, 1 - more}), 40), *optimum.best.value.exact);
    Rational best_on_grid = 0;
    each_grid_point(2, 200, [&](const auto& weights) {
        best_on_grid = std::max(best_on_grid, naive_fidelity(at(second_example(), weights), 40));
    });
    EXPECT_LE(approximate(best_on_grid), enclosure.upper());
    EXPECT_GT(approximate(best_on_grid), enclosure.lower() - 1e-3);
}

TEST(WeightOptimisation, EqualHeadsAreProvedToGainNothing) {
    const HeadDag head = uniform_head(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}});
    const WeightOptimum optimum = optimise_weights(HeadSystem({head, head}), {});
    EXPECT_TRUE(optimum.single_head_is_best);
    EXPECT_EQ(optimum.beats_best_head, Decision::no);
    EXPECT_EQ(optimum.optimum.exact, optimum.heads[0].exact);
}

TEST(WeightOptimisation, AHeadWithoutEdgesIsWorstForWalks) {
    const HeadSystem system({uniform_head(3, {}), uniform_head(3, {{0, 1}, {1, 2}})});
    OptimisationOptions options;
    options.goal = WeightGoal::mixing_time;
    const WeightOptimum mixing = optimise_weights(system, options);
    EXPECT_TRUE(mixing.heads[0].infinite);
    EXPECT_EQ(mixing.best_head, 1u);
    ASSERT_TRUE(mixing.optimum.exact);
    EXPECT_EQ(*mixing.optimum.exact,
              Rational(*naive::mixing_time(naive::walk(at(system, {0, 1})), 2, Rational(1, 4), 100)));
    options.goal = WeightGoal::absorption;
    const WeightOptimum absorption = optimise_weights(system, options);
    EXPECT_EQ(*absorption.best.value.exact, 4);  // two nodes, left with probability 1/2 each
    EXPECT_NEAR(absorption.optimum.enclosure.lower(), 4, 1e-9);
    EXPECT_LE(absorption.optimum.enclosure.lower(), 4);
}

TEST(WeightOptimisation, NeverUnderAnyWeightsIsDecidedAtOnce) {
    // Node 1 has no edge to the sink in any head; node 0 has one in head 1.
    const HeadSystem system({uniform_head(3, {{0, 1}}), uniform_head(3, {{0, 2}})});
    for (const WeightGoal goal : {WeightGoal::mixing_time, WeightGoal::absorption}) {
        OptimisationOptions options;
        options.goal = goal;
        const WeightOptimum optimum = optimise_weights(system, options);
        EXPECT_TRUE(optimum.optimum.infinite);
        EXPECT_EQ(optimum.beats_best_head, Decision::no);
        EXPECT_LE(optimum.search.cells, 1u);
    }
    // From the mean start node 1 alone keeps d(t) >= 2/3: above 1/2 for ever, below 9/10 soon.
    OptimisationOptions mean;
    mean.goal = WeightGoal::mixing_time;
    mean.convention.start = Start::mean;
    mean.epsilon = Rational(1, 2);
    EXPECT_TRUE(optimise_weights(system, mean).optimum.infinite);
    mean.epsilon = Rational(9, 10);
    const WeightOptimum reached = optimise_weights(system, mean);
    ASSERT_TRUE(reached.optimum.exact);
    // Head 1 alone: d(t) = 2/3 (1 + 2^-t) < 9/10 first at t = 2.
    EXPECT_EQ(*reached.optimum.exact, 2);
}

TEST(WeightOptimisation, MoreHeadsThanCellsStateTheirGap) {
    std::vector<HeadDag> heads;
    for (Node skipped = 0; skipped < 5; ++skipped) {
        std::vector<std::pair<Node, Node>> edges{{skipped, 5}};
        for (Node j = 0; j < 5; ++j)
            if (j != skipped) edges.emplace_back(j, j + 1);
        heads.push_back(uniform_head(6, edges));
    }
    const WeightOptimum optimum = optimise_weights(HeadSystem(heads), {});
    EXPECT_EQ(optimum.search.end, SearchEnd::whole_only);
    EXPECT_LE(optimum.optimum.enclosure.lower(), optimum.best.value.enclosure.upper());
    EXPECT_GE(optimum.search.upper, optimum.best.value.enclosure.lower());
    each_grid_point(5, 4, [&](const auto& weights) {
        EXPECT_LE(approximate(naive_fidelity(at(HeadSystem(heads), weights), 30)),
                  optimum.optimum.enclosure.upper());
    });
}

TEST(WeightOptimisation, AnInterruptedSearchIsStillAnEnclosure) {
    std::atomic<bool> stop = true;
    OptimisationOptions options;
    options.search.stop = &stop;
    const WeightOptimum optimum = optimise_weights(second_example(), options);
    EXPECT_EQ(optimum.search.end, SearchEnd::interrupted);
    EXPECT_LE(optimum.optimum.enclosure.lower(), 0.4297880);
    EXPECT_GE(optimum.optimum.enclosure.upper(), 0.4297881);
}

RC_GTEST_PROP(WeightOptimisation, NoGridPointIsBeyondTheEnclosures, ()) {
    const HeadSystem system = *weighted_systems(4, 3);
    OptimisationOptions options;
    options.search.width = 1e-4;
    const int q = system.head_count() == 3 ? 6 : 12;
    const WeightOptimum fidelity = optimise_weights(system, options);
    each_grid_point(system.head_count(), q, [&](const auto& weights) {
        RC_ASSERT(approximate(naive_fidelity(at(system, weights), 12)) <= fidelity.optimum.enclosure.upper());
    });
    RC_ASSERT(approximate(naive_fidelity(at(system, fidelity.best.weights), 12)) <=
              fidelity.best.value.enclosure.upper());

    options.goal = WeightGoal::mixing_time;
    const WeightOptimum mixing = optimise_weights(system, options);
    options.goal = WeightGoal::absorption;
    const WeightOptimum absorption = optimise_weights(system, options);
    const auto sink = static_cast<std::size_t>(system.sink());
    each_grid_point(system.head_count(), q / 3, [&](const auto& weights) {
        const auto walk = naive::walk(at(system, weights));
        const auto steps = naive::mixing_time(walk, sink, Rational(1, 4), 400);
        RC_ASSERT(!steps || static_cast<double>(*steps) >= mixing.optimum.enclosure.lower());
        const auto times = naive::absorption(walk);
        RC_ASSERT(times.has_value());
        const Rational worst = *std::max_element(times->begin(), times->end());
        RC_ASSERT(approximate(worst) >= absorption.optimum.enclosure.lower() * (1 - 1e-12));
    });
    const auto best_walk = naive::walk(at(system, mixing.best.weights));
    const auto reached = naive::mixing_time(best_walk, sink, Rational(1, 4), 2000);
    RC_ASSERT(!reached || !mixing.best.value.exact || Rational(*reached) == *mixing.best.value.exact);
}

RC_GTEST_PROP(WeightOptimisation, BoundsOfACellHoldInsideIt, ()) {
    const HeadSystem system = *weighted_systems(4, 3);
    auto cell = WeightCell<Rational>::whole(system.head_count());
    for (int depth = *rc::gen::inRange(0, 6); depth > 0; --depth) {
        auto [left, right] = cell.halves();
        cell = *rc::gen::arbitrary<bool>() ? left : right;
    }
    std::vector<Rational> scores;
    Rational sum = 0;
    for (std::size_t v = 0; v < cell.vertices.size(); ++v) {
        scores.emplace_back(*rc::gen::inRange(0, 5) + (v == 0 ? 1 : 0));
        sum += scores.back();
    }
    std::vector<Rational> inside(system.head_count(), Rational(0));
    for (std::size_t v = 0; v < scores.size(); ++v)
        for (std::size_t h = 0; h < inside.size(); ++h) inside[h] += scores[v] / sum * cell.vertices[v][h];
    const AlignedOperators<Rational> operators(
        head_operators(system, Operator::diffusion, HeadWeights::left_out));
    const Reachability reach(system, ConvexWeights::uniform(system.head_count()));
    std::vector<boost::dynamic_bitset<>> reached;
    for (Node j = 0; j < system.nodes(); ++j) reached.push_back(reach.reached_from(j));
    BernsteinTables tables(system.head_count());
    BoundLimits<Rational> limits;
    limits.most_work = 3000;
    limits.most_coefficients =
        static_cast<std::size_t>(*rc::gen::inRange(4, 40));  // with and without collapse
    const Rational bound = fidelity_upper_bound(operators.at_vertices(cell), tables, reached, limits,
                                                [](const Rational& exact, std::size_t) { return exact; })
                               .upper;
    RC_ASSERT(naive_fidelity(at(system, inside), 12) <= bound);
    // Bernstein coefficients of a row enclose it.
    const auto vertices = operators.at_vertices(cell);
    std::vector<Rational> start(static_cast<std::size_t>(system.nodes()), Rational(0));
    start.back() = 1;
    BernsteinRow<Rational> row(vertices, tables, start);
    auto power = naive::identity(start.size());
    const auto diffusion = naive::diffusion(at(system, inside));
    for (int t = 0; t < 4; ++t) {
        row.step();
        power = naive::product(power, diffusion);
        for (std::size_t j = 0; j < start.size(); ++j) {
            RC_ASSERT(row.least(j) <= power.back()[j]);
            RC_ASSERT(power.back()[j] <= row.largest(j));
        }
    }
}

}  // namespace
}  // namespace crosshead::testing
