// Signal expansions against the naive enumeration, exact and as enclosures.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/input.hpp>
#include <filesystem>
#include <stdexcept>

#include "naive_expansion.hpp"

namespace crosshead {
namespace {

using testing::full_size;
using testing::holds;
using testing::sparse_systems;
using testing::uniform_head;
using testing::weighted_systems;

RC_GTEST_PROP(SignalExpansion, RandomWeightedSystems, ()) {
    const HeadSystem system = *full_size(weighted_systems(4, 4));
    const auto steps = *full_size(rc::gen::inRange<std::size_t>(1, system.head_count() > 2 ? 4 : 6));
    const auto source = *rc::gen::inRange(0, system.nodes());
    testing::expect_naive_expansion(system, *rc::gen::element(Operator::walk, Operator::diffusion), source,
                                    steps);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

RC_GTEST_PROP(SignalExpansion, RandomSparseSystems, ()) {
    const HeadSystem system = *full_size(sparse_systems(4, 4));
    const auto steps = *full_size(rc::gen::inRange<std::size_t>(1, system.head_count() > 2 ? 4 : 6));
    const auto source = *rc::gen::inRange(0, system.nodes());
    testing::expect_naive_expansion(system, *rc::gen::element(Operator::walk, Operator::diffusion), source,
                                    steps);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

TEST(SignalExpansion, EveryPairOfGraphsOnThreeNodes) {
    const auto heads = testing::all_heads(3);
    std::size_t turn = 0;
    for (std::size_t a = 0; a < heads.size(); ++a)
        for (std::size_t b = a; b < heads.size(); ++b, ++turn)
            for (const auto kind : {Operator::walk, Operator::diffusion})
                for (Node j = 0; j < 3; ++j) {
                    SCOPED_TRACE(::testing::Message() << "heads " << a << " and " << b << ", source " << j);
                    testing::expect_naive_expansion(HeadSystem({heads[a], heads[b]}), kind, j, 1 + turn % 5);
                    if (HasFatalFailure()) return;
                }
}

ExpansionOptions at(Node source, std::size_t steps) {
    ExpansionOptions options;
    options.source = source;
    options.steps = steps;
    return options;
}

TEST(SignalExpansion, TwoStepExample) {
    // u→v in head 1, v→τ in head 2: one word, β₁β₂/4 at β = (1/2, 1/2).
    const HeadSystem system({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}})});
    const auto found = expand_signal(system, at(0, 2));
    EXPECT_EQ(found.total.exact, Rational(1, 16));
    EXPECT_EQ(found.cross_head.exact, Rational(1, 16));
    EXPECT_EQ(found.words.count, Integer(1));
    ASSERT_EQ(found.words.top.size(), 1u);
    EXPECT_EQ(found.words.top[0].word, (Word{0, 1}));
    ASSERT_EQ(found.strongest_paths.size(), 1u);
    EXPECT_EQ(found.strongest_paths[0].leading_head, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(found.paths.only_across_heads, Integer(1));
    // Nothing arrives in one step.
    const auto nothing = expand_signal(system, at(0, 1));
    EXPECT_EQ(nothing.total.exact, 0);
    EXPECT_EQ(nothing.words.count, 0);
    EXPECT_TRUE(nothing.words.top.empty() && nothing.strongest_paths.empty());
    EXPECT_FALSE(fraction_of(nothing.cross_head, nothing.total).has_value());
}

/// One word's share in double: each head's dense matrix times a column, letter by letter.
double naive_share(const HeadSystem& system, Operator kind, Node source, const Word& word) {
    const auto n = static_cast<std::size_t>(system.nodes());
    std::vector<double> column(n, 0);
    column[static_cast<std::size_t>(source)] = 1;
    for (const auto h : word) {
        const HeadDag& head = system.head(h);
        std::vector<std::vector<double>> w(n, std::vector<double>(n, 0));
        std::vector<double> sums(n, 0), next(n, 0);
        for (std::size_t e = 0; e < head.edge_count(); ++e) {
            const auto j = static_cast<std::size_t>(head.sources()[e]);
            const auto i = static_cast<std::size_t>(head.destinations()[e]);
            w[i][j] = approximate(head.weight(e));
            sums[kind == Operator::walk ? j : i] += w[i][j];
        }
        const auto& weights = kind == Operator::walk ? system.walk_weights() : system.diffusion_weights();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                next[i] +=
                    approximate(weights[h]) * w[i][j] / sums[kind == Operator::walk ? j : i] * column[j];
        column = next;
    }
    return column.back();
}

/// C(n, k).
Integer choose(std::size_t n, std::size_t k) {
    Integer value = 1;
    for (std::size_t i = 1; i <= k; ++i) value = value * (n - k + i) / i;
    return value;
}

TEST(SignalExpansion, EqualHeadsDivideTheSignalAsFairCoinsDo) {
    // Two equal heads: each of the 2^t words carries the same; machine words, long integers and enclosures.
    const auto head = uniform_head(4, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}});
    const HeadSystem system({head, head});
    for (const std::size_t t : {5, 60})
        for (const double exact_bits : {16'384.0, 0.0}) {
            SCOPED_TRACE(::testing::Message() << t << " steps, exact up to " << exact_bits << " bits");
            auto options = at(0, t);
            options.exact_bits = exact_bits;
            options.budget = 4096;
            const auto found = expand_signal(system, options);
            ASSERT_EQ(found.exact, exact_bits > 0);
            const Rational total = naive::power(naive::diffusion(system), t).back().front();
            const Rational word = total / Rational(Integer(1) << t);
            ASSERT_TRUE(holds(found.total, total, found.exact));
            for (std::size_t s = 0; s < t; ++s)
                ASSERT_TRUE(
                    holds(found.switches[s], Rational(word * Rational(2 * choose(t - 1, s))), found.exact));
            for (std::size_t h = 0; h < 2; ++h) {
                for (std::size_t c = 0; c <= t; ++c)
                    ASSERT_TRUE(
                        holds(found.uses[h][c], Rational(word * Rational(choose(t, c))), found.exact));
                ASSERT_TRUE(holds(found.first_last[h][1 - h], Rational(total / 4), found.exact));
            }
            EXPECT_EQ(found.words.count, Integer(1) << t);
            EXPECT_EQ(found.words.enumerated, t == 5);
            EXPECT_EQ(found.words.order_certain, found.exact || found.words.top.empty());
            if (found.exact) {
                ASSERT_EQ(found.words.top.size(), 10u);
                EXPECT_TRUE(found.words.top_complete);
                for (std::size_t k = 0; k < 10; ++k) {  // in lexicographic order, as all tie
                    EXPECT_EQ(found.words.top[k].share.exact, word);
                    for (std::size_t place = 0; place < t; ++place)
                        ASSERT_EQ(found.words.top[k].word[t - 1 - place], place < 4 ? k >> place & 1 : 0u);
                }
            }
            ASSERT_TRUE(holds(found.words.others_at_most, word, found.exact));
        }
}

TEST(SignalExpansion, ExactUpToTheLimits) {
    const HeadSystem system({HeadDag(2, {{0, 0, 1}, {0, 1, 254}, {1, 1, 1}})});
    for (const std::size_t t : {7, 8, 9}) {  // 255^8 < 2^64 <= 255^9
        const auto found = expand_signal(system, at(1, t));
        ASSERT_TRUE(found.exact);
        EXPECT_EQ(*found.total.exact, Rational(1, pow(Integer(255), static_cast<unsigned>(t))));
        EXPECT_EQ(*found.total.exact + *expand_signal(system, at(0, t)).total.exact, 1);
        auto options = at(1, t);
        options.exact_bits = static_cast<double>(7 * t);  // 2^7 <= 255 < 2^8
        EXPECT_TRUE(expand_signal(system, options).exact);
        options.exact_bits -= 1;
        EXPECT_FALSE(expand_signal(system, options).exact);
        options = at(1, t);
        options.exact_work = 0;
        EXPECT_FALSE(expand_signal(system, options).exact);
    }
    EXPECT_EQ(distribution_work(system, 4), 72);  // 3/2 · 16 · 3
}

TEST(SignalExpansion, WhatUnderflowsStaysEnclosed) {
    // 2^-600 twice or more: no double holds it, but it is not nothing.
    const double tiny = 0x1p-600;
    const std::vector<double> first = {1, 0, 0, tiny, 1, 0, 0, tiny, 1},
                              second = {1, 0, 0, 0, 1, 0, 0, tiny, 1};
    const HeadSystem system({HeadDag::from_dense(3, first, HeadDag::Rows::divided_by_their_sum),
                             HeadDag::from_dense(3, second, HeadDag::Rows::divided_by_their_sum)});
    for (const auto kind : {Operator::walk, Operator::diffusion})
        testing::expect_naive_expansion(system, kind, 0, 4);
    auto options = at(0, 3);
    options.exact_bits = 0;
    const auto found = expand_signal(system, options);
    EXPECT_FALSE(found.exact);
    EXPECT_GT(found.pure[0].enclosure.upper(), 0);
    EXPECT_EQ(found.pure[1].exact, 0);  // the graphs alone say so
    EXPECT_EQ(found.uses[0][0].exact, 0);
}

TEST(SignalExpansion, WordsAreCountedByEnumerationWhereSetsOfNodesAreTooMany) {
    // Head h has 0→h and every edge into the sink: two letters leave the signal on C(92, 2) + 92 = 4278 sets.
    constexpr int heads = 92;
    std::vector<HeadDag> all;
    for (Node h = 1; h <= heads; ++h) {
        std::vector<std::pair<Node, Node>> edges{{0, h}};
        for (Node j = 1; j <= heads; ++j) edges.emplace_back(j, heads + 1);
        all.push_back(uniform_head(heads + 2, edges));
    }
    const HeadSystem system(std::move(all));
    auto options = at(0, 3);
    const auto found = expand_signal(system, options);
    EXPECT_TRUE(found.words.enumerated);
    EXPECT_EQ(found.words.count, Integer(heads * heads * heads));
    EXPECT_EQ(found.words.not_listed.exact, *found.total.exact - *found.words.listed.exact);
    options.budget = 1000;
    const auto short_of_it = expand_signal(system, options);
    EXPECT_FALSE(short_of_it.words.enumerated);
    EXPECT_FALSE(short_of_it.words.count.has_value());
    EXPECT_EQ(short_of_it.total.exact, found.total.exact);
}

TEST(SignalExpansion, PublishedAttention) {
    const auto file = std::filesystem::path(CROSSHEAD_SHARED_DATA) / "attention" / "attn_4_copy.npy";
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << file << " is not here; the published attention is not part of the project";
    const auto input = load_input(file);
    const HeadSystem& system = input.layers.at(1);
    ASSERT_EQ(system.head_count(), 4u);
    for (const auto kind : {Operator::walk, Operator::diffusion})
        for (const std::size_t t : {1, 3, 8}) {
            SCOPED_TRACE(::testing::Message() << t << " steps");
            auto options = at(system.nodes() / 2, t);
            options.kind = kind;
            options.exact_bits = 0;
            options.top = 20;
            const auto found = expand_signal(system, options);
            ASSERT_FALSE(found.exact);
            // Nothing here but double sums in another order; every part is narrow, so their sum is close.
            const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-11 * b; };
            const double total = found.total.enclosure.middle();
            ASSERT_GT(total, 0);
            EXPECT_TRUE(
                near(signals_at(system, kind, t)[static_cast<std::size_t>(options.source)].enclosure.middle(),
                     total));
            double cross_and_pure = found.cross_head.enclosure.middle(), first_last = 0;
            for (std::size_t h = 0; h < 4; ++h) {
                cross_and_pure += found.pure[h].enclosure.middle();
                for (const auto& part : found.first_last[h]) first_last += part.enclosure.middle();
                double uses = 0;
                for (const auto& part : found.uses[h]) uses += part.enclosure.middle();
                EXPECT_TRUE(near(uses, total));
                EXPECT_TRUE(near(found.uses[h][t].enclosure.middle(), found.pure[h].enclosure.middle()));
            }
            EXPECT_TRUE(near(cross_and_pure, total) && near(first_last, total));
            // Each listed word is pushed through on its own, as doubles.
            ASSERT_TRUE(found.words.enumerated);
            ASSERT_EQ(found.words.count, Integer(1) << (2 * t));
            const auto& words = found.words.top;
            ASSERT_EQ(words.size(), t == 1 ? 4u : 20u);
            for (std::size_t k = 0; k < words.size(); ++k) {
                const auto& share = words[k].share.enclosure;
                EXPECT_TRUE(near(naive_share(system, kind, options.source, words[k].word), share.middle()));
                EXPECT_GE(k == 0 ? 1 : words[k - 1].share.enclosure.upper(), share.upper());
            }
            EXPECT_LE(found.words.others_at_most.enclosure.lower(), words.back().share.enclosure.upper());
            // Best first finds the same ones, as many as its budget allows, and bounds the next.
            options.budget = 2000;
            const auto best = expand_signal(system, options).words;
            EXPECT_EQ(best.enumerated, t < 8);
            EXPECT_TRUE(best.top_complete || best.top.size() < words.size());
            for (std::size_t k = 0; k < best.top.size(); ++k) EXPECT_EQ(best.top[k].word, words[k].word);
            if (best.top.size() < words.size()) {
                EXPECT_GE(best.others_at_most.enclosure.upper(),
                          words[best.top.size()].share.enclosure.lower());
            }
        }
}

