// Exhaustive counts, each recomputed here from dense rational matrices; random search, climbing, shrinking
// and replay.
#include <gtest/gtest.h>

#include <map>

#include "../exact/systems.hpp"
#include "naive_quantities.hpp"
#include "search_helpers.hpp"

namespace crosshead {
namespace {

using testing::checked;
using testing::conjecture_of;
using testing::heads_on;
using testing::NaiveOperator;

/// All pairs of different uniform heads on n nodes in which every node reaches the sink, measured naively.
struct NaivePair {
    NaiveOperator mixture, first, second;
};
const std::vector<NaivePair>& naive_pairs(int nodes) {
    static std::map<int, std::vector<NaivePair>> known;
    auto& pairs = known[nodes];
    if (!pairs.empty()) return pairs;
    std::vector<HeadDag> reaching;
    for (const auto& head : testing::all_heads(nodes))
        if (NaiveOperator(HeadSystem({head})).all_reach_sink()) reaching.push_back(head);
    for (std::size_t a = 0; a < reaching.size(); ++a)
        for (std::size_t b = a + 1; b < reaching.size(); ++b)
            pairs.push_back({NaiveOperator(HeadSystem({reaching[a], reaching[b]})),
                             NaiveOperator(HeadSystem({reaching[a]})),
                             NaiveOperator(HeadSystem({reaching[b]}))});
    return pairs;
}

std::uint64_t naive_count(int nodes, const std::function<bool(NaivePair)>& violated) {
    std::uint64_t count = 0;
    for (const auto& pair : naive_pairs(nodes)) count += violated(pair) ? 1 : 0;
    return count;
}

Rational time_of(NaiveOperator one, const Rational& epsilon) {
    return one.mixing_time(epsilon).value;
}
Rational least_fidelity(NaiveOperator one, bool with_sink) {
    Rational least = 1;
    for (std::size_t j = 0; j + (with_sink ? 0 : 1) < one.nodes(); ++j)
        least = std::min(least, one.fidelity(j).value);
    return least;
}
/// Σ α_h p_h.
Rational bound_of(const NaivePair& pair) {
    return (pair.first.least_leak() + pair.second.least_leak()) / 2;
}

const std::vector<Rational> epsilons = {{1, 2}, {1, 4}, {1, 10}, {1, 100}};
using Counts = std::vector<std::uint64_t>;

Counts violations(const std::string& text, int nodes, bool existential = false) {
    Counts counts;
    const auto result =
        checked(conjecture_of(text), heads_on(nodes, nodes), testing::counting(), existential);
    for (const auto& instance : result.instances) {
        EXPECT_TRUE(instance.search.whole_domain) << text;
        EXPECT_EQ(Integer(instance.search.systems), *result.domain_size) << text;
        EXPECT_EQ(instance.search.met, instance.search.systems) << text;
        counts.push_back(instance.search.violations);
    }
    return counts;
}

TEST(ExhaustiveCounts, MixingLiteral) {
    const std::string text = "p > 0 => tmix(eps) <= 2*N/p";
    EXPECT_EQ(violations(text, 3), (Counts{0, 0, 0, 3}));
    EXPECT_EQ(violations(text, 4), (Counts{0, 0, 0, 19}));
    for (const int n : {3, 4})
        for (std::size_t k = 0; k < epsilons.size(); ++k)
            EXPECT_EQ(naive_count(n,
                                  [&](const NaivePair& pair) {
                                      return time_of(pair.mixture, epsilons[k]) >
                                             2 * (n - 1) / bound_of(pair);
                                  }),
                      violations(text, n)[k]);
}

TEST(ExhaustiveCounts, MixturesSlowerThanEveryHeadAndFasterThanEveryHead) {
    const Counts slower = violations("tmix(eps) <= tmix[worst](eps)", 4),
                 faster = violations("tmix(eps) >= tmix[best](eps)", 4);
    EXPECT_EQ(slower, (Counts{1, 4, 1, 5}));
    EXPECT_EQ(faster, (Counts{9, 4, 7, 8}));
    for (std::size_t k = 0; k < epsilons.size(); ++k) {
        const auto times = [&](const NaivePair& pair) {
            return std::array{time_of(pair.mixture, epsilons[k]), time_of(pair.first, epsilons[k]),
                              time_of(pair.second, epsilons[k])};
        };
        EXPECT_EQ(naive_count(4,
                              [&](const NaivePair& pair) {
                                  const auto [mixture, a, b] = times(pair);
                                  return mixture > std::max(a, b);
                              }),
                  slower[k]);
        EXPECT_EQ(naive_count(4,
                              [&](const NaivePair& pair) {
                                  const auto [mixture, a, b] = times(pair);
                                  return mixture < std::min(a, b);
                              }),
                  faster[k]);
    }
}

TEST(ExhaustiveCounts, FidelityBetterThanTheBestAndWorseThanTheWorst) {
    for (const bool with_sink : {false, true}) {
        const std::string phi = with_sink ? "phi" : "phi_nosink";
        const auto recomputed = [&](int n, bool better) {
            return Counts{naive_count(n, [&](const NaivePair& pair) {
                const Rational mixture = least_fidelity(pair.mixture, with_sink),
                               a = least_fidelity(pair.first, with_sink),
                               b = least_fidelity(pair.second, with_sink);
                return better ? mixture > std::max(a, b) : mixture < std::min(a, b);
            })};
        };
        for (const int n : {3, 4}) {
            EXPECT_EQ(violations(phi + " > " + phi + "[best]", n, true), recomputed(n, true)) << phi << n;
            EXPECT_EQ(violations(phi + " >= " + phi + "[worst]", n), recomputed(n, false)) << phi << n;
        }
    }
    EXPECT_EQ(violations("phi_nosink > phi_nosink[best]", 3, true), Counts{0});
    EXPECT_EQ(violations("phi_nosink > phi_nosink[best]", 4, true), Counts{28});
    EXPECT_EQ(violations("phi_nosink >= phi_nosink[worst]", 3), Counts{1});
    EXPECT_EQ(violations("phi_nosink >= phi_nosink[worst]", 4), Counts{32});
    EXPECT_EQ(violations("phi > phi[best]", 4, true), Counts{28});
    EXPECT_EQ(violations("phi >= phi[worst]", 4), Counts{25});
}

TEST(Exhaustive, TheSmallestWitnessOfMixingLiteral) {
    CheckOptions options;
    options.minimal = true;
    const auto result = checked(conjecture_of("p > 0 => tmix(eps) <= 2*N/p", {"eps in {1/10}"}),
                                heads_on(2, 3, 1, 2), options);
    const auto& one = result.instances[0];
    EXPECT_EQ(one.verdict, Verdict::refuted);
    EXPECT_EQ(testing::edges_text(*one.search.witness), "0>1");
    EXPECT_EQ(one.search.minimality, Minimality::proved);
    EXPECT_EQ(to_text(*one.explanation->left), "5");
    EXPECT_EQ(to_text(*one.explanation->right), "4");
    ASSERT_TRUE(one.largest_epsilon);
    EXPECT_EQ(one.largest_epsilon->first, "eps");
    EXPECT_EQ(one.largest_epsilon->second, Rational(1, 8));
    EXPECT_FALSE(one.search.whole_domain);
}

TEST(Exhaustive, AMinimalWitnessHasTheFewestEdgesOfTheSmallestSize) {
    const auto result = checked(conjecture_of("tmix(eps) >= tmix[best](eps)", {"eps in {1/4}"}),
                                heads_on(2, 4), testing::counting());
    const auto& one = result.instances[0].search;
    std::size_t fewest = 99;  // of all violations at n = 4; there are none below
    EXPECT_EQ(naive_count(3,
                          [](const NaivePair& pair) {
                              return time_of(pair.mixture, {1, 4}) <
                                     std::min(time_of(pair.first, {1, 4}), time_of(pair.second, {1, 4}));
                          }),
              0u);
    for (const auto& pair : naive_pairs(4)) {
        if (time_of(pair.mixture, {1, 4}) >=
            std::min(time_of(pair.first, {1, 4}), time_of(pair.second, {1, 4})))
            continue;
        std::size_t edges = 0;
        for (const auto& head : {pair.first, pair.second})
            for (std::size_t j = 0; j < 4; ++j)
                for (std::size_t i = j + 1; i < 4; ++i) edges += head.edge(j, i) ? 1 : 0;
        fewest = std::min(fewest, edges);
    }
    EXPECT_EQ(testing::edge_total(*one.witness), fewest);
    EXPECT_EQ(one.witness->nodes(), 4);
}

TEST(Verdicts, EmptyDomainsAreVacuousAndNothingIsAPass) {
    const auto verdict = [](const std::string& text, Method method, bool existential = false) {
        CheckOptions options;
        options.method = method;
        options.trials = 50;
        return checked(conjecture_of(text), heads_on(2, 3), options, existential).instances[0].verdict;
    };
    for (const auto method : {Method::exhaustive, Method::random, Method::climb}) {
        EXPECT_EQ(verdict("H > 5 => false", method), Verdict::vacuous);
        EXPECT_EQ(verdict("1/(H - 2) > 0", method), Verdict::vacuous);
        EXPECT_EQ(verdict("ln(n - n + 2) == ln(H)", method), Verdict::undecided);
        EXPECT_EQ(verdict("n >= 2", method),
                  method == Method::exhaustive ? Verdict::exhausted : Verdict::unrefuted);
        EXPECT_EQ(verdict("n > 9", method, true), Verdict::unwitnessed);
        EXPECT_EQ(verdict("n == 3", method, true), Verdict::witnessed);
    }
}

TEST(Verdicts, CountsOfTheSystemsAddUp) {
    const auto result = checked(conjecture_of("n == 4 => 1/(edges - 4) > 0"), heads_on(3, 4));
    const auto& counts = result.instances[0].search;
    std::uint64_t undefined = 0;
    for (const auto& pair : naive_pairs(4)) {
        int edges = 0;
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t i = j + 1; i < 4; ++i) edges += pair.mixture.edge(j, i) ? 1 : 0;
        undefined += edges == 4 ? 1 : 0;
    }
    EXPECT_EQ(counts.systems, 213u);
    EXPECT_EQ(counts.undefined, undefined);
    EXPECT_EQ(counts.met, 210 - undefined);
    EXPECT_EQ(counts.violations, 0u);
    ASSERT_TRUE(counts.closest);
    EXPECT_GT(counts.closest->margin, 0);
}

CheckOptions drawn(Method method, std::uint64_t trials, std::uint64_t seed) {
    CheckOptions options;
    options.method = method;
    options.trials = trials;
    options.seed = seed;
    return options;
}

TEST(Shrink, WhatIsFalseEverywhereShrinksToTheSmallestSystemByEveryMethod) {
    Domain wide = heads_on(2, 7, 1, 4);
    wide.max_edge_weight = 9;
    wide.walk_weights.grid = wide.diffusion_weights.grid = 8;
    wide.tuples = Tuples::multisets;
    for (const std::string text : {"tmix(1/4) < 0", "phi > 1"})
        for (const auto method : {Method::random, Method::climb})
            for (std::uint64_t seed = 0; seed < 4; ++seed) {
                const auto result = checked(conjecture_of(text), wide, drawn(method, 10, seed));
                const auto& one = result.instances[0];
                ASSERT_EQ(one.verdict, Verdict::refuted) << text;
                EXPECT_EQ(one.search.witness->nodes(), 2);
                EXPECT_EQ(testing::edges_text(*one.search.witness), "0>1");
                EXPECT_EQ(one.search.minimality, Minimality::shrunk);
            }
    CheckOptions minimal;
    minimal.minimal = true;
    for (const std::string text : {"tmix(1/4) < 0", "phi > 1"}) {
        const auto result = checked(conjecture_of(text), heads_on(2, 4, 1, 2), minimal);
        EXPECT_EQ(testing::edges_text(*result.instances[0].search.witness), "0>1");
        EXPECT_EQ(result.instances[0].search.minimality, Minimality::proved);
    }
}

TEST(Shrink, StaysAWitnessInTheDomainAndNoSingleStepIsLeft) {
    // Two heads are asked for, different, on three nodes at least.
    const auto result =
        checked(conjecture_of("edges > 9"), heads_on(3, 6, 2, 3), drawn(Method::random, 50, 3));
    const auto& system = *result.instances[0].search.witness;
    EXPECT_EQ(system.nodes(), 3);
    EXPECT_EQ(system.head_count(), 2u);
    EXPECT_EQ(testing::edge_total(system), 4u);
    const auto many =
        checked(conjecture_of("edges <= 6"), heads_on(2, 6, 1, 3), drawn(Method::random, 200, 3));
    EXPECT_EQ(many.instances[0].verdict, Verdict::refuted);
    EXPECT_EQ(many.instances[0].search.witness->nodes(), 5);  // n(n − 1)/2 > 6 takes five nodes
}

TEST(Random, FindsShrinksAndRepeats) {
    const auto literal = conjecture_of("p > 0 => tmix(eps) <= 2*N/p", {"eps in {1/100}"});
    const auto run = [&](std::uint64_t seed) {
        return checked(literal, heads_on(2, 6, 1, 3), drawn(Method::random, 500, seed)).instances[0];
    };
    const auto first = run(7), again = run(7);
    EXPECT_EQ(first.verdict, Verdict::refuted);
    EXPECT_EQ(testing::edges_text(*first.search.witness), "0>1");
    EXPECT_EQ(testing::edges_text(*again.search.witness), "0>1");
    EXPECT_EQ(first.search.systems, again.search.systems);
    // Raw witnesses, before shrinking, repeat with the seed and change with it.
    const auto raw = [&](std::uint64_t seed) {
        std::string text;
        SearchLimits limits;
        limits.found = [&](std::size_t, const HeadSystem& system) {
            text += testing::edges_text(system) + "\n";
        };
        check_statement(conjecture_of("n < 2"), false, heads_on(2, 6, 1, 3), drawn(Method::random, 9, seed),
                        limits);
        return text;
    };
    EXPECT_FALSE(raw(1).empty());
    EXPECT_EQ(raw(1), raw(1));
    EXPECT_NE(raw(1) + raw(2), raw(3) + raw(4));
}

TEST(Climb, FindsAmplificationOnWeightedEdges) {
    Domain weighted = heads_on(4, 5);
    weighted.max_edge_weight = 8;
    const auto run = [&] {
        return checked(conjecture_of("phi > 5/4*phi[best]"), weighted, drawn(Method::climb, 6000, 11), true)
            .instances[0];
    };
    const auto one = run();
    ASSERT_EQ(one.verdict, Verdict::witnessed);
    EXPECT_GT(one.explanation->left->approximation(), one.explanation->right->approximation());
    EXPECT_EQ(testing::edges_text(*one.search.witness), testing::edges_text(*run().search.witness));
    NaiveOperator mixture(*one.search.witness), first(one.search.witness->single_head(0)),
        second(one.search.witness->single_head(1));
    EXPECT_GT(least_fidelity(mixture, true),
              Rational(5, 4) * std::max(least_fidelity(first, true), least_fidelity(second, true)));
}

TEST(FastAgainstExact, AnEpsilonThatIsNoFraction) {
    EXPECT_EQ(checked(conjecture_of("tmix(exp(-1)) <= 1"), heads_on(2, 3)).instances[0].verdict,
              Verdict::refuted);
}
TEST(FastAgainstExact, SquaresThatUnderflowAreNotZero) {
    EXPECT_EQ(checked(conjecture_of("(p/10^200)^2 <= 0"), heads_on(2, 3)).instances[0].verdict,
              Verdict::refuted);
    EXPECT_EQ(checked(conjecture_of("(p/10^200)^2 > 0"), heads_on(2, 3)).instances[0].verdict,
              Verdict::exhausted);
}
TEST(FastAgainstExact, ProductsThatOverflowUnderMin) {
    EXPECT_EQ(
        checked(conjecture_of("min((10^200*n)*(10^200*n), 5)*p <= 100"), heads_on(2, 3)).instances[0].verdict,
        Verdict::exhausted);
}

TEST(Limits, AStoppedSearchClaimsNothing) {
    const std::atomic<bool> stop = true;
    SearchLimits limits;
    limits.stop = &stop;
    const auto result = check_statement(conjecture_of("n >= 2"), false, heads_on(5, 5), {}, limits);
    EXPECT_TRUE(result.interrupted);
    EXPECT_FALSE(result.instances[0].search.whole_domain);
    EXPECT_EQ(result.instances[0].verdict, Verdict::unrefuted);
    EXPECT_LT(result.instances[0].search.systems, 49455u);
}

}  // namespace
}  // namespace crosshead
