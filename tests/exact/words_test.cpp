// Words, their distributions and paths against the naive enumeration, on every pair of small graphs and on
// random weighted systems.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/exact/path_counts.hpp>
#include <crosshead/exact/signal_shares.hpp>
#include <crosshead/exact/strongest_paths.hpp>
#include <crosshead/exact/words.hpp>
#include <crosshead/graphs/error.hpp>
#include <limits>

#include "naive_words.hpp"

namespace crosshead {
namespace {

using testing::full_size;
using testing::sparse_systems;
using testing::uniform_head;
using testing::weighted_systems;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

template <class Scalar>
using Ranked = std::vector<std::pair<naive::Letters, Scalar>>;

template <class Scalar>
Ranked<Scalar> listed(const std::vector<WordShare<Scalar>>& words) {
    Ranked<Scalar> list;
    for (const auto& one : words) list.emplace_back(one.word, one.share);
    return list;
}

template <class Scalar>
Ranked<Scalar> first_of(const Ranked<Scalar>& list, std::size_t count) {
    return {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(count, list.size()))};
}

/// Every distribution of the words of one length against the list of all words.
template <class Scalar>
void expect_distributions(const HeadOperators<Scalar>& operators,
                          const std::vector<naive::Product<Scalar>>& words, Node source, std::size_t steps) {
    const std::size_t heads = operators.head_count();
    const auto total = naive::sum_where(words, source, [](const auto&) { return true; });
    ASSERT_EQ(total_share(operators, source, steps), total);
    const auto switches = by_switches(operators, source, steps);
    ASSERT_EQ(switches.size(), steps);
    for (std::size_t s = 0; s < steps; ++s)
        ASSERT_EQ(switches[s], naive::sum_where(words, source,
                                                [&](const auto& word) { return naive::switches(word) == s; }))
            << s << " switches";
    const auto ends = by_first_and_last(operators, source, steps);
    ASSERT_EQ(ends.size(), heads);
    for (std::size_t h = 0; h < heads; ++h) {
        const auto uses = by_uses_of(operators, h, source, steps);
        ASSERT_EQ(uses.size(), steps + 1);
        for (std::size_t c = 0; c <= steps; ++c)
            ASSERT_EQ(uses[c], naive::sum_where(words, source,
                                                [&](const auto& word) { return naive::uses(word, h) == c; }))
                << c << " uses of " << h;
        ASSERT_EQ(pure_share(operators, h, source, steps), uses[steps]);
        ASSERT_EQ(ends[h].size(), heads);
        for (std::size_t l = 0; l < heads; ++l)
            ASSERT_EQ(ends[h][l], naive::sum_where(words, source,
                                                   [&](const auto& word) {
                                                       return word.front() == h && word.back() == l;
                                                   }))
                << h << " first and " << l << " last";
    }
}

/// Enumeration, counting and the best-first search against the list of all words.
template <class Scalar>
void expect_words(const HeadOperators<Scalar>& operators, const std::vector<naive::Product<Scalar>>& words,
                  Node source, std::size_t steps) {
    Ranked<Scalar> present, visited;
    for (const auto& one : words)
        if (one.share(source) != 0) present.emplace_back(one.word, one.share(source));
    ASSERT_TRUE(
        for_each_word(operators, source, steps, unlimited,
                      [&](const Word& word, const Scalar& share) { visited.emplace_back(word, share); }));
    ASSERT_EQ(visited, present);
    const auto count = count_words(operators, source, steps, no_limit);
    ASSERT_TRUE(count.has_value());
    ASSERT_EQ(*count, present.size());

    const auto ranked = naive::ranked(words, source);
    for (const std::size_t top : {std::size_t{0}, std::size_t{1}, std::size_t{3}, words.size() + 1}) {
        LargestWords<Scalar> largest(top);
        for (const auto& [word, share] : visited) largest.offer(word, share);
        ASSERT_EQ(listed(largest.words()), first_of(ranked, top));
        const auto best = best_words(operators, source, steps, top, no_limit);
        ASSERT_TRUE(best.complete);
        ASSERT_EQ(listed(best.words), first_of(ranked, top));
        if (top < ranked.size()) {
            ASSERT_GE(best.others_at_most, ranked[top].second);
        } else if (top > ranked.size()) {
            ASSERT_EQ(best.others_at_most, 0);
        }
    }
    for (const std::size_t kept : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
        const auto best = best_words(operators, source, steps, words.size(), kept);
        ASSERT_EQ(listed(best.words), first_of(ranked, best.words.size()));
        ASSERT_TRUE(best.complete || best.words.size() < ranked.size());
        ASSERT_EQ(best.complete, best.words.size() == ranked.size());
        for (std::size_t k = best.words.size(); k < ranked.size(); ++k)
            ASSERT_GE(best.others_at_most, ranked[k].second);
    }
}

/// The operators under test over the same integers as the naive matrices.
HeadOperators<std::int64_t> scaled(const HeadSystem& system, Operator kind, int scale) {
    return converted<std::int64_t>(
        head_operators(system, kind, HeadWeights::applied),
        [&](const Rational& entry) { return numerator(Rational(entry * scale)).convert_to<std::int64_t>(); });
}

TEST(Words, EveryPairOfSmallGraphs) {
    constexpr int scale = 24;  // clears 1/2 times 1/1 … 1/4
    for (int n = 1; n <= 4; ++n) {
        const auto heads = testing::all_heads(n);
        for (std::size_t a = 0; a < heads.size(); ++a)
            for (std::size_t b = a; b < heads.size(); ++b) {
                SCOPED_TRACE(::testing::Message() << n << " nodes, heads " << a << " and " << b);
                const HeadSystem system({heads[a], heads[b]});
                for (const auto kind : {Operator::walk, Operator::diffusion}) {
                    const auto matrices = naive::scaled(naive::weighted_matrices(system, kind), scale);
                    const auto operators = scaled(system, kind, scale);
                    for (std::size_t t = 1; t <= 6; ++t) {
                        const auto words = naive::all_words(matrices, t);
                        const auto direct = naive::power(naive::sum(matrices), t);
                        for (Node j = 0; j < n; ++j) {
                            ASSERT_EQ(total_share(operators, j, t),
                                      direct.back()[static_cast<std::size_t>(j)]);
                            expect_distributions(operators, words, j, t);
                            expect_words(operators, words, j, t);
                            if (HasFatalFailure()) return;
                        }
                    }
                }
            }
    }
}

/// Everything over rationals and over the integers of the common denominator.
void expect_naive(const HeadSystem& system, Operator kind, std::size_t steps) {
    const auto words = naive::all_words(naive::weighted_matrices(system, kind), steps);
    const auto operators = head_operators(system, kind, HeadWeights::applied);
    ASSERT_EQ(operators.step_denominator, 1);
    const auto integers = over_common_denominator(operators);
    const Rational over = pow(integers.step_denominator, static_cast<unsigned>(steps));
    const auto direct =
        naive::power(kind == Operator::walk ? naive::walk(system) : naive::diffusion(system), steps);
    for (Node j = 0; j < system.nodes(); ++j) {
        ASSERT_EQ(total_share(operators, j, steps), direct.back()[static_cast<std::size_t>(j)]);
        ASSERT_EQ(Rational(total_share(integers, j, steps)) / over, total_share(operators, j, steps));
        expect_distributions(operators, words, j, steps);
        expect_words(operators, words, j, steps);
        const auto switches = by_switches(operators, j, steps);
        const auto integer_switches = by_switches(integers, j, steps);
        for (std::size_t s = 0; s < steps; ++s) ASSERT_EQ(Rational(integer_switches[s]) / over, switches[s]);
        Rational sum = 0;
        ASSERT_TRUE(for_each_word(integers, j, steps, unlimited,
                                  [&](const Word&, const Integer& share) { sum += Rational(share) / over; }));
        ASSERT_EQ(sum, direct.back()[static_cast<std::size_t>(j)]);
    }
}

RC_GTEST_PROP(Words, RandomWeightedSystems, ()) {
    const HeadSystem system = *full_size(weighted_systems(5, 4));
    const auto steps = *full_size(rc::gen::inRange<std::size_t>(1, system.head_count() > 2 ? 5 : 7));
    expect_naive(system, *rc::gen::element(Operator::walk, Operator::diffusion), steps);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

RC_GTEST_PROP(Words, RandomSparseSystems, ()) {
    const HeadSystem system = *full_size(sparse_systems(5, 4));
    const auto steps = *full_size(rc::gen::inRange<std::size_t>(1, system.head_count() > 2 ? 5 : 7));
    expect_naive(system, *rc::gen::element(Operator::walk, Operator::diffusion), steps);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

TEST(Words, ABudgetOfProductsCutsTheEnumerationShort) {
    const auto all = uniform_head(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
    const auto operators = over_common_denominator(
        head_operators(HeadSystem({all, all}), Operator::diffusion, HeadWeights::applied));
    // Two letters, two heads: 2 + 4 products.
    const auto visits = [&](std::uint64_t most) {
        std::size_t count = 0;
        const bool all_seen =
            for_each_word(operators, 0, 2, most, [&](const Word&, const Integer&) { ++count; });
        return std::pair(all_seen, count);
    };
    EXPECT_EQ(visits(6), std::pair(true, std::size_t{4}));
    EXPECT_EQ(visits(5), std::pair(false, std::size_t{3}));
    EXPECT_EQ(visits(0), std::pair(false, std::size_t{0}));
}

TEST(Words, CountingGivesUpBeyondItsStates) {
    // After one step, heads 1 and 2 have left the signal on {0, 1} and on {0, 2}.
    const HeadSystem system({uniform_head(4, {{0, 1}, {1, 3}}), uniform_head(4, {{0, 2}, {2, 3}})});
    const auto operators =
        over_common_denominator(head_operators(system, Operator::diffusion, HeadWeights::applied));
    EXPECT_EQ(count_words(operators, 0, 2, 2), Integer(2));
    EXPECT_EQ(count_words(operators, 0, 2, 1), std::nullopt);
    EXPECT_EQ(count_words(operators, 3, 30, 1), Integer(1) << 30);
}

TEST(Words, PureWords) {
    EXPECT_TRUE(is_pure({0}));
    EXPECT_TRUE(is_pure({2, 2, 2}));
    EXPECT_FALSE(is_pure({2, 2, 0}));
    EXPECT_FALSE(is_pure({0, 2, 0}));
}

TEST(Words, WalksAreAskedOfHeadsWithAWeightAlone) {
    // Node 1 has no out-weight in head 1.
    const HeadDag no_way_out(3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {2, 2, 1}});
    const HeadSystem system({no_way_out, uniform_head(3, {{0, 1}, {1, 2}})});
    const HeadSystem without =
        system.with_weights(ConvexWeights({Rational(0), Rational(1)}, "alpha"), ConvexWeights::uniform(2));
    EXPECT_THROW(head_operators(system, Operator::walk, HeadWeights::applied), UndefinedQuantity);
    EXPECT_THROW(head_operators(without, Operator::walk, HeadWeights::left_out), UndefinedQuantity);
    EXPECT_EQ(total_share(head_operators(without, Operator::walk, HeadWeights::applied), 1, 1),
              Rational(1, 2));
    EXPECT_EQ(total_share(head_operators(system, Operator::diffusion, HeadWeights::applied), 1, 1),
              Rational(1, 4));
}

TEST(Words, LetterOperators) {
    const HeadSystem system({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}})},
                            ConvexWeights({Rational(1, 4), Rational(3, 4)}, "alpha"),
                            ConvexWeights({Rational(1), Rational(0)}, "beta"));
    const auto applied = head_operators(system, Operator::diffusion, HeadWeights::applied);
    EXPECT_TRUE(applied.heads[1].entry.empty());  // weight 0
    const auto alone = head_operators(system, Operator::diffusion, HeadWeights::left_out);
    EXPECT_EQ(alone.heads[1].entry.size(), 4u);
    EXPECT_EQ(head_weights(system, Operator::walk)[0], Rational(1, 4));
    EXPECT_EQ(head_weights(system, Operator::diffusion)[0], 1);
    const auto only = only_head(system, 1);
    EXPECT_EQ(only.walk_weights()[1], 1);
    EXPECT_EQ(only.diffusion_weights()[1], 1);
    const auto live = live_nodes(alone, 2);
    EXPECT_EQ(live[0], (std::vector<char>{0, 0, 1}));
    EXPECT_EQ(live[1], (std::vector<char>{0, 1, 1}));
    EXPECT_EQ(live[2], (std::vector<char>{1, 1, 1}));
    EXPECT_EQ(sum_of_heads(alone, 0).entry, alone.heads[1].entry);
    EXPECT_EQ(sum_of_heads(alone).column, (std::vector<Node>{0, 0, 1, 1, 2}));
    EXPECT_EQ(sum_of_heads(alone).entry,
              (std::vector<Rational>{2, Rational(1, 2), Rational(3, 2), Rational(1, 2), Rational(3, 2)}));
}

