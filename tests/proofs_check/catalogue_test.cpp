// The catalogue: every statement has the verdict that was computed independently, every mutant is killed, and
// what holds on small systems holds on random weighted ones.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/proofs_check/claims.hpp>
#include <crosshead/proofs_check/search/sampling.hpp>
#include <map>

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
        {"two-step-example", "exhausted"},
        {"within-head-floor", "exhausted"},
        {"amplification", "witnessed"},
        {"combination-never-hurts", "refuted"},
        {"combination-never-hurts-with-sink", "refuted"},
        {"heads-need-not-commute", "witnessed"},
        {"commuting-heads-gain-nothing", "exhausted"},
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
    for (const char* id : {"mixing-every-epsilon", "forward-probability", "mixing-large-N"}) {
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
