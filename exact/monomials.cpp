#include <algorithm>
#include <crosshead/exact/monomials.hpp>
#include <limits>
#include <stdexcept>

namespace crosshead {
namespace {

/// C(n, k), saturating.
std::size_t choose(std::size_t n, std::size_t k) {
    if (k > n) return 0;
    k = std::min(k, n - k);
    std::size_t value = 1;
    for (std::size_t i = 1; i <= k; ++i) {
        if (__builtin_mul_overflow(value, n - k + i, &value)) return std::numeric_limits<std::size_t>::max();
        value /= i;
    }
    return value;
}

/// How many monomials come before the one with these exponents: at every variable but the last, those that
/// agree so far and have a higher power of it.
std::size_t rank(std::span<const std::uint32_t> exponents, std::size_t degree) {
    std::size_t before = 0, left = degree;
    for (std::size_t v = 0; v + 1 < exponents.size(); ++v) {
        left -= exponents[v];
        const std::size_t later = exponents.size() - v - 1;
        if (left > 0) before += choose(left - 1 + later, later);
    }
    return before;
}

}  // namespace

std::size_t Monomials::count(std::size_t variables, std::size_t degree) {
    return choose(degree + variables - 1, variables - 1);
}

Monomials::Monomials(std::size_t variables, std::size_t degree) : variables_(variables), degree_(degree) {
    const std::size_t size = count(variables, degree);
    if (size > most) throw std::length_error("too many monomials");
    exponents_.reserve(size * variables);
    std::vector<std::uint32_t> current(variables, 0);
    current[0] = static_cast<std::uint32_t>(degree);
    for (std::size_t m = 0; m < size; ++m) {
        exponents_.insert(exponents_.end(), current.begin(), current.end());
        // The next one: move one unit from the last variable but one that has any to its right neighbour,
        // together with all that the last variable holds.
        const std::uint32_t tail = current[variables - 1];
        current[variables - 1] = 0;
        for (std::size_t v = variables - 1; v-- > 0;) {
            if (current[v] == 0) continue;
            --current[v];
            current[v + 1] = tail + 1;
            break;
        }
    }
}

std::vector<std::size_t> Monomials::raised(std::size_t variable) const {
    std::vector<std::size_t> numbers(size());
    std::vector<std::uint32_t> product(variables_);
    for (std::size_t m = 0; m < numbers.size(); ++m) {
        const auto factors = exponents(m);
        product.assign(factors.begin(), factors.end());
        ++product[variable];
        numbers[m] = rank(product, degree_ + 1);
    }
    return numbers;
}

std::size_t Monomials::number_of(std::span<const std::uint32_t> exponents) const {
    return rank(exponents, degree_);
}

}  // namespace crosshead
