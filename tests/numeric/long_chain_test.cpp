// Chains of 10^12 to 10^45 steps against closed forms, evaluated by other means.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <crosshead/numeric/measure.hpp>

namespace crosshead {
namespace {

/// ⌊ln(ε/2)/ln(1 − p)⌋ + 1 for p = 2^−k: T_mix of two nodes with leak p, since d(t) = 2(1 − p)^t. 4,000 bits.
Integer two_node_mixing_time(unsigned k, const Rational& epsilon) {
    mpfr_t numerator, denominator;
    mpfr_inits2(4000, numerator, denominator, nullptr);
    mpfr_set_q(numerator, Rational(epsilon / 2).backend().data(), MPFR_RNDN);
    mpfr_log(numerator, numerator, MPFR_RNDN);
    mpfr_set_ui_2exp(denominator, 1, -static_cast<mpfr_exp_t>(k), MPFR_RNDN);
    mpfr_neg(denominator, denominator, MPFR_RNDN);
    mpfr_log1p(denominator, denominator, MPFR_RNDN);
    mpfr_div(numerator, numerator, denominator, MPFR_RNDN);
    Integer steps;
    mpfr_get_z(steps.backend().data(), numerator, MPFR_RNDD);
    mpfr_clears(numerator, denominator, nullptr);
    return steps + 1;
}

HeadSystem two_nodes(unsigned k) {
    const Rational p = Rational(1, Integer(1) << k);
    return HeadSystem({HeadDag(2, {{0, 0, 1 - p}, {0, 1, p}, {1, 1, 1}})});
}

TEST(LongChain, TwoNodesMixAtTheExactStep) {
    for (const unsigned k : {20u, 40u, 60u, 100u, 150u}) {
        const auto measure = measure_operator(two_nodes(k), {});
        const MeasureOptions options;
        for (std::size_t e = 0; e < options.epsilons.size(); ++e) {
            const auto& time = measure.walk->mixing_times[e];
            ASSERT_TRUE(time.is_exact()) << k;
            EXPECT_EQ(time.lower, two_node_mixing_time(k, options.epsilons[e])) << k;
        }
    }
}

TEST(LongChain, BeyondTheRangeOfDoubleIsABoundFromBelow) {
    const auto within = measure_operator(two_nodes(900), {}).walk->mixing_times[0];
    EXPECT_TRUE(within.is_exact());
    EXPECT_EQ(within.lower, two_node_mixing_time(900, Rational(1, 2)));
    const auto beyond = measure_operator(two_nodes(9000), {}).walk->mixing_times[0];
    EXPECT_FALSE(beyond.upper.has_value());
    EXPECT_GT(beyond.lower, 1000);
}

/// τ → 1 → 0 with rates a and b: x_t[1] = a((1−b)^t − (1−a)^t)/(a − b). Largest near t* = ln(ln(1−a)/ln(1−b))
/// / ln((1−b)/(1−a)); searched here over the integers around it in 400 bits.
struct Peak {
    double value;
    Integer at;
};
Peak two_rate_peak(unsigned a_bits, unsigned b_bits) {
    constexpr mpfr_prec_t bits = 400;
    mpfr_t a, b, la, lb, t, x, y;
    mpfr_inits2(bits, a, b, la, lb, t, x, y, nullptr);
    mpfr_set_ui_2exp(a, 1, -static_cast<mpfr_exp_t>(a_bits), MPFR_RNDN);
    mpfr_set_ui_2exp(b, 1, -static_cast<mpfr_exp_t>(b_bits), MPFR_RNDN);
    mpfr_neg(x, a, MPFR_RNDN);
    mpfr_log1p(la, x, MPFR_RNDN);
    mpfr_neg(x, b, MPFR_RNDN);
    mpfr_log1p(lb, x, MPFR_RNDN);
    mpfr_div(x, la, lb, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_sub(y, lb, la, MPFR_RNDN);
    mpfr_div(t, x, y, MPFR_RNDN);
    Peak peak{0, 0};
    Integer around;
    mpfr_get_z(around.backend().data(), t, MPFR_RNDN);
    const auto value_at = [&](const Integer& step) {
        mpfr_mul_z(x, lb, step.backend().data(), MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_mul_z(y, la, step.backend().data(), MPFR_RNDN);
        mpfr_exp(y, y, MPFR_RNDN);
        mpfr_sub(x, x, y, MPFR_RNDN);
        mpfr_mul(x, x, a, MPFR_RNDN);
        mpfr_sub(y, a, b, MPFR_RNDN);
        mpfr_div(x, x, y, MPFR_RNDN);
    };
    mpfr_t best;
    mpfr_init2(best, bits);
    mpfr_set_zero(best, 1);
    for (int offset = -3; offset <= 3; ++offset) {
        value_at(around + offset);
        if (mpfr_cmp(x, best) > 0) {
            mpfr_set(best, x, MPFR_RNDN);
            peak = {mpfr_get_d(best, MPFR_RNDN), around + offset};
        }
    }
    mpfr_clears(a, b, la, lb, t, x, y, best, nullptr);
    return peak;
}

TEST(LongChain, FidelityOfASlowRelayIsEnclosedTightly) {
    for (const auto& [a_bits, b_bits] : {std::pair(30u, 33u), {36u, 31u}, {50u, 52u}, {80u, 60u}}) {
        const Rational a(1, Integer(1) << a_bits), b(1, Integer(1) << b_bits);
        const HeadSystem system(
            {HeadDag(3, {{0, 0, 1}, {0, 1, b}, {1, 1, 1 - b}, {1, 2, a}, {2, 2, 1 - a}})});
        const auto measure = measure_operator(system, {});
        const auto& fidelity = measure.fidelity[1];
        const Peak peak = two_rate_peak(a_bits, b_bits);
        ASSERT_TRUE(fidelity.attained_to.has_value());
        EXPECT_LE(fidelity.value.enclosure.lower(), peak.value * (1 + 1e-15));
        EXPECT_GE(fidelity.value.enclosure.upper(), peak.value * (1 - 1e-15));
        EXPECT_LT(fidelity.value.enclosure.upper() / fidelity.value.enclosure.lower() - 1, 1e-9);
        EXPECT_LE(fidelity.attained_from, peak.at);
        EXPECT_GE(*fidelity.attained_to, peak.at);
    }
}

TEST(LongChain, SlowRelaysWithSeveralSourcesAreRefinedToo) {
    const Rational slow(1, 1'000'000'000);
    const HeadSystem system(
        {HeadDag(4, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {0, 2, slow}, {1, 2, slow}, {2, 3, slow}})});
    const auto fidelity = measure_operator(system, {}).fidelity[2];
    ASSERT_TRUE(fidelity.attained_to.has_value());
    // Rates a = slow/(1+slow) into node 2 and b = 2·slow/(1+2·slow) out of it: (a/b)^(b/(b−a)) → 1/4 as slow
    // → 0.
    EXPECT_NEAR(fidelity.value.approximation(), 0.25, 1e-8);
    EXPECT_LT(fidelity.value.enclosure.upper() / fidelity.value.enclosure.lower() - 1, 1e-9);
}

TEST(LongChain, SquaringAgreesWithTheScan) {
    // A chain that the scan can finish, once scanned and once squared (no budget for the scan).
    const Rational p(1, 1000);
    const HeadSystem system({HeadDag(4, {{0, 0, 1 - p},
                                         {0, 1, p},
                                         {1, 1, 1 - 2 * p},
                                         {1, 2, p},
                                         {1, 3, p},
                                         {2, 2, 1 - p},
                                         {2, 3, p},
                                         {3, 3, 1}})});
    MeasureOptions scan, squared;
    scan.exact_budget = squared.exact_budget = 0;
    squared.scan_budget = 1;
    for (const Start start : {Start::worst, Start::mean}) {
        scan.convention.start = squared.convention.start = start;
        const auto one = measure_operator(system, scan), two = measure_operator(system, squared);
        for (std::size_t k = 0; k < scan.epsilons.size(); ++k) {
            EXPECT_TRUE(one.walk->mixing_times[k].is_exact() && two.walk->mixing_times[k].is_exact());
            EXPECT_EQ(one.walk->mixing_times[k].lower, two.walk->mixing_times[k].lower);
            EXPECT_EQ(one.reverse_mixing_times[k].lower, two.reverse_mixing_times[k].lower);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            const auto &a = one.fidelity[j].value.enclosure, &b = two.fidelity[j].value.enclosure;
            EXPECT_LE(a.lower(), b.upper());
            EXPECT_LE(b.lower(), a.upper());
            EXPECT_LT(b.upper() - b.lower(), 1e-10 * b.upper());
        }
    }
}

}  // namespace
}  // namespace crosshead
