#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <crosshead/numeric/quantity.hpp>

namespace crosshead {

double Quantity::approximation() const {
    return exact ? approximate(*exact) : enclosure.middle();
}

Quantity steps_of(const MixingTime& time) {
    if (time.never) return Quantity::infinity();
    if (time.is_exact()) return Quantity::of(Rational(time.lower));
    const double upper =
        time.upper ? Enclosure::of(Rational(*time.upper)).upper() : std::numeric_limits<double>::infinity();
    return Quantity::within({Enclosure::of(Rational(time.lower)).lower(), upper});
}

Decision less(const Quantity& a, const Quantity& b) {
    if (a.infinite) return Decision::no;
    if (b.infinite) return Decision::yes;
    if (a.exact && b.exact) return *a.exact < *b.exact ? Decision::yes : Decision::no;
    return less(a.enclosure, b.enclosure);
}

std::optional<Quantity> ratio(const Quantity& a, const Quantity& b) {
    if (a.infinite) return b.is_bounded() ? std::optional(Quantity::infinity()) : std::nullopt;
    if (b.infinite) return a.is_bounded() ? std::optional(Quantity::of(0)) : std::nullopt;
    if (b.exact && *b.exact == 0) return std::nullopt;
    if (a.exact && b.exact) return Quantity::of(*a.exact / *b.exact);
    const bool both_may_be_zero = a.enclosure.lower() == 0 && b.enclosure.lower() == 0;
    if (both_may_be_zero || (!a.is_bounded() && !b.is_bounded())) return std::nullopt;
    return Quantity::within(a.enclosure / b.enclosure);
}

Quantity smaller(const Quantity& a, const Quantity& b) {
    const Decision b_is_smaller = less(b, a);
    if (b_is_smaller != Decision::undecided) return b_is_smaller == Decision::yes ? b : a;
    return Quantity::within({std::min(a.enclosure.lower(), b.enclosure.lower()),
                             std::min(a.enclosure.upper(), b.enclosure.upper())});
}

Quantity larger(const Quantity& a, const Quantity& b) {
    const Decision a_is_smaller = less(a, b);
    if (a_is_smaller != Decision::undecided) return a_is_smaller == Decision::yes ? b : a;
    return Quantity::within({std::max(a.enclosure.lower(), b.enclosure.lower()),
                             std::max(a.enclosure.upper(), b.enclosure.upper())});
}

namespace {

/// Three significant digits, rounded down or up.
std::string shortened(double value, bool up) {
    if (value == 0) return "0";
    constexpr double smallest = 1e-290;  // below it, the scale would leave the range of normal doubles
    if (value < smallest) return up ? fmt::format("{:g}", smallest) : "0";
    const double scale = std::pow(10, std::floor(std::log10(value)) - 2);
    const double digits =
        up ? std::ceil(value / scale * (1 + 1e-12)) : std::floor(value / scale * (1 - 1e-12));
    return fmt::format("{:.3g}", digits * scale);
}

}  // namespace

std::string to_text(const Enclosure& enclosure) {
    if (std::isinf(enclosure.upper())) return fmt::format("at least {}", decimal_down(enclosure.lower()));
    const double middle = enclosure.middle();
    const double width = enclosure.upper() - enclosure.lower();
    if (width > middle / 10)
        return fmt::format("[{}, {}]", shortened(enclosure.lower(), false),
                           shortened(enclosure.upper(), true));
    const double known_digits = width > 0 ? std::floor(-std::log10(width / middle)) : 12;
    const int digits = static_cast<int>(std::clamp(known_digits, 2.0, 12.0));
    const std::string shown = fmt::format("{:.{}g}", middle, digits);
    // The radius is taken from the decimals that are shown, exactly, and rounded up.
    const Rational decimals = parse_rational(shown, "enclosure");
    const Rational radius = std::max(rational_from_dyadic(enclosure.upper()) - decimals,
                                     decimals - rational_from_dyadic(enclosure.lower()));
    if (radius <= 0) return shown;
    const double up = Enclosure::of(radius).upper();
    const int exponent = static_cast<int>(std::floor(std::log10(up)));
    double leading = std::ceil(up / std::pow(10, exponent) * (1 + 1e-12));
    return leading >= 10 ? fmt::format("{}±1e{}", shown, exponent + 1)
                         : fmt::format("{}±{:.0f}e{}", shown, leading, exponent);
}

namespace {

/// The first 12 significant digits of a positive fraction, cut off, not rounded.
std::string first_digits(const Rational& value) {
    constexpr int digits = 12;
    const double log10_value =
        (static_cast<double>(msb(numerator(value))) - static_cast<double>(msb(denominator(value)))) *
        std::log10(2.0);
    // The estimate of the exponent is off by one at most; the number of digits tells.
    int exponent = static_cast<int>(std::floor(log10_value));
    std::string leading;
    for (++exponent; leading.size() != digits; --exponent) {
        const int shift = digits - 1 - exponent;
        const Integer scale = pow(Integer(10), static_cast<unsigned>(std::abs(shift)));
        const Integer cut = shift >= 0 ? Integer(numerator(value) * scale / denominator(value))
                                       : Integer(numerator(value) / (denominator(value) * scale));
        leading = cut.str();
        if (leading.size() == digits) break;
    }
    while (leading.size() > 1 && leading.back() == '0') leading.pop_back();
    if (exponent < -5 || exponent >= digits) {
        const std::string rest = leading.size() > 1 ? "." + leading.substr(1) : "";
        return fmt::format("{}{}e{:+03d}", leading.substr(0, 1), rest, exponent);
    }
    if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + leading;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (leading.size() <= whole) return leading + std::string(whole - leading.size(), '0');
    return leading.substr(0, whole) + "." + leading.substr(whole);
}

}  // namespace

std::string to_text(const Quantity& quantity) {
    constexpr std::size_t longest_fraction = 24;
    if (quantity.infinite) return "infinity";
    if (!quantity.exact) return to_text(quantity.enclosure);
    std::string fraction = to_string(*quantity.exact);
    return fraction.size() <= longest_fraction ? fraction : first_digits(*quantity.exact) + "…";
}

std::string to_text(const MixingTime& time) {
    if (time.never) return "never";
    if (time.is_exact()) return time.lower.str();
    return time.upper ? fmt::format("{}..{}", time.lower.str(), time.upper->str())
                      : "at least " + time.lower.str();
}

}  // namespace crosshead
