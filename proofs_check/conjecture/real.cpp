#include <fmt/format.h>

#include <cmath>
#include <crosshead/proofs_check/conjecture/real.hpp>
#include <limits>

namespace crosshead {
namespace {

/// Exponents beyond this are not computed: e^(10^6) has 1.4 million bits.
constexpr int largest_exponent = 1'000'000;

bool is_negative(const Real& a) {
    if (a.exact()) return *a.exact() < 0;
    if (a.interval()) return mpfi_is_strictly_neg(a.interval()->get()) > 0;
    return a.infinite() && !a.infinite()->positive;
}
bool is_positive(const Real& a) {
    if (a.exact()) return *a.exact() > 0;
    if (a.interval()) return mpfi_is_strictly_pos(a.interval()->get()) > 0;
    return a.infinite() && a.infinite()->positive;
}

/// The exact root of a rational whose numerator and denominator are squares.
std::optional<Rational> exact_root(const Rational& value) {
    const Integer above = numerator(value), below = denominator(value);
    const Integer root_above = sqrt(above), root_below = sqrt(below);
    if (root_above * root_above != above || root_below * root_below != below) return std::nullopt;
    return Rational(root_above, root_below);
}

Integer floor_of(const Rational& value) {
    Integer result;
    const Integer above = numerator(value), below = denominator(value);
    mpz_fdiv_q(result.backend().data(), above.backend().data(), below.backend().data());
    return result;
}

bool has_infinite_end(const Real& a) {
    return a.interval() && mpfi_bounded_p(a.interval()->get()) == 0;
}
bool is_unknown(const Real& a) {
    return a.interval() && mpfr_inf_p(&a.interval()->get()->left) != 0 &&
           mpfr_inf_p(&a.interval()->get()->right) != 0;
}
bool may_be_zero(const Real& a) {
    return !is_negative(a) && !is_positive(a);
}

const Real* first_undefined(const Real& a, const Real& b) {
    if (RealArithmetic::is_undefined(a)) return &a;
    return RealArithmetic::is_undefined(b) ? &b : nullptr;
}

}  // namespace

Interval::Interval(const Rational& value, mpfr_prec_t bits) : Interval(bits) {
    mpfi_set_q(value_, value.backend().data());
}

Interval::Interval(const Rational& lower, const Rational& upper, mpfr_prec_t bits) : Interval(lower, bits) {
    mpfi_put_q(value_, upper.backend().data());
}

Interval& Interval::operator=(const Interval& other) {
    if (this == &other) return *this;
    mpfi_set_prec(value_, mpfi_get_prec(other.value_));
    mpfi_set(value_, other.value_);
    return *this;
}

double Interval::lower() const {
    return mpfr_get_d(&value_->left, MPFR_RNDD);
}
double Interval::upper() const {
    return mpfr_get_d(&value_->right, MPFR_RNDU);
}

Real Real::of(const Quantity& quantity, mpfr_prec_t bits) {
    if (quantity.infinite) return infinity();
    if (quantity.exact) return *quantity.exact;
    Interval interval(bits);
    mpfi_interv_d(interval.get(), quantity.enclosure.lower(), quantity.enclosure.upper());
    return Real(std::move(interval));
}

Real Real::of(const MixingTime& time, mpfr_prec_t bits) {
    if (time.never) return infinity();
    if (time.is_exact()) return Rational(time.lower);
    Interval interval(Rational(time.lower), bits);
    if (time.upper)
        mpfi_put_z(interval.get(), time.upper->backend().data());
    else
        mpfr_set_inf(&interval.get()->right, 1);
    return Real(std::move(interval));
}

Interval Real::enclosed(mpfr_prec_t bits) const {
    return exact() ? Interval(*exact(), bits) : *interval();
}

double Real::approximation() const {
    if (exact()) return approximate(*exact());
    if (interval()) return mpfi_get_d(interval()->get());
    constexpr double infinite_value = std::numeric_limits<double>::infinity();
    if (infinite()) return infinite()->positive ? infinite_value : -infinite_value;
    return std::numeric_limits<double>::quiet_NaN();
}

std::string to_text(const Real& value) {
    if (value.undefined_because()) return "undefined: " + *value.undefined_because();
    if (value.infinite()) return value.infinite()->positive ? "infinity" : "-infinity";
    // Quantities are non-negative; a negative number is the text of its opposite with a sign.
    if (is_negative(value)) return "-" + to_text(RealArithmetic(64).negate(value));
    if (value.exact()) return to_text(Quantity::of(*value.exact()));
    const double lower = value.interval()->lower(), upper = value.interval()->upper();
    if (lower < 0) return fmt::format("[{:.3g}, {:.3g}]", lower, upper);
    return to_text(Enclosure(lower, upper));
}

Real RealArithmetic::unknown() const {
    Interval result(bits_);
    mpfr_set_inf(&result.get()->left, -1);
    mpfr_set_inf(&result.get()->right, 1);
    return Real(std::move(result));
}

Real RealArithmetic::negate(const Real& a) const {
    if (a.exact()) return Rational(-*a.exact());
    if (a.infinite()) return Real::infinity(!a.infinite()->positive);
    if (!a.interval()) return a;
    Interval result(bits_);
    mpfi_neg(result.get(), a.interval()->get());
    return Real(std::move(result));
}

Real RealArithmetic::add(const Real& a, const Real& b) const {
    if (const auto* undefined = first_undefined(a, b)) return *undefined;
    // ∞ − ∞ must not hide in intervals that end there.
    if ((has_infinite_end(a) && !b.is_finite()) || (has_infinite_end(b) && !a.is_finite()) || is_unknown(a) ||
        is_unknown(b))
        return unknown();
    if (a.exact() && b.exact()) return Rational(*a.exact() + *b.exact());
    if (a.infinite() && b.infinite() && a.infinite()->positive != b.infinite()->positive)
        return Real::undefined("infinity minus infinity");
    if (a.infinite()) return a;
    if (b.infinite()) return b;
    Interval result(bits_);
    mpfi_add(result.get(), a.enclosed(bits_).get(), b.enclosed(bits_).get());
    return Real(std::move(result));
}

Real RealArithmetic::multiply(const Real& a, const Real& b) const {
    if (const auto* undefined = first_undefined(a, b)) return *undefined;
    if ((has_infinite_end(a) && may_be_zero(b)) || (has_infinite_end(b) && may_be_zero(a))) return unknown();
    if (a.exact() && b.exact()) return Rational(*a.exact() * *b.exact());
    if (a.infinite() || b.infinite()) {
        const Real& other = a.infinite() ? b : a;
        if (other.exact() && *other.exact() == 0) return Real::undefined("0 times infinity");
        if (!is_negative(other) && !is_positive(other)) return unknown();
        return Real::infinity(is_negative(a) == is_negative(b));
    }
    Interval result(bits_);
    mpfi_mul(result.get(), a.enclosed(bits_).get(), b.enclosed(bits_).get());
    return Real(std::move(result));
}

Real RealArithmetic::divide(const Real& a, const Real& b) const {
    if (const auto* undefined = first_undefined(a, b)) return *undefined;
    if (b.exact() && *b.exact() == 0) return Real::undefined("division by zero");
    if (a.exact() && b.exact()) return Rational(*a.exact() / *b.exact());
    if (b.interval() && mpfi_has_zero(b.interval()->get()) > 0) return unknown();
    if (a.infinite() && b.infinite()) return Real::undefined("infinity divided by infinity");
    if (b.infinite()) return has_infinite_end(a) ? unknown() : Real(Rational(0));
    if (has_infinite_end(a) && has_infinite_end(b)) return unknown();
    if (a.infinite()) {
        return Real::infinity(is_negative(a) == is_negative(b));
    }
    Interval result(bits_);
    mpfi_div(result.get(), a.enclosed(bits_).get(), b.enclosed(bits_).get());
    return Real(std::move(result));
}

Real RealArithmetic::smaller(const Real& a, const Real& b) const {
    if (const auto* undefined = first_undefined(a, b)) return *undefined;
    if (is_unknown(a) || is_unknown(b)) return unknown();
    if (a.infinite()) return a.infinite()->positive ? b : a;
    if (b.infinite()) return b.infinite()->positive ? a : b;
    const Decision first = less_equal(a, b);
    if (first != Decision::undecided) return first == Decision::yes ? a : b;
    Interval result = a.enclosed(bits_);
    const Interval other = b.enclosed(bits_);
    mpfr_min(&result.get()->left, &result.get()->left, &other.get()->left, MPFR_RNDD);
    mpfr_min(&result.get()->right, &result.get()->right, &other.get()->right, MPFR_RNDU);
    return Real(std::move(result));
}

Real RealArithmetic::larger(const Real& a, const Real& b) const {
    return negate(smaller(negate(a), negate(b)));
}

Real RealArithmetic::rounded(const Real& a, bool up) const {
    if (a.exact()) return Rational(up ? Integer(-floor_of(-*a.exact())) : floor_of(*a.exact()));
    if (!a.interval()) return a;
    Interval result(bits_);
    mpfi_set(result.get(), a.interval()->get());
    // Both ends are rounded in place: integers of at most the same number of bits, so nothing is lost.
    const auto round = [&](mpfr_ptr end) { return up ? mpfr_ceil(end, end) : mpfr_floor(end, end); };
    round(&result.get()->left);
    round(&result.get()->right);
    if (mpfr_number_p(&result.get()->left) != 0 &&
        mpfr_equal_p(&result.get()->left, &result.get()->right) != 0) {
        Integer value;
        mpfr_get_z(value.backend().data(), &result.get()->left, MPFR_RNDN);
        return Rational(value);
    }
    return Real(std::move(result));
}

Real RealArithmetic::absolute(const Real& a) const {
    if (a.exact()) return Rational(abs(*a.exact()));
    if (a.infinite()) return Real::infinity();
    if (!a.interval() || is_unknown(a)) return a;
    Interval result(bits_);
    mpfi_abs(result.get(), a.interval()->get());
    return Real(std::move(result));
}

Real RealArithmetic::logarithm(const Real& a) const {
    if (is_undefined(a)) return a;
    if (a.infinite())
        return a.infinite()->positive ? a : Real::undefined("ln of a number that is not positive");
    if (a.exact() && *a.exact() == 1) return Rational(0);
    if (a.exact() ? *a.exact() <= 0 : mpfi_is_nonpos(a.interval()->get()) > 0)
        return Real::undefined("ln of a number that is not positive");
    const Interval argument = a.enclosed(bits_);
    if (mpfr_sgn(&argument.get()->left) <= 0) return unknown();
    Interval result(bits_);
    mpfi_log(result.get(), argument.get());
    return Real(std::move(result));
}

Real RealArithmetic::exponential(const Real& a) const {
    if (is_undefined(a)) return a;
    if (a.infinite()) return a.infinite()->positive ? a : Real(Rational(0));
    if (a.exact() && *a.exact() == 0) return Rational(1);
    if (is_unknown(a) || !(std::abs(a.approximation()) <= largest_exponent)) return unknown();
    Interval result(bits_);
    mpfi_exp(result.get(), a.enclosed(bits_).get());
    return Real(std::move(result));
}

Real RealArithmetic::square_root(const Real& a) const {
    if (is_undefined(a)) return a;
    if (is_negative(a)) return Real::undefined("sqrt of a negative number");
    if (a.infinite()) return a;
    if (a.exact())
        if (const auto root = exact_root(*a.exact())) return *root;
    const Interval argument = a.enclosed(bits_);
    if (mpfr_sgn(&argument.get()->left) < 0) return unknown();
    Interval result(bits_);
    mpfi_sqrt(result.get(), argument.get());
    return Real(std::move(result));
}

Decision RealArithmetic::less(const Real& a, const Real& b) const {
    return negated(less_equal(b, a));
}

Decision RealArithmetic::less_equal(const Real& a, const Real& b) const {
    if (is_undefined(a) || is_undefined(b) || is_unknown(a) || is_unknown(b)) return Decision::undecided;
    if (a.exact() && b.exact()) return *a.exact() <= *b.exact() ? Decision::yes : Decision::no;
    if ((b.infinite() && b.infinite()->positive) || (a.infinite() && !a.infinite()->positive))
        return Decision::yes;
    // An interval may end in infinity without being infinite, and then nothing finite is above it for
    // certain.
    if (a.infinite())
        return b.interval() && !std::isfinite(b.interval()->upper()) ? Decision::undecided : Decision::no;
    if (b.infinite())
        return a.interval() && !std::isfinite(a.interval()->lower()) ? Decision::undecided : Decision::no;
    const Interval left = a.enclosed(bits_), right = b.enclosed(bits_);
    if (mpfr_lessequal_p(&left.get()->right, &right.get()->left) != 0) return Decision::yes;
    return mpfr_greater_p(&left.get()->left, &right.get()->right) != 0 ? Decision::no : Decision::undecided;
}

Decision RealArithmetic::equal(const Real& a, const Real& b) const {
    const Decision below = less_equal(a, b), above = less_equal(b, a);
    if (below == Decision::no || above == Decision::no) return Decision::no;
    return below == Decision::yes && above == Decision::yes ? Decision::yes : Decision::undecided;
}

std::optional<int> RealArithmetic::integer(const Real& a) {
    if (!a.exact() || denominator(*a.exact()) != 1) return std::nullopt;
    const Integer value = numerator(*a.exact());
    if (abs(value) > std::numeric_limits<int>::max()) return std::nullopt;
    return value.convert_to<int>();
}

}  // namespace crosshead
