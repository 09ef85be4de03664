#include <crosshead/proofs_check/conjecture/fast_arithmetic.hpp>

namespace crosshead {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr mpfr_prec_t bits = 64;

/// It as a Real, where both ends say the same of it; otherwise nothing.
std::optional<Real> as_real(const FastNumber& a) {
    if (a.undefined != nullptr) return Real::undefined(a.undefined);
    if (a.is_point())
        return std::isinf(a.lower) ? Real::infinity(a.lower > 0) : Real(rational_from_dyadic(a.lower));
    if (std::isinf(a.lower) || std::isinf(a.upper)) return std::nullopt;
    return Real(Interval(rational_from_dyadic(a.lower), rational_from_dyadic(a.upper), bits));
}

/// `operation` of RealArithmetic; a reason of its own is not kept, only that there is no value.
template <class Operation>
FastNumber by_way_of_real(const char* why_undefined, const Operation& operation) {
    const std::optional<Real> result = operation(RealArithmetic(bits));
    if (!result) return FastNumber::unknown();
    if (result->undefined_because()) return {0, 0, why_undefined};
    return FastNumber::of(*result);
}

template <class Operation>
FastNumber one_operand(const FastNumber& a, const char* why_undefined, const Operation& operation) {
    return by_way_of_real(why_undefined, [&](const RealArithmetic& arithmetic) -> std::optional<Real> {
        const auto x = as_real(a);
        if (!x) return std::nullopt;
        return operation(arithmetic, *x);
    });
}

template <class Operation>
FastNumber two_operands(const FastNumber& a, const FastNumber& b, const char* why_undefined,
                        const Operation& operation) {
    return by_way_of_real(why_undefined, [&](const RealArithmetic& arithmetic) -> std::optional<Real> {
        const auto x = as_real(a), y = as_real(b);
        if (!x || !y) return std::nullopt;
        return operation(arithmetic, *x, *y);
    });
}

}  // namespace

FastNumber FastNumber::of(const Real& value) {
    if (value.undefined_because()) return {0, 0, "undefined"};
    if (value.infinite()) return point(value.infinite()->positive ? infinite : -infinite);
    const Interval enclosed = value.enclosed(bits);
    return {enclosed.lower(), enclosed.upper(), nullptr};
}

FastNumber FastArithmetic::add_infinite(const FastNumber& a, const FastNumber& b) const {
    return two_operands(
        a, b, "infinity minus infinity",
        [](const auto& arithmetic, const Real& x, const Real& y) { return arithmetic.add(x, y); });
}
FastNumber FastArithmetic::multiply_signed(const FastNumber& a, const FastNumber& b) const {
    return two_operands(a, b, "0 times infinity", [](const auto& arithmetic, const Real& x, const Real& y) {
        return arithmetic.multiply(x, y);
    });
}
FastNumber FastArithmetic::divide_signed(const FastNumber& a, const FastNumber& b) const {
    return two_operands(
        a, b, "a division without a value",
        [](const auto& arithmetic, const Real& x, const Real& y) { return arithmetic.divide(x, y); });
}
FastNumber FastArithmetic::logarithm(const FastNumber& a) const {
    return one_operand(a, "ln of a number that is not positive",
                       [](const auto& arithmetic, const Real& x) { return arithmetic.logarithm(x); });
}
FastNumber FastArithmetic::exponential(const FastNumber& a) const {
    return one_operand(a, "exp without a value",
                       [](const auto& arithmetic, const Real& x) { return arithmetic.exponential(x); });
}
FastNumber FastArithmetic::square_root(const FastNumber& a) const {
    return one_operand(a, "sqrt of a negative number",
                       [](const auto& arithmetic, const Real& x) { return arithmetic.square_root(x); });
}

}  // namespace crosshead
