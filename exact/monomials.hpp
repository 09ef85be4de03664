// The monomials of one degree in the head weights, numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosshead {

/// Monomials β_1^{e_1} … β_H^{e_H} with e_1 + … + e_H = degree, the highest power of β_1 first, then of β_2
/// and so on.
class Monomials {
  public:
    /// H ≥ 1 variables. Throws std::length_error where there are more than `most`.
    Monomials(std::size_t variables, std::size_t degree);
    static constexpr std::size_t most = std::size_t{1} << 28;
    /// C(degree + H − 1, H − 1), saturating.
    static std::size_t count(std::size_t variables, std::size_t degree);

    std::size_t variables() const { return variables_; }
    std::size_t degree() const { return degree_; }
    std::size_t size() const { return exponents_.size() / variables_; }
    /// e_1 … e_H of monomial number m.
    std::span<const std::uint32_t> exponents(std::size_t m) const {
        return {exponents_.data() + m * variables_, variables_};
    }
    /// The number that β_variable times monomial m has among the monomials of the next degree.
    std::vector<std::size_t> raised(std::size_t variable) const;
    /// The number of a monomial of this degree.
    std::size_t number_of(std::span<const std::uint32_t> exponents) const;

  private:
    std::size_t variables_, degree_;
    std::vector<std::uint32_t> exponents_;  // size × H
};

}  // namespace crosshead
