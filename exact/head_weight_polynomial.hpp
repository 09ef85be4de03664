// (Δ̄^t)[τ][j] as an exact homogeneous polynomial in β_1 … β_H; the walk's survivor probability in α (design
// §1).
#pragma once

#include <crosshead/exact/mixture.hpp>
#include <crosshead/exact/monomials.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <span>
#include <string>
#include <vector>

namespace crosshead {

/// A homogeneous polynomial with rational coefficients in the weights of H heads.
class HeadWeightPolynomial {
  public:
    /// One coefficient for each monomial of the degree, in the order of Monomials. Throws
    /// std::invalid_argument for another number of them.
    HeadWeightPolynomial(std::size_t heads, std::size_t degree, std::vector<Rational> coefficients);

    std::size_t heads() const { return monomials_.variables(); }
    std::size_t degree() const { return monomials_.degree(); }
    const Monomials& monomials() const { return monomials_; }
    const std::vector<Rational>& coefficients() const { return coefficients_; }

    /// The value at one rational for each head. Throws std::invalid_argument for another number of them.
    Rational at(std::span<const Rational> weights) const;

    /// The least and the largest Bernstein coefficient (coefficient over multinomial): they enclose the
    /// values at all convex weights.
    struct Bounds {
        Rational lower, upper;
    };
    Bounds bernstein_bounds() const;

    /// "β₁β₂/4 + 3β₁²/8", heads counted from 1, `symbol` for β; terms in the order of the monomials.
    std::string text(const std::string& symbol = "β") const;
    /// "\frac{1}{4}\beta_{1}\beta_{2}".
    std::string latex(const std::string& symbol = "\\beta") const;

  private:
    Monomials monomials_;
    std::vector<Rational> coefficients_;
};

/// Diffusion: (Δ̄^t)[τ][j]. Walk: the survivor probability Σ_{i≠τ} (W̄^t)[i][j], 0 for the sink itself. One
/// polynomial for each node j. Throws InputError where there are more than `most_monomials` monomials, and
/// UndefinedQuantity as walk_matrix does.
std::vector<HeadWeightPolynomial> head_weight_polynomials(const HeadSystem& system, Operator kind,
                                                          std::size_t steps,
                                                          std::size_t most_monomials = 1u << 20);

}  // namespace crosshead
