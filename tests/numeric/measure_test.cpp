// The measured quantities: published examples, closed forms, and enclosures against exact values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/exact/fidelity.hpp>
#include <crosshead/graphs/families.hpp>
#include <crosshead/numeric/certified_scan.hpp>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/numeric/measure.hpp>

#include "../exact/naive.hpp"
#include "../exact/systems.hpp"

namespace crosshead {
namespace {

using testing::uniform_head;

Rational exact(const Quantity& quantity) {
    EXPECT_TRUE(quantity.exact.has_value());
    return quantity.exact.value_or(Rational(-1));
}

std::vector<int> mixing_times(const OperatorMeasure& measure) {
    std::vector<int> times;
    for (const auto& time : measure.walk->mixing_times)
        times.push_back(time.is_exact() ? time.lower.convert_to<int>() : -1);
    return times;
}

TEST(PaperExamples, FirstExample) {
    // u→v in head 1, v→τ in head 2.
    const auto measure =
        measure_system(HeadSystem({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}})}), {});
    const auto& u = measure.mixture.fidelity[0];
    EXPECT_EQ(exact(u.value), 1);
    EXPECT_EQ(u.kind, FidelityKind::limit);
    const auto& v = measure.mixture.fidelity[1];
    EXPECT_EQ(exact(v.value), Rational(27, 64));
    EXPECT_EQ(v.attained_from, 3);
    EXPECT_EQ(exact(measure.heads[0].fidelity[0].value), 0);  // u does not reach τ in head 1
    EXPECT_TRUE(measure.heads[0].walk->mixing_times[0].never);
    EXPECT_TRUE(measure.heads[0].walk->absorption_mean.infinite);
    const auto diffusion =
        naive::diffusion(HeadSystem({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}})}));
    EXPECT_EQ(naive::product(diffusion, diffusion)[2][0], Rational(1, 16));
}

TEST(PaperExamples, SecondExample) {
    const auto measure = measure_system(HeadSystem({uniform_head(4, {{0, 1}, {1, 2}, {2, 3}}),
                                                    uniform_head(4, {{0, 2}, {1, 2}, {1, 3}, {2, 3}})}),
                                        {});
    EXPECT_EQ(exact(measure.heads[0].minimax.fidelity.value), Rational(3, 8));
    EXPECT_EQ(exact(measure.heads[1].minimax.fidelity.value), Rational(1, 4));
    EXPECT_EQ(measure.heads[1].minimax.fidelity.kind, FidelityKind::limit);
    EXPECT_EQ(exact(measure.mixture.minimax.fidelity.value), Rational(5, 12));
    EXPECT_EQ(exact(measure.mixture.fidelity[1].value), Rational(259, 576));
    EXPECT_EQ(measure.mixture.fidelity[1].attained_from, 3);
    EXPECT_EQ(exact(*measure.fidelity_gain), Rational(10, 9));
}

TEST(ClosedForms, Line) {
    const std::vector<int> half = {3, 5, 7, 10, 12, 14, 16};
    const std::vector<Rational> fidelity = {Rational(1, 2),     Rational(1, 2),    Rational(3, 8),
                                            Rational(5, 16),    Rational(35, 128), Rational(63, 256),
                                            Rational(231, 1024)};
    for (int n = 2; n <= 8; ++n) {
        const auto measure = measure_operator(HeadSystem({line_head(n)}), {});
        EXPECT_EQ(mixing_times(measure).front(), half[static_cast<std::size_t>(n - 2)]);
        EXPECT_EQ(exact(measure.minimax.fidelity.value), fidelity[static_cast<std::size_t>(n - 2)]);
        EXPECT_EQ(exact(measure.walk->absorption_worst), 2 * (n - 1));
    }
}

TEST(ClosedForms, FullCausal) {
    for (int n = 1; n <= 12; ++n)
        EXPECT_EQ(exact(measure_operator(HeadSystem({full_causal_head(n)}), {}).minimax.fidelity.value),
                  Rational(1, n));
    EXPECT_EQ(mixing_times(measure_operator(HeadSystem({full_causal_head(8)}), {})),
              (std::vector<int>{5, 6, 7, 11}));
}

