// Certified doubles with a sign, for the inner loop of a search: nothing is allocated, and what they cannot
// decide is left to RealArithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/proofs_check/conjecture/real.hpp>
#include <limits>
#include <optional>

namespace crosshead {

/// [lower, upper] holds the true value; both ends may be infinite, and equal infinite ends are infinity
/// itself. Small integers and dyadic fractions stay points, so that ties among them are decided.
struct FastNumber {
    double lower = 0, upper = 0;
    const char* undefined = nullptr;  // why, where it has no value

    static FastNumber point(double value) { return {value, value, nullptr}; }
    static FastNumber unknown() {
        return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), nullptr};
    }
    /// The tightest doubles around a Real.
    static FastNumber of(const Real& value);
    bool is_unknown() const { return lower == -upper && upper == std::numeric_limits<double>::infinity(); }
    bool is_point() const { return lower == upper; }
};

class FastArithmetic {
  public:
    using Number = FastNumber;

    FastNumber constant(const Rational& value) const { return FastNumber::of(value); }
    FastNumber integer_constant(int value) const { return FastNumber::point(value); }
    FastNumber undefined(const char* why) const { return {0, 0, why}; }
    FastNumber unknown() const { return FastNumber::unknown(); }

    FastNumber negate(const FastNumber& a) const { return {-a.upper, -a.lower, a.undefined}; }
    FastNumber add(const FastNumber& a, const FastNumber& b) const {
        if (is_undefined(a)) return a;
        if (is_undefined(b)) return b;
        if (std::isinf(a.lower) || std::isinf(a.upper) || std::isinf(b.lower) || std::isinf(b.upper))
            return add_infinite(a, b);
        const double low = a.lower + b.lower, high = a.upper + b.upper;
        if (std::isinf(low) || std::isinf(high)) return add_infinite(a, b);
        return {below(low, sum_error(a.lower, b.lower, low)), above(high, sum_error(a.upper, b.upper, high)),
                nullptr};
    }
    FastNumber multiply(const FastNumber& a, const FastNumber& b) const {
        if (is_undefined(a)) return a;
        if (is_undefined(b)) return b;
        if (!(a.lower >= 0) || !(b.lower >= 0) || std::isinf(a.upper) || std::isinf(b.upper))
            return multiply_signed(a, b);
        const double low = a.lower * b.lower, high = a.upper * b.upper;
        if (std::isinf(high) || underflows(low, a.lower, b.lower) || underflows(high, a.upper, b.upper))
            return multiply_signed(a, b);
        return {below(low, std::fma(a.lower, b.lower, -low)), above(high, std::fma(a.upper, b.upper, -high)),
                nullptr};
    }
    FastNumber divide(const FastNumber& a, const FastNumber& b) const {
        if (is_undefined(a)) return a;
        if (is_undefined(b)) return b;
        if (b.lower == 0 && b.upper == 0) return undefined("division by zero");
        if (!(b.lower > 0) || !(a.lower >= 0) || std::isinf(a.upper) || std::isinf(b.upper))
            return divide_signed(a, b);
        const double low = a.lower / b.upper, high = a.upper / b.lower;
        if (std::isinf(high) || underflows(std::min(low, a.lower), a.lower, 1) ||
            underflows(high, a.upper, 1))
            return divide_signed(a, b);
        return {below(low, std::fma(-low, b.upper, a.lower)), above(high, std::fma(-high, b.lower, a.upper)),
                nullptr};
    }
    FastNumber smaller(const FastNumber& a, const FastNumber& b) const {
        if (is_undefined(a)) return a;
        if (is_undefined(b)) return b;
        if (a.is_unknown() || b.is_unknown()) return FastNumber::unknown();
        return {std::min(a.lower, b.lower), std::min(a.upper, b.upper), nullptr};
    }
    FastNumber larger(const FastNumber& a, const FastNumber& b) const {
        return negate(smaller(negate(a), negate(b)));
    }
    FastNumber ceiling(const FastNumber& a) const {
        return {std::ceil(a.lower), std::ceil(a.upper), a.undefined};
    }
    FastNumber floor(const FastNumber& a) const {
        return {std::floor(a.lower), std::floor(a.upper), a.undefined};
    }
    FastNumber absolute(const FastNumber& a) const {
        if (a.lower >= 0 || a.is_unknown()) return a;
        return {std::max(0.0, -a.upper), std::max(-a.lower, a.upper), a.undefined};
    }
    /// By way of RealArithmetic: they allocate, and where their arguments are constants they are computed
    /// once.
    FastNumber logarithm(const FastNumber& a) const;
    FastNumber exponential(const FastNumber& a) const;
    FastNumber square_root(const FastNumber& a) const;

    Decision less(const FastNumber& a, const FastNumber& b) const { return negated(less_equal(b, a)); }
    Decision less_equal(const FastNumber& a, const FastNumber& b) const {
        if (is_undefined(a) || is_undefined(b) || a.is_unknown() || b.is_unknown())
            return Decision::undecided;
        if (a.upper <= b.lower) return Decision::yes;
        return a.lower > b.upper ? Decision::no : Decision::undecided;
    }
    Decision equal(const FastNumber& a, const FastNumber& b) const {
        if (is_undefined(a) || is_undefined(b)) return Decision::undecided;
        if (a.is_point() && b.is_point()) return a.lower == b.lower ? Decision::yes : Decision::no;
        return a.upper < b.lower || b.upper < a.lower ? Decision::no : Decision::undecided;
    }
    static bool is_undefined(const FastNumber& a) { return a.undefined != nullptr; }
    static double approximation(const FastNumber& a) {
        return a.is_point() || std::isinf(a.lower) || std::isinf(a.upper) ? a.lower : (a.lower + a.upper) / 2;
    }
    static std::optional<int> integer(const FastNumber& a) {
        if (is_undefined(a) || !a.is_point() || a.lower != std::floor(a.lower) ||
            std::abs(a.lower) > std::numeric_limits<int>::max())
            return std::nullopt;
        return static_cast<int>(a.lower);
    }

  private:
    /// A product or quotient so small that its rounding error may itself be rounded away.
    static constexpr double tiny = 1e-250;
    static bool underflows(double value, double a, double b) { return value < tiny && a != 0 && b != 0; }
    /// `value` carries a rounding error whose sign is that of `error` (true − rounded); exact where it is 0.
    static double below(double value, double error) {
        return error == 0 ? value : value - std::abs(value) * 0x1p-52 - 0x1p-1070;
    }
    static double above(double value, double error) {
        return error == 0 ? value : value + std::abs(value) * 0x1p-52 + 0x1p-1070;
    }
    /// The rounding error of sum = a + b, exactly (Knuth's TwoSum).
    static double sum_error(double a, double b, double sum) {
        const double from_b = sum - a, from_a = sum - from_b;
        return (a - from_a) + (b - from_b);
    }
    FastNumber add_infinite(const FastNumber& a, const FastNumber& b) const;
    FastNumber multiply_signed(const FastNumber& a, const FastNumber& b) const;
    FastNumber divide_signed(const FastNumber& a, const FastNumber& b) const;
};

}  // namespace crosshead
