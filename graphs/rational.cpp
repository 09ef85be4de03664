#include <fmt/format.h>
#include <mpfr.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/rational.hpp>

namespace crosshead {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view place, std::string_view why) {
    constexpr std::size_t shown = 60;
    const std::string head(text.substr(0, shown));
    throw InputError(
        fmt::format("{}: \"{}{}\" is not a number: {}; write an integer, a fraction such as 3/16 or "
                    "a decimal such as 0.06",
                    place, head, text.size() > shown ? "…" : "", why));
}

bool all_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
}

Integer digits_to_integer(std::string_view digits) {
    Integer value;
    mpz_set_str(value.backend().data(), std::string(digits).c_str(), 10);
    return value;
}

Integer power_of_ten(unsigned exponent) {
    Integer value;
    mpz_ui_pow_ui(value.backend().data(), 10, exponent);
    return value;
}

/// The decimal exponent after 'e', bounded so that a short text cannot ask for gigabytes.
int parse_exponent(std::string_view exponent, std::string_view text, std::string_view place) {
    bool negative = false;
    if (!exponent.empty() && (exponent[0] == '-' || exponent[0] == '+')) {
        negative = exponent[0] == '-';
        exponent.remove_prefix(1);
    }
    if (!all_digits(exponent)) refuse(text, place, "the exponent is not an integer");
    if (exponent.size() > 6 || std::stoi(std::string(exponent)) > max_decimal_exponent)
        refuse(text, place, fmt::format("the exponent exceeds {}", max_decimal_exponent));
    const int value = std::stoi(std::string(exponent));
    return negative ? -value : value;
}

Rational parse_decimal(std::string_view body, std::string_view text, std::string_view place) {
    int exponent = 0;
    if (const auto e = body.find_first_of("eE"); e != std::string_view::npos) {
        exponent = parse_exponent(body.substr(e + 1), text, place);
        body = body.substr(0, e);
    }
    std::string digits;
    if (const auto dot = body.find('.'); dot != std::string_view::npos) {
        const auto whole = body.substr(0, dot), fraction = body.substr(dot + 1);
        if (!all_digits(whole) || !all_digits(fraction))
            refuse(text, place, "digits are needed on both sides of the point");
        digits = std::string(whole) + std::string(fraction);
        exponent -= static_cast<int>(fraction.size());
    } else {
        if (!all_digits(body))
            refuse(text, place, body.empty() ? "it is empty" : "it holds something other than digits");
        digits = std::string(body);
    }
    const Integer mantissa = digits_to_integer(digits);
    const Integer scale = power_of_ten(static_cast<unsigned>(std::abs(exponent)));
    return exponent >= 0 ? Rational(mantissa * scale) : Rational(mantissa, scale);
}

}  // namespace

Rational parse_rational(std::string_view text, std::string_view place) {
    if (text.size() > max_rational_text)
        refuse(text, place, fmt::format("it is longer than {} characters", max_rational_text));
    std::string_view body = text;
    const bool negative = !body.empty() && body[0] == '-';
    if (negative) body.remove_prefix(1);
    Rational value;
    if (const auto slash = body.find('/'); slash != std::string_view::npos) {
        const auto numerator = body.substr(0, slash), denominator = body.substr(slash + 1);
        if (!all_digits(numerator) || !all_digits(denominator))
            refuse(text, place, "a fraction needs an integer on each side of the slash");
        const Integer divisor = digits_to_integer(denominator);
        if (divisor == 0) refuse(text, place, "its denominator is zero");
        value = Rational(digits_to_integer(numerator), divisor);
    } else {
        value = parse_decimal(body, text, place);
    }
    return negative ? Rational(-value) : value;
}

Rational rational_from_dyadic(double value) {
    if (!std::isfinite(value)) throw InputError(fmt::format("{} is not a finite number", value));
    Rational result;
    mpq_set_d(result.backend().data(), value);
    return result;
}

std::string to_string(const Rational& value) {
    return value.str();
}

double approximate(const Rational& value) {
    mpfr_t nearest;
    mpfr_init2(nearest, 53);
    mpfr_set_q(nearest, value.backend().data(), MPFR_RNDN);
    const double result = mpfr_get_d(nearest, MPFR_RNDN);
    mpfr_clear(nearest);
    return result;
}

}  // namespace crosshead