TEST(Measure, OneNode) {
    const auto measure = measure_system(HeadSystem({uniform_head(1, {})}), {});
    EXPECT_EQ(mixing_times(measure.mixture), (std::vector<int>{0, 0, 0, 0}));
    EXPECT_EQ(exact(measure.mixture.minimax.fidelity.value), 1);
    EXPECT_FALSE(measure.mixture.minimax_without_sink.has_value());
    EXPECT_FALSE(measure.mixing_gain.front().has_value());  // 0 steps over 0 steps
}

TEST(Measure, WalkUndefinedDiffusionGiven) {
    const HeadDag no_way_out(3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {2, 2, 1}});
    const auto measure = measure_operator(HeadSystem({no_way_out}), {});
    EXPECT_FALSE(measure.walk.has_value());
    EXPECT_NE(measure.walk_undefined_because.find("node 1 has no out-weight"), std::string::npos);
    EXPECT_EQ(exact(measure.minimax.fidelity.value), 0);
}

TEST(Measure, TrappedStartsNeverMixUnlessEpsilonIsLargeOrTheMeanIsTaken) {
    // Node 0 goes to 1, which keeps everything; node 2 is the sink: start 2 of 3 is absorbed.
    const HeadSystem system({uniform_head(3, {{0, 1}})});
    MeasureOptions options;
    options.epsilons = {2, Rational(5, 2)};
    auto times = measure_operator(system, options).walk->mixing_times;
    EXPECT_TRUE(times[0].never);
    EXPECT_EQ(times[1].lower, 0);
    options.convention.strict = false;
    EXPECT_EQ(measure_operator(system, options).walk->mixing_times[0].lower, 0);
    options.convention = {Norm::l1, true, Start::mean};
    options.epsilons = {Rational(4, 3), Rational(3, 2), 1};
    times = measure_operator(system, options).walk->mixing_times;
    EXPECT_EQ(*times[1].upper, 0);  // the mean distance is 4/3 for ever
    EXPECT_TRUE(times[2].never);
}

TEST(Measure, TiesWithTheTrappedShareAreDecidedExactlyAndGainsSayUndefined) {
    // One of four starts is trapped in each head and in the mixture: the mean distance tends to 1/2.
    const HeadSystem system({uniform_head(4, {{0, 1}, {1, 3}}), uniform_head(4, {{0, 3}, {1, 2}})});
    MeasureOptions options;
    options.convention.start = Start::mean;
    options.epsilons = {Rational(1, 2)};
    const auto measure = measure_system(system, options);
    EXPECT_TRUE(measure.mixture.walk->mixing_times[0].never);
    EXPECT_FALSE(measure.mixing_gain[0].has_value());
}

TEST(Measure, TheWorstStartIsDecidedExactly) {
    // Start 0 takes 2 steps exactly, start 1 a hair less or more: doubles cannot tell, fractions can.
    const HeadSystem system(
        {HeadDag(3, {{0, 0, 1},
                     {0, 2, 1},
                     {1, 1, 1},
                     {1, 2, Rational(Integer("99999999999999999999"), Integer("100000000000000000000"))},
                     {2, 2, 1}})});
    const auto measure = measure_operator(system, {});
    EXPECT_EQ(measure.walk->worst_start, 1);
    EXPECT_EQ(exact(measure.walk->absorption_worst),
              Rational(Integer("199999999999999999999"), Integer("99999999999999999999")));
}

TEST(Measure, ValuesBelowTheRangeOfDoubleKeepTheirStep) {
    // Node 1 is fed by 10^-200 from the sink and loses all but 10^-3000 of it: the scan sees zeros only.
    const auto power = [](unsigned exponent) {
        Integer ten = 1;
        for (unsigned k = 0; k < exponent; ++k) ten *= 10;
        return Rational(1, ten);
    };
    const HeadSystem system(
        {HeadDag(3, {{0, 0, 1}, {1, 1, 1}, {2, 2, power(200)}, {0, 1, power(3000)}, {1, 2, 1}})});
    const auto fidelity = measure_operator(system, {}).fidelity[1];
    const auto naive = naive::fidelity(naive::diffusion(system), 20)[1];
    EXPECT_TRUE(fidelity.value.enclosure.contains(naive.value));
    EXPECT_TRUE(fidelity.attained_from <= naive.at &&
                (!fidelity.attained_to || *fidelity.attained_to >= naive.at));
}

