#include <cmath>
#include <crosshead/graphs/rational.hpp>
#include <limits>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

std::string refusal_of(const std::string& text) {
    return refusal([&] { parse_rational(text, "here"); });
}

TEST(Rational, DecimalsAreExact) {
    EXPECT_EQ(parse_rational("0.06", "here"), Rational(3, 50));
    EXPECT_EQ(parse_rational("0.06", "here") + parse_rational("0.94", "here"), 1);
    EXPECT_EQ(parse_rational("1.5e-3", "here"), Rational(3, 2000));
    EXPECT_EQ(parse_rational("2E+2", "here"), 200);
    EXPECT_EQ(parse_rational("-0.5", "here"), Rational(-1, 2));
    EXPECT_EQ(parse_rational("1e-10000", "here") * parse_rational("1e10000", "here"), 1);
}

TEST(Rational, FractionsComeInLowestTerms) {
    EXPECT_EQ(to_string(parse_rational("6/32", "here")), "3/16");
    EXPECT_EQ(to_string(parse_rational("-6/3", "here")), "-2");
    EXPECT_EQ(to_string(parse_rational("0/7", "here")), "0");
    EXPECT_EQ(to_string(parse_rational("007", "here")), "7");
}

TEST(Rational, EverythingElseIsRefusedWithPlaceAndRemedy) {
    for (const char* text :
         {"",     "-",   "1/0", "1/-2", "1.5/2", "1/2/3", "+1",  " 1",      "1 ",       "1.", ".5",
          "0x10", "nan", "inf", "1e",   "1e1.5", "1,5",   "--1", "1e99999", "1e-10001", "½"})
        EXPECT_TRUE(says(refusal_of(text), {"here: ", "is not a number", "3/16"})) << text;
    EXPECT_TRUE(says(refusal_of("1/0"), {"denominator is zero"}));
    EXPECT_TRUE(says(refusal_of(std::string(max_rational_text + 1, '1')), {"longer than", "…"}));
}

TEST(Rational, DyadicFloatsAreExact) {
    EXPECT_EQ(rational_from_dyadic(0.375), Rational(3, 8));
    EXPECT_NE(rational_from_dyadic(0.1), Rational(1, 10));
    const double tiny = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(rational_from_dyadic(tiny) * Rational(Integer(1) << 1074), 1);
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
        EXPECT_TRUE(says(refusal([&] { rational_from_dyadic(bad); }), {"not a finite number"}));
}

TEST(Rational, ApproximationRoundsToNearest) {
    EXPECT_EQ(approximate(Rational(1, 3)), 1.0 / 3);
    EXPECT_EQ(approximate(parse_rational("1e-400", "here")), 0);
    EXPECT_EQ(approximate(parse_rational("1e400", "here")), HUGE_VAL);
}

RC_GTEST_PROP(RationalProperty, TextRoundTrips, ()) {
    const Rational value = *test::positive_rational() * (*rc::gen::arbitrary<bool>() ? 1 : -1);
    RC_ASSERT(parse_rational(to_string(value), "here") == value);
}

RC_GTEST_PROP(RationalProperty, DoublesRoundTrip, (double value)) {
    RC_PRE(std::isfinite(value));
    RC_ASSERT(approximate(rational_from_dyadic(value)) == value);
}

}  // namespace
}  // namespace crosshead