naive::Paths counted(const HeadSystem& system, const ConvexWeights& weights, Node source, std::size_t steps,
                     bool self_loops) {
    auto counts =
        count_paths(system, weights, source, steps, self_loops ? SelfLoops::counted : SelfLoops::left_out);
    EXPECT_TRUE(counts.only_across_heads.has_value());
    return {counts.in_head, counts.in_union, counts.only_across_heads.value_or(Integer(-1))};
}

void expect_paths(const HeadSystem& system, const ConvexWeights& weights, std::size_t steps) {
    for (Node j = 0; j < system.nodes(); ++j)
        for (const bool self_loops : {false, true})
            ASSERT_EQ(counted(system, weights, j, steps, self_loops),
                      naive::count_paths(system, weights, j, steps, self_loops));
}

void expect_strongest_paths(const HeadSystem& system, Operator kind, std::size_t steps) {
    const auto naive_mixture = kind == Operator::walk ? naive::walk(system) : naive::diffusion(system);
    const auto mixture = sum_of_heads(head_operators(system, kind, HeadWeights::applied));
    for (Node j = 0; j < system.nodes(); ++j) {
        auto expected = naive::ranked_paths(naive_mixture, j, steps);
        for (const std::size_t top : {expected.size() + 1, std::size_t{3}, std::size_t{0}}) {
            if (expected.size() > top) expected.resize(top);
            std::vector<std::pair<std::vector<Node>, Rational>> found;
            for (const auto& path : strongest_paths(mixture, j, steps, top))
                found.emplace_back(path.nodes, path.share);
            ASSERT_EQ(found, expected);
        }
    }
}

