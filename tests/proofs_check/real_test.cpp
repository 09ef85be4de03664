// The two arithmetics of the evaluator: what is exact stays exact, enclosures hold the truth, and a
// comparison that is decided is decided rightly.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <crosshead/proofs_check/conjecture/fast_arithmetic.hpp>

namespace crosshead {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Small and large, of either sign, now and then an integer or 0; always a double, so that it can be an end.
rc::Gen<double> doubles() {
    return rc::gen::apply(
        [](int mantissa, int exponent, int kind) {
            if (kind == 0) return static_cast<double>(mantissa % 5);
            if (kind == 1) return static_cast<double>(mantissa);
            return std::ldexp(static_cast<double>(mantissa), exponent);
        },
        rc::gen::inRange(-100'000, 100'000), rc::gen::inRange(-60, 60), rc::gen::inRange(0, 4));
}

/// Two ends and a rational between them: the truth.
struct Enclosed {
    double lower = 0, upper = 0;
    Rational truth;
};
rc::Gen<Enclosed> enclosed() {
    return rc::gen::apply(
        [](double a, double b, int kind, int place) {
            if (kind == 0) b = a;
            if (kind == 1) b = a + std::abs(a) * 0x1p-40;
            const double lower = std::min(a, b), upper = std::max(a, b);
            const Rational low = rational_from_dyadic(lower), high = rational_from_dyadic(upper);
            return Enclosed{lower, upper, low + (high - low) * Rational(place, 7)};
        },
        doubles(), doubles(), rc::gen::inRange(0, 3), rc::gen::inRange(0, 8));
}

struct Reals {
    RealArithmetic arithmetic{53};
    Real number(const Enclosed& x) const {
        return Real(Interval(rational_from_dyadic(x.lower), rational_from_dyadic(x.upper), 53));
    }
    static bool is_unknown(const Real& a) {
        return a.interval() && std::isinf(a.interval()->lower()) && std::isinf(a.interval()->upper());
    }
    static bool holds(const Real& a, const Rational& x) {
        if (a.exact()) return *a.exact() == x;
        if (!a.interval()) return false;
        return mpfr_cmp_q(&a.interval()->get()->left, x.backend().data()) <= 0 &&
               mpfr_cmp_q(&a.interval()->get()->right, x.backend().data()) >= 0;
    }
    static double width(const Real& a) {
        return a.interval() ? a.interval()->upper() - a.interval()->lower() : 0;
    }
};

struct Fasts {
    FastArithmetic arithmetic;
    FastNumber number(const Enclosed& x) const { return {x.lower, x.upper, nullptr}; }
    static bool is_unknown(const FastNumber& a) { return a.lower == -infinite && a.upper == infinite; }
    static bool holds(const FastNumber& a, const Rational& x) {
        return a.undefined == nullptr && (std::isinf(a.lower) || rational_from_dyadic(a.lower) <= x) &&
               (std::isinf(a.upper) || rational_from_dyadic(a.upper) >= x);
    }
    static double width(const FastNumber& a) { return a.upper - a.lower; }
};

Rational floor_of(const Rational& x) {
    Integer whole = numerator(x) / denominator(x);  // towards 0
    if (x < 0 && whole * denominator(x) != numerator(x)) --whole;
    return whole;
}

template <class Kind>
class Arithmetic : public ::testing::Test {};
using Kinds = ::testing::Types<Reals, Fasts>;
TYPED_TEST_SUITE(Arithmetic, Kinds);

TYPED_TEST(Arithmetic, EnclosuresHoldTheTruth) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    EXPECT_TRUE(rc::check([&] {
        const Enclosed x = *enclosed(), y = *enclosed();
        const auto p = kind.number(x), q = kind.number(y);
        RC_ASSERT(kind.holds(a.negate(p), Rational(-x.truth)));
        RC_ASSERT(kind.holds(a.add(p, q), x.truth + y.truth));
        RC_ASSERT(kind.holds(a.multiply(p, q), x.truth * y.truth));
        RC_ASSERT(kind.holds(a.smaller(p, q), std::min(x.truth, y.truth)));
        RC_ASSERT(kind.holds(a.larger(p, q), std::max(x.truth, y.truth)));
        RC_ASSERT(kind.holds(a.absolute(p), Rational(abs(x.truth))));
        RC_ASSERT(kind.holds(a.floor(p), floor_of(x.truth)));
        RC_ASSERT(kind.holds(a.ceiling(p), Rational(-floor_of(-x.truth))));
        if (y.lower > 0 || y.upper < 0)
            RC_ASSERT(kind.holds(a.divide(p, q), x.truth / y.truth));
        else if (y.lower < y.upper)
            RC_ASSERT(kind.is_unknown(a.divide(p, q)));
        else
            RC_ASSERT(a.is_undefined(a.divide(p, q)) || kind.is_unknown(a.divide(p, q)));
    }));
}

