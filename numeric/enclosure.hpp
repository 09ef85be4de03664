// Certified floating point for non-negative numbers: a lower and an upper double, rounded outward after
// every operation. Nothing here ever subtracts, so relative widths grow by one unit in the last place an
// operation and no more (design §2).
#pragma once

#include <bit>
#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/graphs/rational.hpp>
#include <cstdint>
#include <limits>
#include <string>

namespace crosshead {

/// The next double above a non-negative one; infinity stays.
inline double next_up(double value) {
    return value == std::numeric_limits<double>::infinity()
               ? value
               : std::bit_cast<double>(std::bit_cast<std::uint64_t>(value + 0.0) + 1);
}

/// The next double below a non-negative one, never below zero; the predecessor of infinity is the largest
/// double.
inline double next_down(double value) {
    return value == 0 ? 0 : std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) - 1);
}

/// A closed interval [lower, upper] of non-negative reals that holds the true value; upper may be infinite.
/// Each operation rounds to nearest and then one step outward, which covers the rounding and the underflow.
class Enclosure {
  public:
    Enclosure() = default;
    /// The point `value`, a non-negative double taken exactly.
    explicit Enclosure(double value) : lower_(value), upper_(value) {}
    explicit Enclosure(int value) : Enclosure(static_cast<double>(value)) {}
    /// Requires 0 ≤ lower ≤ upper. Throws std::invalid_argument.
    Enclosure(double lower, double upper);
    /// The tightest enclosure of a non-negative rational. Throws std::invalid_argument for a negative one.
    static Enclosure of(const Rational& value);

    double lower() const { return lower_; }
    double upper() const { return upper_; }
    double middle() const { return lower_ + (upper_ - lower_) / 2; }
    bool contains(const Rational& value) const;

    Enclosure& operator+=(const Enclosure& other) { return *this = *this + other; }
    Enclosure& operator*=(const Enclosure& other) { return *this = *this * other; }
    friend Enclosure operator+(const Enclosure& a, const Enclosure& b) {
        if (a.upper_ == 0) return b;
        if (b.upper_ == 0) return a;
        return raw(next_down(a.lower_ + b.lower_), next_up(a.upper_ + b.upper_));
    }
    friend Enclosure operator*(const Enclosure& a, const Enclosure& b) {
        if (a.upper_ == 0 || b.upper_ == 0) return Enclosure();
        return raw(next_down(a.lower_ * b.lower_), next_up(a.upper_ * b.upper_));
    }
    /// Requires b.lower() > 0 for a finite upper end; otherwise the upper end is infinite.
    friend Enclosure operator/(const Enclosure& a, const Enclosure& b) {
        if (a.upper_ == 0) return Enclosure();
        return raw(next_down(a.lower_ / b.upper_),
                   b.lower_ == 0 ? std::numeric_limits<double>::infinity() : next_up(a.upper_ / b.lower_));
    }
    /// True only for the point zero; absorption.hpp asks this of sums of non-negative numbers.
    friend bool operator==(const Enclosure& a, int zero) { return zero == 0 && a.upper_ == 0; }

  private:
    static Enclosure raw(double lower, double upper) {
        Enclosure result;
        result.lower_ = lower;
        result.upper_ = upper;
        return result;
    }
    double lower_ = 0, upper_ = 0;
};

/// a < b, a ≤ b where the enclosures allow a decision.
Decision less(const Enclosure& a, const Enclosure& b);
Decision less_equal(const Enclosure& a, const Enclosure& b);
Decision negated(Decision decision);

/// `value` in decimal with 17 significant digits, rounded down or up; "inf" for infinity.
std::string decimal_down(double value);
std::string decimal_up(double value);

}  // namespace crosshead