TEST(Paths, EveryPairOfGraphsOnThreeNodes) {
    const auto heads = testing::all_heads(3);
    for (const auto& a : heads)
        for (const auto& b : heads)
            for (std::size_t t = 1; t <= 4; ++t) {
                const HeadSystem system({a, b});
                expect_paths(system, ConvexWeights::uniform(2), t);
                for (const auto kind : {Operator::walk, Operator::diffusion})
                    expect_strongest_paths(system, kind, t);
                if (HasFatalFailure()) return;
            }
}

RC_GTEST_PROP(Paths, RandomSparseSystems, ()) {
    const HeadSystem system = *full_size(sparse_systems(4, 4));
    const auto steps = *full_size(rc::gen::inRange<std::size_t>(1, 5));
    expect_paths(system, system.diffusion_weights(), steps);
    expect_strongest_paths(system, *rc::gen::element(Operator::walk, Operator::diffusion), steps);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

TEST(Paths, ByHand) {
    const ConvexWeights half = ConvexWeights::uniform(2);
    const HeadSystem relay({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}})});
    EXPECT_EQ(counted(relay, half, 0, 2, false), (naive::Paths{{0, 0}, 1, 1}));
    EXPECT_EQ(counted(relay, half, 0, 3, false), (naive::Paths{{0, 0}, 0, 0}));
    EXPECT_EQ(counted(relay, half, 0, 3, true), (naive::Paths{{0, 0}, 3, 3}));
    // One head: nothing is only across heads.
    const HeadSystem chain({uniform_head(3, {{0, 1}, {1, 2}, {0, 2}})});
    EXPECT_EQ(counted(chain, ConvexWeights::uniform(1), 0, 2, true), (naive::Paths{{3}, 3, 0}));
    // A head of weight 0 has no edges, and takes no part in the union.
    EXPECT_EQ(counted(relay, ConvexWeights({Rational(0), Rational(1)}, "w"), 0, 2, true),
              (naive::Paths{{0, 0}, 0, 0}));
    EXPECT_EQ(counted(relay, ConvexWeights({Rational(0), Rational(1)}, "w"), 1, 2, true),
              (naive::Paths{{0, 2}, 2, 0}));
    // Sets of heads: {1}, {2} and {} at each node is too many for one state, but the others stay.
    const auto limited = count_paths(relay, half, 0, 3, SelfLoops::counted, 1);
    EXPECT_FALSE(limited.only_across_heads.has_value());
    EXPECT_EQ(limited.in_union, 3);
    EXPECT_TRUE(count_paths(relay, half, 0, 3, SelfLoops::counted, 100).only_across_heads.has_value());
}

}  // namespace
}  // namespace crosshead
