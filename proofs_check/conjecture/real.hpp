// A real number as exactly as it is known: a rational, an interval of MPFI, an infinity, or undefined.
#pragma once

#include <mpfi.h>

#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/graphs/rational.hpp>
#include <crosshead/numeric/quantity.hpp>
#include <optional>
#include <string>
#include <variant>

namespace crosshead {

/// A closed interval [lower, upper] of reals in MPFI, with its own precision. Ends may be infinite.
class Interval {
  public:
    explicit Interval(mpfr_prec_t bits) { mpfi_init2(value_, bits); }
    Interval(const Rational& value, mpfr_prec_t bits);
    Interval(const Rational& lower, const Rational& upper, mpfr_prec_t bits);
    Interval(const Interval& other) : Interval(mpfi_get_prec(other.value_)) {
        mpfi_set(value_, other.value_);
    }
    Interval& operator=(const Interval& other);
    ~Interval() { mpfi_clear(value_); }

    mpfi_ptr get() { return value_; }
    mpfi_srcptr get() const { return value_; }
    /// Doubles that enclose it.
    double lower() const;
    double upper() const;

  private:
    mpfi_t value_;
};

/// The value of a number expression at a system.
class Real {
  public:
    struct Infinity {
        bool positive;
    };
    struct Undefined {
        std::string why;
    };

    Real() = default;  // 0
    Real(Rational value) : value_(std::move(value)) {}
    explicit Real(Interval value) : value_(std::move(value)) {}
    static Real infinity(bool positive = true) { return Real(Infinity{positive}); }
    static Real undefined(std::string why) { return Real(Undefined{std::move(why)}); }
    /// Exact where the quantity is; otherwise its enclosure, `bits` wide.
    static Real of(const Quantity& quantity, mpfr_prec_t bits);
    static Real of(const MixingTime& time, mpfr_prec_t bits);

    const Rational* exact() const { return std::get_if<Rational>(&value_); }
    const Interval* interval() const { return std::get_if<Interval>(&value_); }
    const Infinity* infinite() const { return std::get_if<Infinity>(&value_); }
    /// Why it is undefined; nullptr where it is defined.
    const std::string* undefined_because() const {
        const auto* undefined = std::get_if<Undefined>(&value_);
        return undefined == nullptr ? nullptr : &undefined->why;
    }
    bool is_finite() const { return exact() != nullptr || interval() != nullptr; }
    /// It as an interval; requires is_finite().
    Interval enclosed(mpfr_prec_t bits) const;
    /// An estimate: the middle, ±infinity, or NaN where it is undefined.
    double approximation() const;

  private:
    explicit Real(Infinity value) : value_(value) {}
    explicit Real(Undefined value) : value_(std::move(value)) {}
    std::variant<Rational, Interval, Infinity, Undefined> value_;
};

/// For people: "3/16", "5", "12.3177661667±2e-16", "infinity", "undefined: …". A long fraction is given by
/// its first decimals and "…".
std::string to_text(const Real& value);

/// Arithmetic on Real. Rationals stay rationals wherever the operation allows; the rest is computed in
/// intervals of `bits` bits, rounded outward. Undefined operands stay undefined with the first reason.
class RealArithmetic {
  public:
    using Number = Real;
    explicit RealArithmetic(mpfr_prec_t bits) : bits_(bits) {}
    mpfr_prec_t bits() const { return bits_; }

    Real constant(const Rational& value) const { return value; }
    Real integer_constant(int value) const { return Rational(value); }
    Real undefined(const char* why) const { return Real::undefined(why); }
    Real negate(const Real& a) const;
    Real add(const Real& a, const Real& b) const;
    Real multiply(const Real& a, const Real& b) const;
    Real divide(const Real& a, const Real& b) const;
    /// The smaller / the larger; an interval where that is open.
    Real smaller(const Real& a, const Real& b) const;
    Real larger(const Real& a, const Real& b) const;
    Real ceiling(const Real& a) const { return rounded(a, true); }
    Real floor(const Real& a) const { return rounded(a, false); }
    Real absolute(const Real& a) const;
    Real logarithm(const Real& a) const;
    Real exponential(const Real& a) const;
    Real square_root(const Real& a) const;

    /// a < b, a ≤ b, a = b; undecided where intervals overlap or a side is undefined.
    Decision less(const Real& a, const Real& b) const;
    Decision less_equal(const Real& a, const Real& b) const;
    Decision equal(const Real& a, const Real& b) const;
    static bool is_undefined(const Real& a) { return a.undefined_because() != nullptr; }
    static double approximation(const Real& a) { return a.approximation(); }
    /// The integer that it is for certain, within the range of int; otherwise nothing.
    static std::optional<int> integer(const Real& a);

    /// The whole line: where an operation may be undefined and may not, or is too large to carry out. Nothing
    /// computed from it is decided.
    Real unknown() const;

  private:
    Real rounded(const Real& a, bool up) const;
    mpfr_prec_t bits_;
};

}  // namespace crosshead
