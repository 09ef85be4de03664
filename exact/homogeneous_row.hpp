// The row vector x_t = x_0 (Σ_h β_h M^(h))^t with the β left as variables: n homogeneous polynomials of
// degree t, over any scalar.
#pragma once

#include <crosshead/exact/monomials.hpp>
#include <crosshead/exact/transition_matrix.hpp>
#include <span>
#include <vector>

namespace crosshead {

/// On a simplex with vertices V_0 … V_d in the head weights, the same with M^(i) = Σ_h V_i[h] Δ^(h) gives the
/// polynomials in barycentric coordinates; coefficients over multinomials are then Bernstein coefficients,
/// and enclose the values.
template <class Scalar>
class HomogeneousRow {
  public:
    /// `heads`: one n×n matrix (destination × source) for each variable, without scales; they must outlive
    /// this object. `start`: x_0, n entries.
    HomogeneousRow(const std::vector<TransitionMatrix<Scalar>>& heads, const std::vector<Scalar>& start)
        : heads_(heads), monomials_(heads.size(), 0) {
        for (const auto& value : start) row_.push_back({value});
    }

    /// x_t → x_{t+1}: one multiply-add for each edge of each head and each monomial of degree t.
    void step() {
        const std::size_t n = row_.size(), size = monomials_.size();
        const Monomials next(heads_.size(), monomials_.degree() + 1);
        std::vector<std::vector<Scalar>> result(n, std::vector<Scalar>(next.size(), Scalar(0)));
        std::vector<std::vector<Scalar>> sums(n, std::vector<Scalar>(size, Scalar(0)));
        for (std::size_t h = 0; h < heads_.size(); ++h) {
            for (auto& sum : sums) std::fill(sum.begin(), sum.end(), Scalar(0));
            const auto& head = heads_[h];
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t e = head.row_begin[i]; e < head.row_begin[i + 1]; ++e) {
                    auto& sum = sums[static_cast<std::size_t>(head.column[e])];
                    for (std::size_t m = 0; m < size; ++m) sum[m] += row_[i][m] * head.entry[e];
                }
            const auto raised = monomials_.raised(h);
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t m = 0; m < size; ++m) result[j][raised[m]] += sums[j][m];
        }
        row_ = std::move(result);
        monomials_ = next;
    }

    std::size_t steps() const { return monomials_.degree(); }
    const Monomials& monomials() const { return monomials_; }
    /// The coefficients of x_t[node], one for each monomial.
    std::span<const Scalar> coefficients(Node node) const { return row_[static_cast<std::size_t>(node)]; }

  private:
    const std::vector<TransitionMatrix<Scalar>>& heads_;
    Monomials monomials_;
    std::vector<std::vector<Scalar>> row_;
};

}  // namespace crosshead
