// How different two heads are, by definition: dense rational products and sums.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/numeric/head_diversity.hpp>

#include "../exact/naive_words.hpp"
#include "quantities.hpp"

namespace crosshead {
namespace {

using testing::full_size;
using testing::holds;
using testing::sparse_systems;
using testing::uniform_head;
using testing::weighted_systems;

/// Every pair against the definitions. `exact`: all is exact; else differences are enclosed beside 1.
void expect_naive(const HeadSystem& system, Operator kind, bool exact) {
    const auto matrices = naive::head_matrices(system, kind);
    const auto n = static_cast<std::size_t>(system.nodes());
    const auto pairs = head_diversity(system, kind);
    std::size_t number = 0;
    for (std::size_t g = 0; g < matrices.size(); ++g)
        for (std::size_t h = g + 1; h < matrices.size(); ++h) {
            ASSERT_LT(number, pairs.size());
            const auto& pair = pairs[number++];
            ASSERT_EQ(pair.first, g);
            ASSERT_EQ(pair.second, h);
            const auto gh = naive::product(matrices[g], matrices[h]);
            const auto hg = naive::product(matrices[h], matrices[g]);
            const auto commutator = [&](std::size_t i, std::size_t j) {
                return Rational(abs(gh[i][j] - hg[i][j]));
            };
            Rational most = 0, distance_sum = 0, largest = 0;
            std::size_t row = 0, column = 0, node = 0, both = 0, either = 0;
            const auto first = naive::weights(system.head(g)), second = naive::weights(system.head(h));
            std::vector<Rational> distances;
            for (std::size_t i = 0; i < n; ++i) {
                Rational distance = 0;
                for (std::size_t j = 0; j < n; ++j) {
                    if (commutator(i, j) > most) most = commutator(i, j), row = i, column = j;
                    const std::size_t a = kind == Operator::diffusion ? i : j, b = i + j - a;
                    distance += abs(matrices[g][a][b] - matrices[h][a][b]) / 2;
                    if (i == j) continue;
                    both += first[i][j] != 0 && second[i][j] != 0;
                    either += first[i][j] != 0 || second[i][j] != 0;
                }
                if (distance > largest) largest = distance, node = i;
                distance_sum += distance;
                distances.push_back(distance);
            }
            // A zero is exact always, and so are edges.
            ASSERT_TRUE(holds(pair.commutator, most, exact || most == 0, 1));
            ASSERT_TRUE(holds(pair.jaccard, either == 0 ? Rational(1) : Rational(both, either), true));
            ASSERT_TRUE(holds(pair.largest_distance, largest, exact, 1));
            ASSERT_TRUE(holds(pair.mean_distance, distance_sum / static_cast<int>(n), exact, 1));
            const auto found_row = static_cast<std::size_t>(pair.commutator_row);
            const auto found_column = static_cast<std::size_t>(pair.commutator_column);
            const auto found_node = static_cast<std::size_t>(pair.largest_distance_node);
            if (exact) {
                ASSERT_EQ(std::pair(found_row, found_column), std::pair(row, column));
                ASSERT_EQ(found_node, node);
                ASSERT_TRUE(pair.commutator_place_decided);
            }
            if (pair.commutator_place_decided) {
                ASSERT_EQ(commutator(found_row, found_column), most);
            }
            ASSERT_GE(commutator(found_row, found_column), most - testing::narrow);
            ASSERT_GE(distances[found_node], largest - testing::narrow);
        }
    ASSERT_EQ(number, pairs.size());
}

TEST(HeadDiversity, EveryPairOfSmallGraphs) {
    for (int n = 1; n <= 4; ++n) {
        const auto heads = testing::all_heads(n);
        for (std::size_t a = 0; a < heads.size(); ++a)
            for (std::size_t b = a; b < heads.size(); ++b)
                for (const auto kind : {Operator::walk, Operator::diffusion}) {
                    expect_naive(HeadSystem({heads[a], heads[b]}), kind, true);
                    if (HasFatalFailure()) return;
                }
    }
}

RC_GTEST_PROP(HeadDiversity, RandomSystems, ()) {
    const HeadSystem system = *full_size(rc::gen::oneOf(weighted_systems(5, 4), sparse_systems(5, 4)));
    expect_naive(system, *rc::gen::element(Operator::walk, Operator::diffusion), true);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

/// Softmax-like rows: doubles of 53 random bits each, rescaled to sum 1; about every third edge is missing.
rc::Gen<HeadDag> attention_heads(int nodes) {
    return rc::gen::exec([=] {
        std::vector<double> attention;
        for (Node i = 0; i < nodes; ++i)
            for (Node j = 0; j < nodes; ++j) {
                const auto bits = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 53);
                const bool missing = j > i || (j < i && *rc::gen::inRange(0, 3) == 0);
                attention.push_back(missing ? 0 : static_cast<double>(bits) * 0x1p-53);
            }
        return HeadDag::from_dense(nodes, attention, HeadDag::Rows::divided_by_their_sum);
    });
}

RC_GTEST_PROP(HeadDiversity, AttentionIsEnclosed, ()) {
    const HeadDag first = *full_size(attention_heads(6)), second = *full_size(attention_heads(6));
    const auto kind = *rc::gen::element(Operator::walk, Operator::diffusion);
    const HeadSystem system({first, second, first});  // equal heads commute: settled exactly
    const auto pairs = head_diversity(system, kind);
    RC_PRE(!pairs[0].largest_distance.exact);  // while shrinking, the weights may become simple fractions
    expect_naive(system, kind, false);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
    RC_ASSERT(pairs[1].commutator.exact == Rational(0));
    RC_ASSERT(pairs[1].jaccard.exact == Rational(1));
}

TEST(HeadDiversity, LongAttentionIsEnclosed) {
    // Causal rows of 20 to 24 nodes that fall off at different speeds, with gaps.
    for (const int nodes : {20, 24}) {
        std::vector<HeadDag> heads;
        for (int h = 1; h <= 3; ++h) {
            std::vector<double> attention;
            for (Node i = 0; i < nodes; ++i)
                for (Node j = 0; j < nodes; ++j) {
                    const bool missing = j > i || (j < i && (i * h + j) % 4 == 0);
                    attention.push_back(missing ? 0 : std::exp(-(i - j) / (1.5 * h)) / (1 + (i + j) % 5));
                }
            heads.push_back(HeadDag::from_dense(nodes, attention, HeadDag::Rows::divided_by_their_sum));
        }
        const HeadSystem system(std::move(heads));
        for (const auto kind : {Operator::walk, Operator::diffusion}) {
            ASSERT_FALSE(head_diversity(system, kind)[0].largest_distance.exact.has_value());
            expect_naive(system, kind, false);
        }
    }
}

TEST(HeadDiversity, CommutingHeads) {
    // A head and its square commute; so does any head with the one that has self-loops alone.
    const HeadDag line(3, {{0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 2, 1}, {2, 2, 1}});
    const HeadDag squared(3, {{0, 0, 1}, {0, 1, 3}, {1, 1, 1}, {0, 2, 1}, {1, 2, 2}, {2, 2, 1}});
    const auto pairs = head_diversity(HeadSystem({line, squared, uniform_head(3, {})}), Operator::diffusion);
    ASSERT_EQ(pairs.size(), 3u);
    for (const auto& pair : pairs) {
        EXPECT_EQ(pair.commutator.exact, Rational(0));
        EXPECT_EQ(pair.commutator_row, 0);
        EXPECT_EQ(pair.commutator_column, 0);
        EXPECT_TRUE(pair.commutator_place_decided);
        EXPECT_GT(*pair.largest_distance.exact, 0);
    }
    EXPECT_EQ(pairs[0].jaccard.exact, Rational(2, 3));
    EXPECT_EQ(pairs[1].jaccard.exact, Rational(0));
}

TEST(HeadDiversity, ByHand) {
    const auto pairs = head_diversity(
        HeadSystem({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}}), uniform_head(3, {{1, 2}})}),
        Operator::diffusion);
    // Δ⁽²⁾Δ⁽¹⁾ takes u to τ with 1/4; Δ⁽¹⁾Δ⁽²⁾ takes it nowhere.
    EXPECT_EQ(pairs[0].commutator.exact, Rational(1, 4));
    EXPECT_EQ(pairs[0].commutator_row, 2);
    EXPECT_EQ(pairs[0].commutator_column, 0);
    EXPECT_EQ(pairs[0].largest_distance.exact, Rational(1, 2));
    EXPECT_EQ(pairs[0].largest_distance_node, 1);
    EXPECT_EQ(pairs[0].mean_distance.exact, Rational(1, 3));
    EXPECT_EQ(pairs[0].jaccard.exact, Rational(0));
    // Equal heads.
    EXPECT_EQ(pairs[2].commutator.exact, Rational(0));
    EXPECT_EQ(pairs[2].largest_distance.exact, Rational(0));
    EXPECT_EQ(pairs[2].jaccard.exact, Rational(1));
    // Neither has an edge; and one head has no pairs.
    const auto empty = uniform_head(2, {});
    EXPECT_EQ(head_diversity(HeadSystem({empty, empty}), Operator::walk)[0].jaccard.exact, Rational(1));
    EXPECT_TRUE(head_diversity(HeadSystem({empty}), Operator::walk).empty());
}

TEST(HeadDiversity, UndefinedWalksAreRefused) {
    const HeadDag no_way_out(3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {2, 2, 1}});
    const HeadSystem system({uniform_head(3, {{0, 1}, {1, 2}}), no_way_out});
    EXPECT_THROW(head_diversity(system, Operator::walk), UndefinedQuantity);
    EXPECT_NO_THROW(head_diversity(system, Operator::diffusion));
}

}  // namespace
}  // namespace crosshead