TYPED_TEST(Arithmetic, WhatIsDecidedIsDecidedRightlyAndClearCasesAreDecided) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    const auto agrees = [](Decision decision, bool truth) {
        return decision == Decision::undecided || decision == (truth ? Decision::yes : Decision::no);
    };
    EXPECT_TRUE(rc::check([&] {
        const Enclosed x = *enclosed(), y = *rc::gen::oneOf(enclosed(), rc::gen::just(x));
        const auto p = kind.number(x), q = kind.number(y);
        RC_ASSERT(agrees(a.less(p, q), x.truth < y.truth));
        RC_ASSERT(agrees(a.less_equal(p, q), x.truth <= y.truth));
        RC_ASSERT(agrees(a.equal(p, q), x.truth == y.truth));
        if (x.upper < y.lower) {
            RC_ASSERT(a.less(p, q) == Decision::yes && a.less(q, p) == Decision::no);
            RC_ASSERT(a.less_equal(p, q) == Decision::yes && a.less_equal(q, p) == Decision::no);
            RC_ASSERT(a.equal(p, q) == Decision::no);
        }
        const bool overlap = x.lower < y.upper && y.lower < x.upper && x.lower < x.upper;
        if (overlap) RC_ASSERT(a.less(p, q) == Decision::undecided && a.equal(p, q) == Decision::undecided);
    }));
}

TYPED_TEST(Arithmetic, PointsThatAreExactInDoublesStayPoints) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    EXPECT_TRUE(rc::check([&] {
        const auto dyadic = [] { return *rc::gen::inRange(-1000, 1000) / 64.0; };
        const double x = dyadic(), y = dyadic();
        const auto p = kind.number({x, x, 0}), q = kind.number({y, y, 0});
        RC_ASSERT(a.equal(a.add(p, q), kind.number({x + y, x + y, 0})) == Decision::yes);
        RC_ASSERT(a.equal(a.multiply(p, q), kind.number({x * y, x * y, 0})) == Decision::yes);
        RC_ASSERT(a.equal(a.floor(p), kind.number({std::floor(x), std::floor(x), 0})) == Decision::yes);
        RC_ASSERT(a.integer(a.constant(rational_from_dyadic(x))).has_value() == (x == std::floor(x)));
    }));
}

TYPED_TEST(Arithmetic, ResultsAreTight) {
    // Otherwise "unknown" would pass everything above.
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    const auto third = a.divide(a.integer_constant(1), kind.number({3, 3, 3}));
    EXPECT_LT(kind.width(third), 1e-15);
    EXPECT_GT(kind.width(third), 0);
    EXPECT_LT(kind.width(a.multiply(third, third)), 1e-15);
    EXPECT_LT(kind.width(a.add(third, a.negate(third))), 1e-15);
    EXPECT_LT(kind.width(a.multiply(third, kind.number({-3, -3, -3}))), 1e-14);
    EXPECT_LT(kind.width(a.logarithm(kind.number({2, 2, 2}))), 1e-14);
    EXPECT_LT(kind.width(a.exponential(kind.number({2, 2, 2}))), 1e-14);
    EXPECT_LT(kind.width(a.square_root(kind.number({2, 2, 2}))), 1e-14);
}

