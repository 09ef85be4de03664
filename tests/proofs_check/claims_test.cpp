// Claims on systems whose verdict is known by other means, and mutants that must be told apart.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/families.hpp>
#include <crosshead/proofs_check/claims.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <crosshead/proofs_check/leak_comparison.hpp>
#include <crosshead/proofs_check/search/instance.hpp>

#include "../exact/naive.hpp"
#include "../exact/systems.hpp"

namespace crosshead {
namespace {

using testing::uniform_head;

std::vector<Judgement> judged(const std::string& id, const HeadSystem& system,
                              const MeasureOptions& options = {}) {
    const auto measure = measure_system(system, options);
    return judge(claim_named(id), {system, measure, options});
}

std::vector<Outcome> outcomes(const std::string& id, const HeadSystem& system) {
    std::vector<Outcome> result;
    for (const auto& judgement : judged(id, system)) result.push_back(judgement.outcome);
    return result;
}

/// The example of arXiv 2507.02944 in which mixing helps.
HeadSystem second_example() {
    return HeadSystem(
        {uniform_head(4, {{0, 1}, {1, 2}, {2, 3}}), uniform_head(4, {{0, 2}, {1, 2}, {1, 3}, {2, 3}})});
}

TEST(MixingLiteral, OneEdgeFailsExactlyBelowAnEighth) {
    // n = 2: 2N/p = 4; T_mix(1/10) = 5. d(4) = 1/8, so ε = 1/8 fails (strict) and anything larger holds.
    const HeadSystem system({line_head(2)});
    MeasureOptions options;
    options.epsilons = {Rational(1, 10), Rational(1, 8), Rational(126, 1000), Rational(1, 4)};
    std::vector<Outcome> found;
    for (const auto& judgement : judged("mixing-literal", system, options))
        found.push_back(judgement.outcome);
    EXPECT_EQ(found, (std::vector<Outcome>{Outcome::fails, Outcome::fails, Outcome::holds, Outcome::holds}));
    EXPECT_EQ(judged("mixing-literal", system, options)[0].left, "tmix(1/10) = 5");
    EXPECT_EQ(judged("mixing-literal", system, options)[0].right, "2*N/p = 4");
}

TEST(MixingLiteral, EqualityHoldsAndOneStepLessWouldNot) {
    // T_mix(1/4) = 4 = 2N/p on one edge: with < in place of ≤ it would fail.
    const HeadSystem system({line_head(2)});
    const auto judgement = judged("mixing-literal", system)[1];
    EXPECT_EQ(judgement.outcome, Outcome::holds);
    EXPECT_EQ(judgement.margin, 0.0);
}

TEST(MixingLiteral, VacuousWithoutForwardProbability) {
    EXPECT_EQ(outcomes("mixing-literal", HeadSystem({uniform_head(3, {{0, 1}})})),
              std::vector<Outcome>(4, Outcome::vacuous));
    const HeadDag no_way_out(2, {{0, 1, 1}, {0, 0, 1}});
    const auto judgements = judged("mixing-literal", HeadSystem({no_way_out}));
    EXPECT_EQ(judgements[0].outcome, Outcome::vacuous);
    EXPECT_NE(judgements[0].note.find("no out-weight"), std::string::npos);
}

TEST(MixingLiteral, VacuousForLargeAttentionInWhichNobodyAttendsToAKey) {
    // Too many bits for exact answers: p = 0 must still be known to be zero, and the bound infinite.
    constexpr int n = 24;
    std::vector<double> attention(n * n, 0.0);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            if (j != 5 || i == 5) attention[static_cast<std::size_t>(i * n + j)] = 1.0 / (i + j + 1.7);
    const HeadSystem system({HeadDag::from_dense(n, attention, HeadDag::Rows::divided_by_their_sum)});
    for (const char* id : {"mixing-literal", "mixing-every-epsilon"})
        EXPECT_EQ(outcomes(id, system), std::vector<Outcome>(4, Outcome::vacuous)) << id;
}

TEST(MixingEveryEpsilon, HoldsOnAllSmallPairsAndTheBoundIsTheFormula) {
    const auto heads = testing::all_heads(3);
    for (std::size_t a = 0; a < heads.size(); ++a)
        for (std::size_t b = a; b < heads.size(); ++b)
            for (const auto outcome : outcomes("mixing-every-epsilon", HeadSystem({heads[a], heads[b]})))
                EXPECT_NE(outcome, Outcome::fails);
    // n = 2, p = 1/2, ε = 1/4: 2(1 + ln 8)/(1/2) = 12.317766166719343…
    const auto text = judged("mixing-every-epsilon", HeadSystem({line_head(2)}))[1].right;
    EXPECT_NE(text.find(" = 13"), std::string::npos) << text;
    const MeasureOptions options;
    for (const char* side :
         {"2*(N + ln(2/eps))/p > 12.3177661667193", "2*(N + ln(2/eps))/p < 12.3177661667194"}) {
        const auto conjecture = std::make_shared<const Conjecture>(parse_conjecture(side, "test"));
        const Instance instance(conjecture, {Rational(1, 4)}, false);
        EXPECT_EQ(SystemJudge(options).judge_exactly(instance, HeadSystem({line_head(2)})).outcome,
                  Outcome::holds)
            << side;
    }
}

TEST(BinomialDomination, TheLineAttainsItExactly) {
    // On the line with p = 1/2 survivors of node 0 are the binomial tail itself: equality at every t, decided
    // exactly.
    const auto judgements = judged("binomial-domination", HeadSystem({line_head(4)}));
    ASSERT_EQ(judgements.size(), 2u);
    for (const auto& judgement : judgements) {
        EXPECT_EQ(judgement.outcome, Outcome::holds) << judgement.note;
        EXPECT_EQ(judgement.margin, 0.0);
    }
}

RC_GTEST_PROP(BinomialDomination, HoldsOnRandomSystemsAndNeverFails, ()) {
    // A near-tie too long for exact fractions may stay undecided; a failure would refute the theorem.
    for (const auto outcome : outcomes("binomial-domination", *testing::weighted_systems(5, 3)))
        RC_ASSERT(outcome == Outcome::holds || outcome == Outcome::undecided);
}

RC_GTEST_PROP(ForwardProbability, HoldsOnRandomSystems, ()) {
    const HeadSystem system = *testing::weighted_systems(5, 3);
    RC_ASSERT(outcomes("forward-probability", system).front() == Outcome::holds);
    // The same node by node, from the naive matrices.
    Rational bound = 0;
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const auto walk = naive::walk(system.single_head(h));
        Rational least = 1;
        for (std::size_t j = 0; j + 1 < walk.size(); ++j) least = std::min(least, Rational(1 - walk[j][j]));
        bound += system.walk_weights()[h] * least;
    }
    const auto walk = naive::walk(system);
    LeakComparison leaks(system);
    for (std::size_t j = 0; j + 1 < walk.size(); ++j)
        RC_ASSERT(leaks.reaches_bound(static_cast<Node>(j)) == (1 - walk[j][j] >= bound));
}

TEST(Amplification, ThePapersSecondExampleIsAWitnessAndItsHeadsAreNot) {
    EXPECT_EQ(outcomes("amplification", second_example()).front(), Outcome::holds);
    EXPECT_EQ(outcomes("amplification", HeadSystem({line_head(4), line_head(4)})).front(), Outcome::fails);
    EXPECT_EQ(outcomes("amplification", HeadSystem({line_head(4)})).front(), Outcome::vacuous);
}

TEST(MixtureSpeed, BothDirectionsAreToldApart) {
    const auto slower = judged("mixture-no-slower", second_example()),
               faster = judged("mixture-no-faster", second_example());
    // T_mix: heads 7, 9, 11, 15 and 5, 6, 8, 12; mixture 6, 7, 9, 13: between them.
    for (const auto& judgement : slower) EXPECT_EQ(judgement.outcome, Outcome::holds);
    for (const auto& judgement : faster) EXPECT_EQ(judgement.outcome, Outcome::holds);
    // The paper's first example: each head alone never mixes, the mixture does.
    const HeadSystem first({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}})});
    EXPECT_EQ(outcomes("mixture-no-faster", first), std::vector<Outcome>(4, Outcome::fails));
    EXPECT_EQ(outcomes("mixture-no-slower", first), std::vector<Outcome>(4, Outcome::holds));
}

TEST(Catalogue, VerdictsFollowFromJudgements) {
    const auto judgement = [](Outcome outcome) { return Judgement{"", outcome, "", "", "", std::nullopt}; };
    const Claim &universal = claim_named("mixing-literal"), &existential = claim_named("amplification");
    const std::vector<Judgement> mixed = {judgement(Outcome::holds), judgement(Outcome::fails),
                                          judgement(Outcome::undecided)};
    const std::vector<Judgement> open = {judgement(Outcome::holds), judgement(Outcome::undecided)};
    const std::vector<Judgement> empty = {judgement(Outcome::vacuous)};
    EXPECT_EQ(verdict_over(universal, mixed), Verdict::refuted);
    EXPECT_EQ(verdict_over(existential, mixed), Verdict::witnessed);
    EXPECT_EQ(verdict_over(universal, open), Verdict::undecided);
    EXPECT_EQ(verdict_over(universal, empty), Verdict::vacuous);
    EXPECT_EQ(verdict_over(existential, std::vector{judgement(Outcome::fails)}), Verdict::unwitnessed);
    EXPECT_THROW(claim_named("mixing"), UsageError);
}

}  // namespace
}  // namespace crosshead
