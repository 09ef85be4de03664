// The row vector x_t = x_0 M(λ)^t on a simplex of operators M(λ) = Σ_i λ_i M_i, as Bernstein coefficients:
// their least and largest enclose every entry of x_t over the whole simplex (design §1).
#pragma once

#include <algorithm>
#include <crosshead/exact/monomials.hpp>
#include <crosshead/exact/transition_matrix.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace crosshead {

/// Where the coefficients of one degree go when it is raised; shared by all rows with as many vertices.
class BernsteinTables {
  public:
    struct Level {
        std::size_t size = 0, next_size = 0;
        std::vector<std::vector<std::uint32_t>> raised;  // [vertex][coefficient]: its number one degree up
        std::vector<std::vector<std::uint32_t>> power;   // [vertex][coefficient]: the vertex's power there
    };
    explicit BernsteinTables(std::size_t vertices) : vertices_(vertices) {}

    std::size_t vertices() const { return vertices_; }
    /// Built when first asked for; not for several threads at once.
    const Level& level(std::size_t degree) {
        while (levels_.size() <= degree) {
            const Monomials monomials(vertices_, levels_.size());
            Level level;
            level.size = monomials.size();
            level.next_size = Monomials::count(vertices_, levels_.size() + 1);
            for (std::size_t v = 0; v < vertices_; ++v) {
                const auto raised = monomials.raised(v);
                level.raised.emplace_back(raised.begin(), raised.end());
                auto& power = level.power.emplace_back();
                for (std::size_t m = 0; m < level.size; ++m) power.push_back(monomials.exponents(m)[v] + 1);
            }
            levels_.push_back(std::move(level));
        }
        return levels_[degree];
    }

  private:
    std::size_t vertices_;
    std::deque<Level> levels_;
};

/// b_k(t+1) = Σ_i k_i/(t+1) · b_{k−e_i}(t) M_i: all terms are non-negative, nothing is ever subtracted.
template <class Scalar>
class BernsteinRow {
  public:
    /// `vertices`: the M_i (destination × source, without scales); they and the tables must outlive this.
    BernsteinRow(const std::vector<TransitionMatrix<Scalar>>& vertices, BernsteinTables& tables,
                 std::vector<Scalar> start)
        : vertices_(vertices), tables_(tables), row_(std::move(start)) {}

    /// One multiply-add for each entry of each vertex and each coefficient.
    void step() {
        const auto& level = tables_.level(degree_);
        const std::size_t n = nodes(), size = level.size;
        std::vector<Scalar> next(n * level.next_size, Scalar(0)), sums(n * size, Scalar(0));
        for (std::size_t v = 0; v < vertices_.size(); ++v) {
            std::fill(sums.begin(), sums.end(), Scalar(0));
            add_products(vertices_[v], size, sums);
            std::vector<Scalar> factor(size, Scalar(0));
            for (std::size_t m = 0; m < size; ++m)
                factor[m] =
                    Scalar(static_cast<int>(level.power[v][m])) / Scalar(static_cast<int>(degree_) + 1);
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t m = 0; m < size; ++m)
                    next[j * level.next_size + level.raised[v][m]] += sums[j * size + m] * factor[m];
        }
        row_ = std::move(next);
        ++degree_;
        ++steps_;
    }

    std::size_t nodes() const { return static_cast<std::size_t>(vertices_.front().nodes); }
    std::size_t steps() const { return steps_; }    // t
    std::size_t degree() const { return degree_; }  // t, or fewer since the last collapse
    std::size_t size() const { return tables_.level(degree_).size; }
    /// Bernstein coefficients of x_t[node].
    std::span<const Scalar> coefficients(std::size_t node) const {
        return {row_.data() + node * size(), size()};
    }
    Scalar largest(std::size_t node) const {
        const auto all = coefficients(node);
        return *std::max_element(all.begin(), all.end());
    }
    Scalar least(std::size_t node) const {
        const auto all = coefficients(node);
        return *std::min_element(all.begin(), all.end());
    }
    /// Puts a constant that bounds it in place of every x_t[node]: degree 0 again, and from here on x is a
    /// bound from above (upper) or below, looser by as much as x varies over the simplex.
    void collapse(bool upper) {
        std::vector<Scalar> constants;
        for (std::size_t j = 0; j < nodes(); ++j) constants.push_back(upper ? largest(j) : least(j));
        row_ = std::move(constants);
        degree_ = 0;
    }

  private:
    void add_products(const TransitionMatrix<Scalar>& matrix, std::size_t size, std::vector<Scalar>& sums) {
        for (std::size_t i = 0; i < nodes(); ++i) {
            const Scalar* from = row_.data() + i * size;
            if (std::all_of(from, from + size, [](const Scalar& value) { return value == 0; })) continue;
            for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) {
                const Scalar entry = matrix.entry[e];
                if (entry == 0) continue;
                Scalar* to = sums.data() + static_cast<std::size_t>(matrix.column[e]) * size;
                for (std::size_t m = 0; m < size; ++m) to[m] += from[m] * entry;
            }
        }
    }

    const std::vector<TransitionMatrix<Scalar>>& vertices_;
    BernsteinTables& tables_;
    std::vector<Scalar> row_;  // nodes × size
    std::size_t degree_ = 0, steps_ = 0;
};

}  // namespace crosshead