TYPED_TEST(Arithmetic, RoundingAStraddlingNumberLeavesBothIntegersOpen) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    const auto around_three = kind.number({2.875, 3.125, 3});
    const auto up = a.ceiling(around_three), down = a.floor(around_three);
    EXPECT_EQ(a.less_equal(up, a.integer_constant(3)), Decision::undecided);
    EXPECT_EQ(a.less_equal(up, a.integer_constant(4)), Decision::yes);
    EXPECT_EQ(a.less_equal(up, a.integer_constant(2)), Decision::no);
    EXPECT_EQ(a.less_equal(down, a.integer_constant(2)), Decision::undecided);
    EXPECT_EQ(a.less(down, a.integer_constant(2)), Decision::no);
    EXPECT_EQ(a.less_equal(down, a.integer_constant(3)), Decision::yes);
    EXPECT_FALSE(a.integer(up));
    const auto below_three = kind.number({2.125, 2.875, 2.5});
    EXPECT_EQ(a.integer(a.ceiling(below_three)), 3);
    EXPECT_EQ(a.integer(a.floor(below_three)), 2);
    EXPECT_EQ(a.integer(a.floor(a.negate(below_three))), -3);
}

TYPED_TEST(Arithmetic, FunctionsOfStraddlingArgumentsAreUnknownNeverDecided) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    const auto straddling = kind.number({-0.5, 1, 0.5});
    for (const auto& value :
         {a.logarithm(straddling), a.square_root(straddling), a.divide(a.integer_constant(1), straddling)}) {
        EXPECT_FALSE(a.is_undefined(value));
        for (const int bound : {-1000, 0, 1000}) {
            EXPECT_EQ(a.less(value, a.integer_constant(bound)), Decision::undecided);
            EXPECT_EQ(a.equal(value, a.integer_constant(bound)), Decision::undecided);
        }
    }
    EXPECT_TRUE(a.is_undefined(a.logarithm(kind.number({-2, 0, -1}))));
    EXPECT_TRUE(a.is_undefined(a.square_root(kind.number({-2, -1, -1}))));
    EXPECT_FALSE(a.is_undefined(a.square_root(kind.number({0, 1, 0}))));
    EXPECT_FALSE(a.is_undefined(a.logarithm(kind.number({0, 1, 1}))));
}

TYPED_TEST(Arithmetic, ExactCasesOfFunctions) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    const auto is = [&](const auto& value, const Rational& expected) {
        return a.equal(value, a.constant(expected)) == Decision::yes;
    };
    EXPECT_TRUE(is(a.logarithm(a.integer_constant(1)), 0));
    EXPECT_TRUE(is(a.exponential(a.integer_constant(0)), 1));
    EXPECT_TRUE(is(a.square_root(a.constant(Rational(9, 4))), Rational(3, 2)));
    EXPECT_TRUE(is(a.square_root(a.integer_constant(0)), 0));
    EXPECT_EQ(a.equal(a.square_root(a.integer_constant(2)), a.constant(Rational(3, 2))), Decision::no);
}

TYPED_TEST(Arithmetic, LogarithmAndExponentialEncloseKnownDigitsAndInvertEachOther) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    const Rational digits = parse_rational("1e-15", "");
    const auto near = [&](const auto& value, const char* decimals) {
        const Rational x = parse_rational(decimals, "");
        return a.less(a.constant(x - digits), value) == Decision::yes &&
               a.less(value, a.constant(x + digits)) == Decision::yes;
    };
    EXPECT_TRUE(near(a.logarithm(a.integer_constant(2)), "0.693147180559945309417232"));
    EXPECT_TRUE(near(a.logarithm(a.constant(Rational(1, 2))), "-0.693147180559945309417232"));
    EXPECT_TRUE(near(a.exponential(a.integer_constant(-1)), "0.367879441171442321595523"));
    EXPECT_TRUE(near(a.square_root(a.constant(Rational(1, 2))), "0.707106781186547524400844"));
    EXPECT_TRUE(rc::check([&] {
        const double value = *rc::gen::inRange(1, 2000) / 128.0;
        const auto x = kind.number({value, value, 0});
        const Rational exact = rational_from_dyadic(value);
        RC_ASSERT(kind.holds(a.exponential(a.logarithm(x)), exact) || value == 1);
        RC_ASSERT(kind.holds(a.logarithm(a.exponential(x)), exact));
        const auto root = a.square_root(x);
        RC_ASSERT(a.less(a.multiply(root, root), a.constant(exact)) != Decision::yes);
        RC_ASSERT(a.less(a.constant(exact), a.multiply(root, root)) != Decision::yes);
    }));
}