TEST(Measure, ASinkWithoutSelfLoopKeepsNothing) {
    const HeadSystem system({HeadDag(2, {{0, 0, 1}, {0, 1, 1}})});
    EXPECT_EQ(exact(measure_operator(system, {}).fidelity[1].value), 0);
}

/// Whatever the method, the answer must hold the naive value. Both measure_operator with exact integers and
/// without are asked.
void expect_holds_naive(const HeadSystem& system) {
    constexpr std::size_t most = 60;
    const auto walk = naive::walk(system), diffusion = naive::diffusion(system);
    const auto best = naive::fidelity(diffusion, most);
    const auto absorption = naive::absorption(walk);
    MeasureOptions options, floating;
    floating.exact_budget = 0;
    for (const auto& one : {options, floating}) {
        const auto measure = measure_operator(system, one);
        for (std::size_t k = 0; k < one.epsilons.size(); ++k) {
            const auto expected = naive::mixing_time(walk, walk.size() - 1, one.epsilons[k], most);
            if (!expected) continue;
            const auto& time = measure.walk->mixing_times[k];
            ASSERT_TRUE(time.upper && time.lower <= *expected && *time.upper >= *expected);
        }
        for (std::size_t j = 0; j < best.size(); ++j) {
            const auto& fidelity = measure.fidelity[j];
            if (fidelity.kind == FidelityKind::attained && fidelity.attained_to &&
                *fidelity.attained_to < most) {
                ASSERT_TRUE(fidelity.value.enclosure.contains(best[j].value));
                ASSERT_TRUE(fidelity.attained_from <= best[j].at && *fidelity.attained_to >= best[j].at);
            }
        }
        Rational worst = 0;
        for (const auto& time : *absorption) worst = std::max(worst, time);
        ASSERT_TRUE(measure.walk->absorption_worst.enclosure.contains(worst));
    }
}

RC_GTEST_PROP(Measure, RandomWeightedSystemsHoldTheNaiveValues, ()) {
    expect_holds_naive(*testing::weighted_systems(6, 3));
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

RC_GTEST_PROP(CertifiedScan, SurvivorsStayWithinTheirBound, ()) {
    const HeadSystem system = *testing::weighted_systems(8, 3);
    const auto exact_walk = walk_matrix(system);
    const auto matrix = double_matrix(float_matrix(system, Operator::walk, entry_bits));
    RowPropagation<Rational> truth(exact_walk, initial_survivors<Rational>(system.nodes(), system.sink()));
    RowPropagation<double> computed(matrix, initial_survivors<double>(system.nodes(), system.sink()));
    for (int t = 1; t <= 12; ++t) {
        truth.step();
        computed.step();
        const auto error = PropagationError::after(system.nodes(), t);
        for (std::size_t j = 0; j < truth.row().size(); ++j)
            RC_ASSERT(error.around(computed.row()[j]).contains(truth.row()[j]));
    }
}

TEST(Measure, AttentionEntriesThatUnderflowStayEnclosed) {
    // Weights of 2^-1070: products underflow at once; the answer is still an enclosure of the exact one.
    const double tiny = 0x1p-1070;
    const std::vector<double> attention = {1, 0, 0, tiny, 1, 0, tiny, tiny, 1};
    const HeadSystem system({HeadDag::from_dense(3, attention, HeadDag::Rows::divided_by_their_sum)});
    MeasureOptions options;
    options.exact_budget = 0;
    const auto measure = measure_operator(system, options);
    const Rational w = rational_from_dyadic(tiny);
    // p = min leak; node 1 leaks w/(1+2w) against its own share 1/(1+w).
    const Rational leak = (w / (1 + 2 * w)) / (w / (1 + 2 * w) + 1 / (1 + w));
    EXPECT_TRUE(measure.walk->forward_probability.enclosure.contains(leak));
    // Node 0's only in-edge is its self-loop: everything trickles there in the end.
    EXPECT_EQ(measure.fidelity[0].kind, FidelityKind::limit);
    EXPECT_TRUE(measure.fidelity[0].value.enclosure.contains(1));
    EXPECT_LE(measure.fidelity[1].value.enclosure.lower(), measure.fidelity[1].value.enclosure.upper());
}

}  // namespace
}  // namespace crosshead
