// Exact algorithms against the naive definitions, on every small graph and on random weighted systems.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/exact/absorption.hpp>
#include <crosshead/exact/exact_process.hpp>
#include <crosshead/exact/fidelity.hpp>
#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/exact/mixture.hpp>

#include "naive.hpp"
#include "systems.hpp"

namespace crosshead {
namespace {

const std::vector<Rational> epsilons = {Rational(1, 2), Rational(1, 4), Rational(1, 10), Rational(1, 100)};
constexpr std::size_t horizon = 80;

template <class Scalar>
naive::Matrix dense(const TransitionMatrix<Scalar>& matrix) {
    const auto n = static_cast<std::size_t>(matrix.nodes);
    auto result = naive::zeros(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) {
            const auto j = static_cast<std::size_t>(matrix.column[e]);
            Rational entry = matrix.entry[e];
            if (!matrix.row_scale.empty()) entry *= matrix.row_scale[i];
            if (!matrix.column_scale.empty()) entry *= matrix.column_scale[j];
            result[i][j] = entry / Rational(matrix.step_denominator);
        }
    return result;
}

naive::Matrix transpose(const naive::Matrix& matrix) {
    auto result = matrix;
    for (std::size_t i = 0; i < matrix.size(); ++i)
        for (std::size_t j = 0; j < matrix.size(); ++j) result[j][i] = matrix[i][j];
    return result;
}

/// Every quantity of one system against its naive definition; naive scans stop at `most` steps.
void expect_naive(const HeadSystem& system, std::size_t most) {
    const auto walk = walk_matrix(system), diffusion = diffusion_matrix(system);
    const auto naive_walk = naive::walk(system), naive_diffusion = naive::diffusion(system);
    ASSERT_EQ(dense(walk), naive_walk);
    ASSERT_EQ(dense(diffusion), naive_diffusion);
    const auto walk_integers = over_common_denominator(walk, Operator::walk);
    const auto diffusion_integers = over_common_denominator(diffusion, Operator::diffusion);
    ASSERT_EQ(dense(walk_integers), naive_walk);
    ASSERT_EQ(dense(diffusion_integers), naive_diffusion);
    ASSERT_EQ(dense(transposed(diffusion_integers)), transpose(naive_diffusion));

    const auto n = static_cast<std::size_t>(system.nodes());
    const auto expect_times = [&](const TransitionMatrix<Integer>& step, Node absorbing,
                                  const naive::Matrix& matrix) {
        const auto times = exact_mixing_times(step, absorbing, epsilons, {}, most);
        for (std::size_t k = 0; k < epsilons.size(); ++k) {
            const auto expected =
                naive::mixing_time(matrix, static_cast<std::size_t>(absorbing), epsilons[k], most);
            if (expected) {
                ASSERT_TRUE(times[k].is_exact() && times[k].lower == *expected)
                    << times[k].lower << " against " << *expected;
            } else {
                ASSERT_TRUE(!times[k].upper && times[k].lower == most + 1);
            }
        }
    };
    expect_times(walk_integers, system.sink(), naive_walk);
    expect_times(transposed(diffusion_integers), 0, transpose(naive_diffusion));

    const Reachability reach(system, system.diffusion_weights());
    const auto kinds = fidelity_kinds(reach);
    const auto found = exact_fidelities(diffusion_integers, reach, most);
    const auto limits = absorption_probabilities(diffusion);
    const auto best = naive::fidelity(naive_diffusion, most);
    for (std::size_t j = 0; j < n; ++j) {
        if (kinds[j] == FidelityKind::unreachable) {
            ASSERT_EQ(best[j].value, 0);
        }
        if (kinds[j] == FidelityKind::limit) {
            ASSERT_TRUE(limits[j].has_value());
            ASSERT_LT(best[j].value, *limits[j]);  // never attained
            ASSERT_EQ(best[j].at, most);           // still growing at the horizon
        }
        if (kinds[j] == FidelityKind::attained && found[j].final) {
            ASSERT_EQ(found[j].value, best[j].value);
            ASSERT_EQ(found[j].attained_at, best[j].at);
        }
    }

    const auto expected_absorption = naive::absorption(naive_walk);
    const auto absorption = absorption_times(walk, system.sink());
    for (std::size_t j = 0; j < n; ++j) {
        if (expected_absorption) {
            ASSERT_TRUE(absorption[j].has_value() && *absorption[j] == (*expected_absorption)[j]);
        }
        if (!absorption[j]) {
            ASSERT_FALSE(expected_absorption.has_value());
        }
    }
}

TEST(ExactWalks, AllSingleHeadsOnUpToFourNodes) {
    for (int nodes = 1; nodes <= 4; ++nodes)
        for (const auto& head : testing::all_heads(nodes)) expect_naive(HeadSystem({head}), horizon);
}

TEST(ExactWalks, AllPairsOnThreeNodesAndUnequalWeights) {
    const auto heads = testing::all_heads(3);
    const ConvexWeights alpha({Rational(1, 3), Rational(2, 3)}, "alpha"),
        beta({Rational(3, 4), Rational(1, 4)}, "beta");
    for (const auto& first : heads)
        for (const auto& second : heads) expect_naive(HeadSystem({first, second}, alpha, beta), horizon);
}

TEST(ExactWalks, AllUnorderedPairsOnFourNodes) {
    const auto heads = testing::all_heads(4);
    for (std::size_t a = 0; a < heads.size(); ++a)
        for (std::size_t b = a; b < heads.size(); ++b) expect_naive(HeadSystem({heads[a], heads[b]}), 24);
}

RC_GTEST_PROP(ExactWalks, RandomWeightedSystems, ()) {
    expect_naive(*testing::weighted_systems(5, 3), 30);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

RC_GTEST_PROP(ExactWalks, MachineWordsAndGmpIntegersGiveTheSameRows, ()) {
    const HeadSystem system = *testing::weighted_systems(6, 2);
    for (const auto kind : {Operator::walk, Operator::diffusion}) {
        const auto matrix = over_common_denominator(
            kind == Operator::walk ? walk_matrix(system) : diffusion_matrix(system), kind);
        RC_ASSERT(LimbRowProcess::suits(matrix));
        const auto start = initial_survivors<Integer>(system.nodes(), system.sink());
        LimbRowProcess words(matrix, start);
        RowPropagation<Integer> integers(matrix, start);
        for (int t = 0; t < 8; ++t) {
            words.step();
            integers.step();
            RC_ASSERT(words.row() == integers.row());
            RC_ASSERT(words.denominator() == integers.denominator());
        }
    }
}

TEST(ExactWalks, PowersArePathSums) {
    for (const auto& head : testing::all_heads(4)) {
        const HeadSystem system({head, testing::uniform_head(4, {{0, 2}, {1, 3}})});
        const auto diffusion = diffusion_matrix(system);
        std::vector<Rational> start(4, Rational(0));
        start[3] = 1;
        RowPropagation<Rational> row(diffusion, start);
        for (std::size_t t = 1; t <= 5; ++t) {
            row.step();
            for (std::size_t j = 0; j < 4; ++j)
                ASSERT_EQ(row.row()[j], naive::path_sum(naive::diffusion(system), 3, j, t));
        }
    }
}

TEST(ExactWalks, ForwardProbabilities) {
    const HeadSystem system(
        {testing::uniform_head(3, {{0, 1}, {0, 2}, {1, 2}}), testing::uniform_head(3, {{1, 2}})},
        ConvexWeights({Rational(1, 4), Rational(3, 4)}, "alpha"), ConvexWeights::uniform(2));
    EXPECT_EQ(forward_probabilities(system), (std::vector<Rational>{Rational(1, 2), Rational(0)}));
    EXPECT_EQ(forward_probability_bound(system), Rational(1, 8));
    EXPECT_EQ(mixture_forward_probability(system), Rational(1, 6));  // node 0: 1/4·2/3 + 3/4·0
}

TEST(ExactWalks, ConventionsAtTheThreshold) {
    // Two nodes, one edge: d(t) = 2·(1/2)^t in L1.
    const auto walk = over_common_denominator(walk_matrix(HeadSystem({testing::uniform_head(2, {{0, 1}})})),
                                              Operator::walk);
    const auto time = [&](const Rational& epsilon, const Convention& convention) {
        return exact_mixing_times(walk, 1, {epsilon}, convention, 100).front().lower;
    };
    EXPECT_EQ(time(Rational(1, 2), {}), 3);                               // d(2) = 1/2 is not < 1/2
    EXPECT_EQ(time(Rational(1, 2), {Norm::l1, false, Start::worst}), 2);  // but it is ≤ 1/2
    EXPECT_EQ(time(Rational(1, 2), {Norm::total_variation, true, Start::worst}), 2);
    EXPECT_EQ(time(Rational(1, 2), {Norm::l1, true, Start::mean}), 2);  // the mean over both starts is 1/4
    EXPECT_EQ(time(Rational(3), {}), 0);
}

TEST(ExactWalks, UndefinedWalksAreRefusedWithHeadAndNode) {
    const HeadDag no_way_out(3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {2, 2, 1}});
    const HeadSystem system({testing::uniform_head(3, {{0, 1}}), no_way_out});
    try {
        walk_matrix(system);
        FAIL() << "a column without weight was normalised";
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("head 1: node 1 has no out-weight"), std::string::npos)
            << error.what();
    }
    EXPECT_NO_THROW(diffusion_matrix(system));
    EXPECT_NO_THROW(
        walk_matrix(system.with_weights(ConvexWeights({1, 0}, "alpha"), ConvexWeights::uniform(2))));
}

}  // namespace
}  // namespace crosshead