TYPED_TEST(Arithmetic, Infinities) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    using Number = typename std::decay_t<decltype(a)>::Number;
    const auto infinity = [&](int sign) {
        if constexpr (std::is_same_v<Number, Real>)
            return Real::infinity(sign > 0);
        else
            return FastNumber::point(sign > 0 ? infinite : -infinite);
    };
    const auto plus = infinity(1), minus = infinity(-1), two = a.integer_constant(2),
               zero = a.integer_constant(0), straddling = kind.number({-1, 1, 0});
    const auto same = [&](const auto& x, const auto& y) { return a.equal(x, y) == Decision::yes; };
    EXPECT_EQ(a.less(two, plus), Decision::yes);
    EXPECT_EQ(a.less(plus, two), Decision::no);
    EXPECT_EQ(a.less(minus, two), Decision::yes);
    EXPECT_EQ(a.less_equal(plus, plus), Decision::yes);
    EXPECT_EQ(a.less(plus, plus), Decision::no);
    EXPECT_TRUE(same(a.negate(plus), minus));
    EXPECT_TRUE(same(a.add(plus, two), plus));
    EXPECT_TRUE(a.is_undefined(a.add(plus, minus)));
    EXPECT_TRUE(same(a.multiply(plus, a.negate(two)), minus));
    EXPECT_TRUE(a.is_undefined(a.multiply(plus, zero)));
    EXPECT_TRUE(kind.is_unknown(a.multiply(plus, straddling)));
    EXPECT_TRUE(same(a.divide(two, plus), zero));
    EXPECT_TRUE(same(a.divide(minus, two), minus));
    EXPECT_TRUE(a.is_undefined(a.divide(plus, plus)));
    EXPECT_TRUE(a.is_undefined(a.divide(plus, zero)));
    EXPECT_TRUE(same(a.larger(plus, two), plus));
    EXPECT_TRUE(same(a.smaller(plus, two), two));
    EXPECT_TRUE(same(a.absolute(minus), plus));
    EXPECT_TRUE(same(a.ceiling(plus), plus));
    EXPECT_TRUE(same(a.logarithm(plus), plus));
    EXPECT_TRUE(a.is_undefined(a.logarithm(minus)));
    EXPECT_TRUE(same(a.exponential(minus), zero));
    EXPECT_TRUE(same(a.square_root(plus), plus));
    EXPECT_TRUE(a.is_undefined(a.square_root(minus)));
    EXPECT_FALSE(a.integer(plus));
}

TYPED_TEST(Arithmetic, TheFirstUndefinedOperandIsKeptAndDecidesNothing) {
    const TypeParam kind;
    const auto& a = kind.arithmetic;
    const auto first = a.undefined("first"), second = a.undefined("second"), two = a.integer_constant(2);
    const auto why = [](const auto& value) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Real>)
            return value.undefined_because() ? *value.undefined_because() : "";
        else
            return value.undefined != nullptr ? value.undefined : "";
    };
    for (const auto& value :
         {a.add(first, second), a.multiply(two, first), a.divide(first, two), a.smaller(first, second),
          a.larger(two, first), a.negate(first), a.ceiling(first), a.absolute(first), a.add(first, two)})
        EXPECT_EQ(why(value), "first");
    for (const auto& value : {a.logarithm(first), a.exponential(first), a.square_root(first)})
        EXPECT_TRUE(a.is_undefined(value));
    for (const auto decision : {a.less(first, two), a.less_equal(two, first), a.equal(first, first)})
        EXPECT_EQ(decision, Decision::undecided);
    EXPECT_TRUE(a.is_undefined(a.divide(two, a.integer_constant(0))));
    // Too large to be worth computing: it has a value, and nothing is said of it.
    const auto beyond = a.exponential(a.integer_constant(1'000'001));
    EXPECT_FALSE(a.is_undefined(beyond));
    EXPECT_EQ(a.less(beyond, two), Decision::undecided);
    EXPECT_EQ(a.less(two, a.exponential(a.integer_constant(1'000'000))), Decision::yes);
}

