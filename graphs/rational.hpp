// Exact numbers and the only ways into them: one strict parser for text, one function for dyadic floats.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <string>
#include <string_view>

namespace crosshead {

/// Arbitrary integer (GMP). Expression templates are off: `auto x = a + b` is a number, not a recipe.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

/// Exact rational (GMP), always in lowest terms with a positive denominator.
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Longest text, in characters, that parse_rational accepts; and the largest decimal exponent in size.
inline constexpr std::size_t max_rational_text = 1u << 20;
inline constexpr int max_decimal_exponent = 10'000;

/// Reads "3", "-3/16", "0.06" (exactly 3/50) or "1.5e-3". No spaces, no "+", no "1/0", no "1.5/2",
/// no hexadecimal, no "nan". `place` opens the error message ("graph.json: heads[0].edges[2]").
/// Throws InputError.
Rational parse_rational(std::string_view text, std::string_view place);

/// The exact value of a finite double (a dyadic rational). Throws InputError for NaN and infinities.
Rational rational_from_dyadic(double value);

/// "3/16"; a denominator of 1 is not printed.
std::string to_string(const Rational& value);

/// Nearest double, for display and for estimates only; never for a decision.
/// Values beyond the range of double become infinity or zero.
double approximate(const Rational& value);

}  // namespace crosshead
