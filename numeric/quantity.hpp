// A measured number that says what kind of truth it is: an exact rational, an enclosure, or infinity.
#pragma once

#include <crosshead/numeric/enclosure.hpp>
#include <optional>
#include <string>

namespace crosshead {

/// A non-negative quantity. `enclosure` always holds it; `exact` is present where it is known exactly.
struct Quantity {
    std::optional<Rational> exact;
    Enclosure enclosure;
    bool infinite = false;  // +∞ (an absorption time that is never reached in expectation)

    static Quantity of(const Rational& value) { return {value, Enclosure::of(value), false}; }
    /// [0, 0] is the exact zero that it holds.
    static Quantity within(const Enclosure& value) {
        return value.upper() == 0 ? of(0) : Quantity{std::nullopt, value, false};
    }
    /// Whether some finite bound on it is known.
    bool is_bounded() const { return enclosure.upper() < std::numeric_limits<double>::infinity(); }
    static Quantity infinity() {
        return {std::nullopt, Enclosure(std::numeric_limits<double>::infinity()), true};
    }
    double approximation() const;
};

/// A mixing time as a number of steps; never is infinity.
Quantity steps_of(const MixingTime& time);

/// Exactly where both are exact, by enclosures otherwise.
Decision less(const Quantity& a, const Quantity& b);
/// a / b; nullopt where it is undefined or may be: b is zero, both may be zero, or both may be infinite.
std::optional<Quantity> ratio(const Quantity& a, const Quantity& b);
/// For people. An exact value is a fraction ("3/16"), or where that is long, its first decimals and "…"; an
/// enclosure is "0.1875±3e-17", or "[0.1, 0.3]" where it is wide, and holds the true value; infinity is
/// "infinity".
std::string to_text(const Quantity& quantity);
std::string to_text(const Enclosure& enclosure);
/// "36", "never", "36..41" or "at least 36".
std::string to_text(const MixingTime& time);

/// The smaller / the larger; exact where the choice is.
Quantity smaller(const Quantity& a, const Quantity& b);
Quantity larger(const Quantity& a, const Quantity& b);

}  // namespace crosshead
