#include <algorithm>
#include <crosshead/proofs_check/conjecture/constants.hpp>

namespace crosshead {
namespace {

/// Numerator and denominator together; a text of 64 KiB cannot make reading slow.
constexpr std::size_t most_bits = 1 << 14;
constexpr int largest_exponent = 1 << 10;

std::size_t bits(const Rational& value) {
    return mpz_sizeinbase(mpq_numref(value.backend().data()), 2) +
           mpz_sizeinbase(mpq_denref(value.backend().data()), 2);
}

Rational rounded_down(const Rational& value) {
    Integer quotient;
    mpz_fdiv_q(quotient.backend().data(), mpq_numref(value.backend().data()),
               mpq_denref(value.backend().data()));
    return Rational(quotient);
}

std::optional<Rational> power(const Rational& base, const Rational& exponent) {
    if (!is_integer(exponent) || abs(exponent) > largest_exponent) return std::nullopt;
    const int count = numerator(exponent).convert_to<int>();
    if (base == 0 && count < 0) return std::nullopt;
    if (bits(base) * static_cast<std::size_t>(std::abs(count)) > most_bits) return std::nullopt;
    Rational result = 1;
    for (int i = 0; i < std::abs(count); ++i) result *= base;
    return count < 0 ? Rational(1 / result) : result;
}

}  // namespace

bool is_integer(const Rational& value) {
    return denominator(value) == 1;
}

std::optional<Rational> constant_result(Operation operation,
                                        std::span<const std::optional<Rational>> operands) {
    for (const auto& operand : operands)
        if (!operand || bits(*operand) > most_bits) return std::nullopt;
    const auto at = [&](std::size_t i) -> const Rational& { return *operands[i]; };
    const auto less = [](const auto& a, const auto& b) { return *a < *b; };
    switch (operation) {
        case Operation::negate:
            return Rational(-at(0));
        case Operation::add:
            return Rational(at(0) + at(1));
        case Operation::subtract:
            return Rational(at(0) - at(1));
        case Operation::multiply:
            return Rational(at(0) * at(1));
        case Operation::divide:
            if (at(1) == 0) return std::nullopt;
            return Rational(at(0) / at(1));
        case Operation::power:
            return power(at(0), at(1));
        case Operation::minimum:
            return **std::min_element(operands.begin(), operands.end(), less);
        case Operation::maximum:
            return **std::max_element(operands.begin(), operands.end(), less);
        case Operation::ceiling:
            return Rational(-rounded_down(Rational(-at(0))));
        case Operation::floor:
            return rounded_down(at(0));
        case Operation::absolute:
            return Rational(abs(at(0)));
        default:
            return std::nullopt;
    }
}

}  // namespace crosshead
