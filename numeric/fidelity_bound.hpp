// How large minimax fidelity can be on a cell of head weights.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <crosshead/exact/bernstein_row.hpp>
#include <limits>
#include <vector>

namespace crosshead {

/// When to stop looking closer.
template <class Scalar>
struct BoundLimits {
    Scalar enough = Scalar(0);             // a bound no larger than this settles the cell
    Scalar slack = Scalar(0);              // a bound that can fall by no more than this is good enough
    std::size_t most_coefficients = 1000;  // of one polynomial; beyond it rows collapse to constants
    double most_work = 1e7;                // multiply-adds for one cell
};

template <class Scalar>
struct FidelityBound {
    Scalar upper = Scalar(1);
    bool complete = true;  // false: the work ran out, more of it might lower the bound
    double work = 0;       // multiply-adds that it took
};

/// An upper bound of min_j sup_{t≥1} x_t[j] over the cell whose vertices have these operators, x_0 = e_τ:
/// min_j max(largest coefficient of x_t[j] for t ≤ T, largest coefficient of m_j(T)), where the stopping
/// certificate m_j(T) = Σ_{k∈D_j} x_T[k] bounds what follows. `reached[j]` = D_j in the union of all heads,
/// which serves the whole simplex. `up(value, steps)` rounds a computed value up; the identity for rationals.
template <class Scalar, class RoundUp>
FidelityBound<Scalar> fidelity_upper_bound(const std::vector<TransitionMatrix<Scalar>>& vertices,
                                           BernsteinTables& tables,
                                           const std::vector<boost::dynamic_bitset<>>& reached,
                                           const BoundLimits<Scalar>& limits, const RoundUp& up) {
    const std::size_t n = reached.size();
    std::vector<Scalar> start(n, Scalar(0));
    start.back() = Scalar(1);
    BernsteinRow<Scalar> row(vertices, tables, std::move(start));
    std::vector<Scalar> peak(n, Scalar(0)), later(n, Scalar(1));  // later: what m_j still allows
    FidelityBound<Scalar> result;
    Scalar& bound = result.upper;
    std::size_t next_check = 1, without_progress = 0;
    const auto entries = static_cast<double>(vertices.front().entry.size() * vertices.size());
    while (true) {
        result.complete = result.work < limits.most_work;
        if (!result.complete) break;
        result.work += entries * static_cast<double>(row.size());
        if (Monomials::count(vertices.size(), row.degree() + 1) > limits.most_coefficients)
            row.collapse(true);
        row.step();
        for (std::size_t j = 0; j < n; ++j) peak[j] = std::max(peak[j], up(row.largest(j), row.steps()));
        if (row.steps() < next_check) continue;
        next_check = n <= 16 ? row.steps() + 1 : row.steps() + 1 + row.steps() / 4;
        // From the sink down: where D_j is j and all that follows, one running sum serves every node.
        std::vector<Scalar> suffix(row.size(), Scalar(0));
        bool fell = false;
        for (std::size_t j = n; j-- > 0;) {
            std::vector<Scalar> others;
            const auto add = [&](std::vector<Scalar>& sum, std::size_t k) {
                const auto terms = row.coefficients(k);
                for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += terms[m];
            };
            add(suffix, j);
            if (reached[j].count() != n - j) {
                others.assign(row.size(), Scalar(0));
                for (auto k = reached[j].find_first(); k != boost::dynamic_bitset<>::npos;
                     k = reached[j].find_next(k))
                    add(others, k);
            }
            const auto& mass = others.empty() ? suffix : others;
            const Scalar now = up(*std::max_element(mass.begin(), mass.end()), row.steps() + 1);
            if (now < later[j]) {
                later[j] = now;
                fell = true;
            }
        }
        Scalar least_peak(1);
        for (std::size_t j = 0; j < n; ++j) {
            bound = std::min(bound, std::max(peak[j], later[j]));
            least_peak = std::min(least_peak, peak[j]);
        }
        if (bound <= limits.enough || bound <= least_peak + limits.slack) break;
        without_progress = fell ? 0 : without_progress + 1;
        if (without_progress > 8) break;
    }
    return result;
}

}  // namespace crosshead
