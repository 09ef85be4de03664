// The catalogue: every statement has the verdict that was computed independently, every mutant is killed, and
// what holds on small systems holds on random weighted ones.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/proofs_check/claims.hpp>
#include <crosshead/proofs_check/search/sampling.hpp>
#include <map>

#include "../exact/systems.hpp"
#include "naive_quantities.hpp"
#include "search_helpers.hpp"

namespace crosshead {
namespace {

using testing::checked;
using testing::conjecture_of;
using testing::heads_on;

/// The verdicts of a claim, one for each ε where it has one: 1/2, 1/4, 1/10, 1/100.
std::string verdicts(const CheckedStatement& statement) {
    std::string text;
    for (const auto& instance : statement.instances)
        text += (text.empty() ? "" : " ") + std::string(to_string(instance.verdict));
    return text;
}

TEST(Catalogue, EveryStatementHasItsVerdictOnItsUsualDomain) {
    const std::map<std::string_view, std::string> expected = {
        {"mixing-literal", "exhausted exhausted refuted refuted"},
        {"mixing-large-N", "exhausted vacuous vacuous vacuous"},
        {"mixing-every-epsilon", "exhausted exhausted exhausted exhausted"},
        {"binomial-domination", "exhausted"},
        {"forward-probability", "exhausted"},
        {"adaptive-weights", "vacuous"},
        {"mixture-no-slower", "refuted refuted refuted refuted"},
        {"mixture-no-faster", "refuted refuted refuted refuted"},
        {"word-expansion", "exhausted"},
        {"two-step-example", "exhausted"},
        {"within-head-floor", "exhausted"},
        {"amplification", "witnessed"},
        {"combination-never-hurts", "refuted"},
        {"combination-never-hurts-with-sink", "refuted"},
        {"heads-need-not-commute", "witnessed"},
        {"commuting-heads-gain-nothing", "exhausted"},
        {"best-weights-at-a-vertex", "refuted"},
        {"fidelity-unimodal", "refuted"},
        {"horizon-100", "refuted"},
        {"stopping-certificate", "exhausted"},
        {"line-fidelity", "exhausted"},
        {"full-causal-fidelity", "exhausted"},
        {"line-mixing", "exhausted"},
        {"full-causal-mixing", "exhausted"},
        {"reverse-bound", "exhausted"},
    };
    std::size_t with_statement = 0;
    for (const auto& claim : claims()) {
        if (claim.statement.empty()) continue;
        ++with_statement;
        ASSERT_TRUE(expected.count(claim.id)) << claim.id;
        const auto result = checked(claim.conjecture(), claim.domains.front(), {}, claim.existential());
        EXPECT_EQ(verdicts(result), expected.at(claim.id)) << claim.id;
    }
    EXPECT_EQ(with_statement, expected.size());
}

TEST(Catalogue, AdaptiveWeightsAreTestedWhereHeadsDiffer) {
    const Claim& claim = claim_named("adaptive-weights");
    const auto result = checked(claim.conjecture(), claim.domains[1]);
    EXPECT_EQ(verdicts(result), "exhausted");
    EXPECT_GT(result.instances[0].search.met, 0u);
    EXPECT_LT(result.instances[0].search.met, result.instances[0].search.systems);
}

TEST(Catalogue, OtherDomainsOfTheTheoremsAreExhaustedToo) {
    for (const char* id :
         {"mixing-every-epsilon", "forward-probability", "mixing-large-N", "word-expansion"}) {
        const Claim& claim = claim_named(id);
        for (const auto& instance : checked(claim.conjecture(), claim.domains[1]).instances)
            EXPECT_TRUE(instance.verdict == Verdict::exhausted || instance.verdict == Verdict::vacuous) << id;
    }
}

TEST(Catalogue, EveryClaimWithAStatementHasAMutantAndEveryMutantIsKilled) {
    for (const auto& claim : claims()) {
        if (claim.statement.empty()) continue;
        EXPECT_FALSE(claim.mutants.empty()) << claim.id;
        for (const auto mutant : claim.mutants) {
            const auto conjecture = conjecture_of(std::string(mutant));
            bool killed = false, witnessed = false;
            for (const auto& domain : claim.domains) {
                for (const auto& instance : checked(conjecture, domain, {}, claim.existential()).instances) {
                    killed = killed || instance.verdict == Verdict::refuted;
                    witnessed = witnessed || instance.verdict == Verdict::witnessed;
                }
                if (killed) break;
            }
            EXPECT_EQ(witnessed, false) << claim.id << ": " << mutant;
            EXPECT_EQ(killed, !claim.existential()) << claim.id << ": " << mutant;
        }
    }
}

/// φ of the mixture, of head 0 and of head 1.
std::string fidelities(const HeadSystem& system, QuantityId id) {
    const MeasureOptions options;
    MeasuredSource source(system, options);
    const auto of = [&](int head) { return to_text(source.number(id, head, Real(), {})); };
    return of(-1) + " of " + of(0) + ", " + of(1);
}

TEST(Catalogue, WitnessesAreThoseThatWereComputedIndependently) {
    const auto witness = [](const char* id, std::size_t instance = 0, bool minimal = true) {
        const Claim& claim = claim_named(id);
        CheckOptions options;
        options.minimal = minimal;
        return checked(claim.conjecture(), claim.domains.front(), options, claim.existential())
            .instances[instance];
    };
    const auto hurts = witness("combination-never-hurts");
    EXPECT_EQ(testing::edges_text(*hurts.search.witness), "0>2 1>2 | 0>1 1>2");
    EXPECT_EQ(fidelities(*hurts.search.witness, QuantityId::fidelity_without_sink), "35/72 of 1/2, 1/2");
    EXPECT_EQ(hurts.search.minimality, Minimality::proved);

    const auto hurts_with_sink = witness("combination-never-hurts-with-sink");
    EXPECT_EQ(hurts_with_sink.search.witness->nodes(), 4);
    EXPECT_EQ(testing::edge_total(*hurts_with_sink.search.witness), 6u);
    EXPECT_EQ(hurts_with_sink.search.minimality, Minimality::proved);

    const auto amplified = witness("amplification");
    EXPECT_EQ(amplified.search.witness->nodes(), 4);
    EXPECT_EQ(testing::edge_total(*amplified.search.witness), 6u);
    EXPECT_EQ(fidelities(*amplified.search.witness, QuantityId::fidelity), "1355/3456 of 1/3, 3/8");

    const auto unimodal = witness("fidelity-unimodal");
    EXPECT_EQ(testing::edges_text(*unimodal.search.witness), "0>1 1>2 1>5 2>3 3>4 4>5");

    const auto horizon = witness("horizon-100");
    EXPECT_EQ(horizon.search.witness->nodes(), 53);
    EXPECT_EQ(testing::edge_total(*horizon.search.witness), 52u);
}

TEST(Catalogue, CommutingHeadsGainWhereOneOfThemHasNoEdges) {
    // The head without edges is the identity: it commutes with all, and leaves the sink more of itself. By hand:
    // Δ̄ = [[1, 0], [1/4, 3/4]], φ_sink = 3/4, while the line alone has 1/2 and the other head 0.
    const Claim& claim = claim_named("commuting-heads-gain-nothing");
    CheckOptions options;
    options.minimal = true;
    const auto one = checked(claim.conjecture(), claim.domains.at(1), options).instances[0];
    EXPECT_EQ(one.verdict, Verdict::refuted);
    EXPECT_EQ(testing::edges_text(*one.search.witness), " | 0>1");
    EXPECT_EQ(fidelities(*one.search.witness, QuantityId::fidelity), "3/4 of 0, 1/2");
}

HeadSystem pair_of(int nodes, const std::vector<std::pair<Node, Node>>& first,
                   const std::vector<std::pair<Node, Node>>& second) {
    return HeadSystem({testing::uniform_head(nodes, first), testing::uniform_head(nodes, second)});
}

/// φ of the mixture and the larger φ of a head, by the definitions; without the sink on request.
std::pair<Rational, Rational> naive_gain(const HeadSystem& system, QuantityId id = QuantityId::fidelity) {
    testing::NaiveQuantities naive(system);
    const auto of = [&](int head) { return naive.number(id, head, 1, 0, 0).value; };
    return {of(-1), std::max(of(0), of(1))};
}

TEST(Catalogue, CommutingHeadsGainOnThreeNodesWithWeightsAndOnSixWithout) {
    const Claim& claim = claim_named("commuting-heads-gain-nothing");
    CheckOptions options;
    options.minimal = true;
    const auto weighted = checked(claim.conjecture(), claim.domains.at(2), options).instances[0];
    ASSERT_EQ(weighted.verdict, Verdict::refuted);
    EXPECT_EQ(weighted.search.minimality, Minimality::proved);
    EXPECT_TRUE(testing::NaiveQuantities(*weighted.search.witness).truth(QuantityId::heads_commute, -1, 0, 0));
    EXPECT_EQ(naive_gain(*weighted.search.witness), (std::pair{Rational(1, 2), Rational(4, 9)}));

    const auto six = checked(claim.conjecture(), claim.domains.at(3)).instances[0];
    ASSERT_EQ(six.verdict, Verdict::refuted);
    const HeadSystem minimal = pair_of(6, {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {3, 5}, {4, 5}},
                                       {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 4}, {4, 5}});
    EXPECT_TRUE(testing::NaiveQuantities(minimal).truth(QuantityId::heads_commute, -1, 0, 0));
    for (const auto id : {QuantityId::fidelity, QuantityId::fidelity_without_sink})
        EXPECT_EQ(naive_gain(minimal, id), (std::pair{Rational(2, 9), Rational(1, 9)}));
}

TEST(Catalogue, CommutingHeadsGainWithoutTheSinkFromEdgeWeightThreeOn) {
    const auto without_sink = conjecture_of("H >= 2 and heads_commute => phi_nosink <= phi_nosink[best]");
    Domain weighted = heads_on(3, 3);
    const auto verdict = [&](const Domain& domain) {
        return checked(without_sink, domain).instances[0].verdict;
    };
    EXPECT_EQ(verdict(heads_on(2, 5)), Verdict::exhausted);
    weighted.max_edge_weight = 2;
    EXPECT_EQ(verdict(weighted), Verdict::exhausted);
    weighted.max_edge_weight = 3;
    EXPECT_EQ(verdict(weighted), Verdict::refuted);
}

/// The head whose diffusion matrix is Σ_k c_k Δ^k, c_0 first; the c_k sum to 1.
HeadDag polynomial_head(const HeadDag& head, const std::vector<Rational>& coefficients) {
    const auto diffusion = naive::diffusion(HeadSystem({head}));
    naive::Matrix power = naive::zeros(diffusion.size()), sum = power;
    for (std::size_t i = 0; i < power.size(); ++i) power[i][i] = 1;
    for (const auto& coefficient : coefficients) {
        for (std::size_t i = 0; i < sum.size(); ++i)
            for (std::size_t j = 0; j <= i; ++j) sum[i][j] += coefficient * power[i][j];
        power = naive::product(power, diffusion);
    }
    std::vector<WeightedEdge> edges;
    for (std::size_t i = 0; i < sum.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (sum[i][j] != 0) edges.push_back({static_cast<Node>(j), static_cast<Node>(i), sum[i][j]});
    return HeadDag(head.nodes(), std::move(edges));
}

RC_GTEST_PROP(Theorem, NoNodeButTheSinkGainsFromAPolynomialOfAHead, ()) {
    const HeadSystem drawn = *testing::weighted_systems(4, 1);
    std::vector<Rational> coefficients;
    Rational sum = 0;
    for (int k = 0; k < 4; ++k) sum += coefficients.emplace_back(*rc::gen::inRange(k == 1 ? 1 : 0, 5));
    for (auto& coefficient : coefficients) coefficient /= sum;
    const auto beta = ConvexWeights::from_scores({Rational(*rc::gen::inRange(1, 9)), Rational(3)}, "weights");
    const HeadSystem system({drawn.head(0), polynomial_head(drawn.head(0), coefficients)}, beta, beta);
    testing::NaiveQuantities naive(system);
    RC_ASSERT(naive.truth(QuantityId::heads_commute, -1, 0, 0));
    for (int j = 0; j < system.nodes(); ++j) {
        const auto of = [&](int head) { return naive.number(QuantityId::node_fidelity, head, 1, 0, j).value; };
        if (j + 1 < system.nodes()) RC_ASSERT(of(-1) <= of(0));
        if (coefficients[0] == 0) RC_ASSERT(of(1) <= of(0) && of(-1) <= of(0));
    }
}

TEST(Catalogue, ThePureAndTheCrossHeadWordsMakeUpTheSignal) {
    const auto whole = conjecture_of(
        "forall j in nodes: forall t in 0..12: "
        "signal(t, j) == cross_signal(t, j) + (sum h in heads: beta[h]^t*signal[h](t, j)) - "
        "max(0, 1 - t)*(H - 1)*signal(0, j)");  // at t = 0 the empty word is no head's: counted H times
    Domain domain = heads_on(2, 3, 1, 3);
    domain.reach = SinkReach::any;
    domain.tuples = Tuples::multisets;
    domain.diffusion_weights.grid = 5;
    EXPECT_EQ(checked(whole, domain).instances[0].verdict, Verdict::exhausted);
    const HeadSystem system = pair_of(3, {{0, 1}, {1, 2}}, {{0, 2}, {1, 2}});
    // By hand, t = 2 from 0: head 1 then 2 gives (1/3)(1/2); head 2 then 1: 1·0 + 0 + (1/2)(1/3).
    const MeasureOptions options;
    MeasuredSource source(system, options);
    EXPECT_EQ(to_text(source.number(QuantityId::cross_signal, -1, Real(), {2, 0, 0})),
              to_string(Rational(1, 4) * (Rational(1, 3) * Rational(1, 2) + Rational(1, 3) +
                                          Rational(1, 2) * Rational(1, 3))));
}

TEST(Catalogue, InteriorWeightsBeatBothHeadsFirstOnFourNodes) {
    const Claim& claim = claim_named("best-weights-at-a-vertex");
    CheckOptions options = testing::counting();
    const auto one = checked(claim.conjecture(), claim.domains.front(), options).instances[0];
    EXPECT_EQ(one.search.systems, 2343u);  // 11 weights of the 3 and 210 pairs
    EXPECT_EQ(one.search.violations, 331u);
    const HeadSystem& first = *one.search.witness;
    EXPECT_EQ(testing::edges_text(first), "0>3 1>2 2>3 | 0>1 1>2 2>3");
    EXPECT_EQ(naive_gain(first), (std::pair{Rational(282485, 746496), Rational(3, 8)}));
    const HeadSystem& largest = one.search.closest->system;
    EXPECT_EQ(naive_gain(largest), (std::pair{Rational(29, 72), Rational(1, 4)}));
    EXPECT_EQ(largest.diffusion_weights()[0], Rational(7, 12));

    // The largest gain of the grid on 5 nodes, 247/72: found by the run that docs/claims.md keeps.
    const std::vector<Rational> beta = {Rational(5, 12), Rational(7, 12)};
    const ConvexWeights weights(beta, "weights");
    const auto [mixed, best] = naive_gain(
        pair_of(5, {{0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {3, 4}},
                {{0, 1}, {0, 3}, {0, 4}, {1, 3}, {2, 3}, {2, 4}, {3, 4}})
            .with_weights(weights, weights));
    EXPECT_EQ(mixed / best, Rational(247, 72));
}

/// A system drawn from a weighted domain, judged by the exact source; the theorems hold on all of them.
void expect_never_fails(const char* id) {
    Domain domain = heads_on(2, 5, 1, 3);
    domain.reach = *rc::gen::element(SinkReach::every, SinkReach::united);
    domain.tuples = Tuples::multisets;
    domain.max_edge_weight = 9;
    domain.walk_weights.grid = 7;
    domain.diffusion_weights.grid = 5;
    const HeadSystem system = (*systems_of(domain)).system();
    const Claim& claim = claim_named(id);
    const MeasureOptions options;
    const SystemJudge judge(options);
    for (const auto& instance : instances_of(claim.conjecture(), false)) {
        const Statement statement = judge.judge_exactly(instance, system);
        RC_ASSERT(statement.outcome == Outcome::holds ||
                  (statement.outcome == Outcome::vacuous && !statement.undefined));
        RC_TAG(std::string(to_string(statement.outcome)));
    }
}

RC_GTEST_PROP(Theorem, MixingEveryEpsilonHoldsOnWeightedSystems, ()) {
    expect_never_fails("mixing-every-epsilon");
}
RC_GTEST_PROP(Theorem, MixingForLargeNHoldsOnWeightedSystems, ()) {
    expect_never_fails("mixing-large-N");
}
RC_GTEST_PROP(Theorem, ForwardProbabilityHoldsOnWeightedSystems, ()) {
    expect_never_fails("forward-probability");
}
RC_GTEST_PROP(Theorem, WithinHeadFloorHoldsOnWeightedSystems, ()) {
    expect_never_fails("within-head-floor");
}
RC_GTEST_PROP(Theorem, StoppingCertificateHoldsOnWeightedSystems, ()) {
    expect_never_fails("stopping-certificate");
}
RC_GTEST_PROP(Theorem, ReverseBoundHoldsOnWeightedSystems, ()) {
    expect_never_fails("reverse-bound");
}

}  // namespace
}  // namespace crosshead