RC_GTEST_PROP(Real, RationalsStayRational, (int a, int b)) {
    const RealArithmetic r(64);
    const Rational x(a, *rc::gen::inRange(1, 1000)), y(b, *rc::gen::inRange(1, 1000));
    const auto is = [](const Real& value, const Rational& expected) {
        return value.exact() && *value.exact() == expected;
    };
    RC_ASSERT(is(r.add(x, y), x + y) && is(r.multiply(x, y), x * y) && is(r.negate(x), Rational(-x)));
    if (y == 0)
        RC_ASSERT(r.divide(x, y).undefined_because() != nullptr);
    else
        RC_ASSERT(is(r.divide(x, y), x / y));
    RC_ASSERT(is(r.smaller(x, y), std::min(x, y)) && is(r.larger(x, y), std::max(x, y)));
    RC_ASSERT(is(r.floor(x), floor_of(x)) && is(r.ceiling(x), Rational(-floor_of(-x))));
    RC_ASSERT(is(r.absolute(x), Rational(abs(x))) && is(r.square_root(Rational(x * x)), Rational(abs(x))));
    RC_ASSERT(r.less(x, y) == (x < y ? Decision::yes : Decision::no));
    RC_ASSERT(r.equal(x, y) == (x == y ? Decision::yes : Decision::no));
    RC_ASSERT(r.integer(x).has_value() == (denominator(x) == Integer(1)));
}

TEST(Real, ComesFromQuantitiesAndMixingTimes) {
    EXPECT_EQ(*Real::of(Quantity::of(Rational(1, 3)), 64).exact(), Rational(1, 3));
    EXPECT_NE(Real::of(Quantity::infinity(), 64).infinite(), nullptr);
    const Real wide = Real::of(Quantity::within(Enclosure(0.25, 0.5)), 64);
    EXPECT_TRUE(Reals::holds(wide, Rational(1, 4)) && Reals::holds(wide, Rational(1, 2)));
    EXPECT_FALSE(Reals::holds(wide, Rational(51, 100)));
    EXPECT_EQ(*Real::of(MixingTime::exactly(7), 64).exact(), 7);
    EXPECT_NE(Real::of(MixingTime::no_step(), 64).infinite(), nullptr);
    // "at least 36" decides what lies below 36 and nothing above.
    const RealArithmetic r(64);
    const Real open = Real::of(MixingTime{false, 36, std::nullopt}, 64);
    EXPECT_EQ(r.less(Rational(35), open), Decision::yes);
    EXPECT_EQ(r.less(open, Rational(1'000'000)), Decision::undecided);
    EXPECT_EQ(r.less_equal(open, Real::infinity()), Decision::yes);
}

TEST(FastNumber, OverflowAndUnderflowAreWidenedNotRounded) {
    const FastArithmetic a;
    const auto large = a.constant(parse_rational("1e300", "")),
               small = a.constant(parse_rational("1e-300", ""));
    EXPECT_EQ(a.less(a.multiply(large, large), a.integer_constant(1)), Decision::no);
    EXPECT_TRUE(Fasts::holds(a.divide(small, large), parse_rational("1e-600", "")));
    EXPECT_TRUE(Fasts::holds(a.multiply(large, small), 1));
    EXPECT_EQ(a.less(a.exponential(a.integer_constant(800)), a.integer_constant(0)), Decision::no);
    EXPECT_EQ(a.less(a.exponential(a.integer_constant(-800)), a.integer_constant(1)), Decision::yes);
    EXPECT_NE(a.less_equal(a.exponential(a.integer_constant(-800)), a.integer_constant(0)), Decision::yes);
}

// Neither may be called exact.
TEST(FastNumber, UnderflowIsNotExact) {
    const FastArithmetic a;
    const auto small = FastNumber::point(1e-300), tiny = FastNumber::point(1e-310),
               divisor = FastNumber::point(3e-200);
    const auto exact = [](double x) { return rational_from_dyadic(x); };
    EXPECT_TRUE(Fasts::holds(a.multiply(small, small), exact(1e-300) * exact(1e-300)));
    EXPECT_TRUE(Fasts::holds(a.divide(tiny, divisor), exact(1e-310) / exact(3e-200)));
}

// Neither is the smaller for certain.
TEST(Real, TheSmallerOfInfinityAndWhatMayBeAnything) {
    const RealArithmetic r(64);
    const Real open = Real::of(MixingTime{false, 36, std::nullopt}, 64);
    EXPECT_EQ(r.less(Rational(35), r.smaller(Real::infinity(), open)), Decision::yes);
    EXPECT_EQ(r.less(Rational(35), r.larger(open, Real::infinity())), Decision::yes);
}

}  // namespace
}  // namespace crosshead
