#include <fmt/format.h>

#include <crosshead/exact/head_operators.hpp>
#include <crosshead/exact/head_weight_polynomial.hpp>
#include <crosshead/exact/homogeneous_row.hpp>
#include <crosshead/exact/letters.hpp>
#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/graphs/error.hpp>
#include <functional>
#include <optional>
#include <stdexcept>

namespace crosshead {
namespace {

/// base^exponent for every exponent up to `most`.
std::vector<Rational> powers(const Rational& base, std::size_t most) {
    std::vector<Rational> result{Rational(1)};
    while (result.size() <= most) result.push_back(result.back() * base);
    return result;
}

Integer factorial(std::size_t n) {
    Integer result = 1;
    for (std::size_t k = 2; k <= n; ++k) result *= k;
    return result;
}

std::string digits(std::size_t number, std::span<const char* const> glyphs) {
    std::string text;
    for (const char digit : std::to_string(number)) text += glyphs[static_cast<std::size_t>(digit - '0')];
    return text;
}

std::string subscript(std::size_t number) {
    static constexpr const char* glyphs[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    return digits(number, glyphs);
}

std::string superscript(std::size_t number) {
    static constexpr const char* glyphs[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    return digits(number, glyphs);
}

/// The terms that are not zero, each as `term` writes it, with signs between; "0" where there are none.
std::string joined_terms(const HeadWeightPolynomial& polynomial,
                         const std::function<std::string(std::size_t, const Rational&)>& term) {
    std::string result;
    for (std::size_t m = 0; m < polynomial.coefficients().size(); ++m) {
        const Rational& coefficient = polynomial.coefficients()[m];
        if (coefficient == 0) continue;
        const bool negative = coefficient < 0;
        if (!result.empty())
            result += negative ? " - " : " + ";
        else if (negative)
            result += "-";
        result += term(m, abs(coefficient));
    }
    return result.empty() ? "0" : result;
}

}  // namespace

HeadWeightPolynomial::HeadWeightPolynomial(std::size_t heads, std::size_t degree,
                                           std::vector<Rational> coefficients)
    : monomials_(heads, degree), coefficients_(std::move(coefficients)) {
    if (coefficients_.size() != monomials_.size())
        throw std::invalid_argument(fmt::format("{} coefficients for {} monomials of degree {}",
                                                coefficients_.size(), monomials_.size(), degree));
}

Rational HeadWeightPolynomial::at(std::span<const Rational> weights) const {
    if (weights.size() != heads())
        throw std::invalid_argument(fmt::format("{} weights for {} heads", weights.size(), heads()));
    std::vector<std::vector<Rational>> power;
    for (const auto& weight : weights) power.push_back(powers(weight, degree()));
    Rational sum = 0;
    for (std::size_t m = 0; m < coefficients_.size(); ++m) {
        if (coefficients_[m] == 0) continue;
        Rational term = coefficients_[m];
        for (std::size_t h = 0; h < heads(); ++h) term *= power[h][monomials_.exponents(m)[h]];
        sum += term;
    }
    return sum;
}

HeadWeightPolynomial::Bounds HeadWeightPolynomial::bernstein_bounds() const {
    const Integer whole = factorial(degree());
    std::optional<Bounds> bounds;
    for (std::size_t m = 0; m < coefficients_.size(); ++m) {
        Integer repeats = 1;
        for (const auto exponent : monomials_.exponents(m)) repeats *= factorial(exponent);
        const Rational coefficient = coefficients_[m] * Rational(repeats, whole);
        if (!bounds) bounds = Bounds{coefficient, coefficient};
        if (coefficient < bounds->lower) bounds->lower = coefficient;
        if (coefficient > bounds->upper) bounds->upper = coefficient;
    }
    return *bounds;
}

std::string HeadWeightPolynomial::text(const std::string& symbol) const {
    return joined_terms(*this, [&](std::size_t m, const Rational& coefficient) {
        std::string factors;
        for (std::size_t h = 0; h < heads(); ++h)
            if (const auto exponent = monomials_.exponents(m)[h]; exponent > 0)
                factors += symbol + subscript(h + 1) + (exponent > 1 ? superscript(exponent) : "");
        const std::string over = denominator(coefficient) == 1 ? "" : "/" + denominator(coefficient).str();
        if (factors.empty()) return numerator(coefficient).str() + over;
        return (numerator(coefficient) == 1 ? "" : numerator(coefficient).str()) + factors + over;
    });
}

std::string HeadWeightPolynomial::latex(const std::string& symbol) const {
    return joined_terms(*this, [&](std::size_t m, const Rational& coefficient) {
        std::string factors;
        for (std::size_t h = 0; h < heads(); ++h)
            if (const auto exponent = monomials_.exponents(m)[h]; exponent > 0)
                factors += fmt::format("{}_{{{}}}", symbol, h + 1) +
                           (exponent > 1 ? fmt::format("^{{{}}}", exponent) : "");
        if (denominator(coefficient) != 1)
            return fmt::format("\\frac{{{}}}{{{}}}", numerator(coefficient).str(),
                               denominator(coefficient).str()) +
                   factors;
        return numerator(coefficient) == 1 && !factors.empty() ? factors
                                                               : numerator(coefficient).str() + factors;
    });
}

std::vector<HeadWeightPolynomial> head_weight_polynomials(const HeadSystem& system, Operator kind,
                                                          std::size_t steps, std::size_t most_monomials) {
    const std::size_t heads = system.head_count();
    if (const auto count = Monomials::count(heads, steps); count > most_monomials)
        throw InputError(fmt::format(
            "a polynomial of degree {} in the weights of {} heads has {} monomials, more than {}; ask for "
            "fewer steps",
            steps, heads, count, most_monomials));
    const auto operators = over_common_denominator(head_operators(system, kind, HeadWeights::left_out));
    auto start = unit_vector<Integer>(system.nodes(), system.sink());
    if (kind == Operator::walk) start = initial_survivors<Integer>(system.nodes(), system.sink());
    HomogeneousRow<Integer> row(operators.heads, start);
    Integer over = 1;
    for (std::size_t t = 0; t < steps; ++t) {
        row.step();
        over *= operators.step_denominator;
    }
    std::vector<HeadWeightPolynomial> result;
    for (Node j = 0; j < system.nodes(); ++j) {
        std::vector<Rational> coefficients;
        for (const auto& coefficient : row.coefficients(j))
            coefficients.push_back(coefficient == 0 ? Rational(0) : Rational(coefficient, over));
        result.emplace_back(heads, steps, std::move(coefficients));
    }
    return result;
}

}  // namespace crosshead