TEST(SignalExpansion, RefusesWhatHasNoMeaning) {
    const HeadDag no_way_out(3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {2, 2, 1}});
    const HeadSystem system({uniform_head(3, {{0, 1}, {1, 2}}), no_way_out});
    EXPECT_THROW(expand_signal(system, at(0, 0)), std::invalid_argument);
    EXPECT_THROW(expand_signal(system, at(-1, 1)), std::invalid_argument);
    EXPECT_THROW(expand_signal(system, at(3, 1)), std::invalid_argument);
    auto walk = at(0, 2);
    walk.kind = Operator::walk;
    for (const double exact_bits : {walk.exact_bits, 0.0}) {
        walk.exact_bits = exact_bits;
        EXPECT_THROW(expand_signal(system, walk), UndefinedQuantity);
        const ConvexWeights first({Rational(1), Rational(0)}, "weights");
        EXPECT_NO_THROW(expand_signal(system.with_weights(first, first), walk));
    }
}

TEST(SignalExpansion, LongFractionsAreCutNotRounded) {
    const auto text = [](const Integer& numerator, const Integer& denominator) {
        return to_text(Quantity::of(Rational(numerator, denominator)));
    };
    const auto power = [](unsigned exponent) { return Integer(pow(Integer(10), exponent)); };
    EXPECT_EQ(text(3, 16), "3/16");
    // At most 24 characters stay a fraction.
    EXPECT_EQ(text(power(10) + 1, power(11) + 3), "10000000001/100000000003");
    EXPECT_EQ(text(power(11) + 1, power(11) + 3), "0.99999999998…");
    // However close to 1 from below, never 1; from above, never less.
    for (unsigned digits = 12; digits <= 400; ++digits) {
        ASSERT_EQ(text(power(digits) - 1, power(digits)), "0.999999999999…");
        ASSERT_EQ(text(power(digits) + 1, power(digits)), "1…");
    }
    EXPECT_EQ(text(2 * power(30) - 1, 3 * power(30)), "0.666666666666…");
    // Cut to 12 digits where the next ones would round up, at every power of ten.
    const Integer nines("1234567890129999999999999999999");
    EXPECT_EQ(text(nines, power(30)), "1.23456789012…");
    EXPECT_EQ(text(nines, power(35)), "0.0000123456789012…");
    EXPECT_EQ(text(nines, power(36)), "1.23456789012e-06…");
    EXPECT_EQ(text(nines * 10, 3 * power(20)), "41152263004.3…");
    EXPECT_EQ(text(nines, 7 * power(3)), "1.76366841447e+26…");
}

TEST(SignalExpansion, FractionsAndMeans) {
    const auto enclosed = [](double lower, double upper) { return Quantity::within({lower, upper}); };
    EXPECT_EQ(fraction_of(Quantity::of(1), Quantity::of(3))->exact, Rational(1, 3));
    EXPECT_FALSE(fraction_of(Quantity::of(0), Quantity::of(0)).has_value());
    const auto clipped = fraction_of(enclosed(0.25, 0.5), enclosed(0.4, 0.5));
    EXPECT_TRUE(clipped->enclosure.lower() <= 0.5 && clipped->enclosure.lower() > 0.49);
    EXPECT_EQ(clipped->enclosure.upper(), 1);
    const auto mean =
        mean_of({Quantity::of(Rational(1, 4)), Quantity::of(Rational(1, 2)), Quantity::of(Rational(1, 4))},
                Quantity::of(Rational(1, 2)));
    EXPECT_EQ(mean->exact, 2);
    const auto mixed =
        mean_of({enclosed(0.2, 0.3), Quantity::of(Rational(1, 2)), enclosed(0.25, 0.5)}, Quantity::of(1));
    EXPECT_FALSE(mixed->exact.has_value());
    EXPECT_NEAR(mixed->enclosure.lower(), 1, 1e-15);
    EXPECT_NEAR(mixed->enclosure.upper(), 1.5, 1e-15);
}

}  // namespace
}  // namespace crosshead
