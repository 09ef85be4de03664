// −(expected steps until the sink) as an objective: a rational function of the weights.
//
// With nodes added from the sink up, h_j = N_j/Q, where Q is the product of the leaks so far and
//     h_j = (1 + Σ_k W̄[k][j] h_k) / leak_j,   leak_j = Σ_{k≠j} W̄[k][j],
// so N_j = Q·(Σ_i λ_i) + Σ_k W̄[k][j] N_k over Q·leak_j, homogeneous in barycentric coordinates λ of a cell.
// All coefficients are non-negative, and where N − c·Q has no negative Bernstein coefficient, N/Q ≥ c: the
// least quotient of coefficients bounds h_j from below.
#include <algorithm>
#include <crosshead/exact/absorption.hpp>
#include <crosshead/exact/bernstein_row.hpp>
#include <crosshead/numeric/weight_objective.hpp>
#include <limits>

namespace crosshead {
namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();

class AbsorptionObjective final : public WeightObjective {
  public:
    AbsorptionObjective(const HeadSystem& system, Start start)
        : operators_(aligned_operators(system, Operator::walk)), tables_(system.head_count()), start_(start) {
        constexpr std::size_t most_coefficients = 3000;
        const auto degree = static_cast<std::size_t>(system.nodes() - 1);
        polynomials_ = Monomials::count(system.head_count(), degree) <= most_coefficients;
    }

    double value(const std::vector<double>& weights) const override {
        const auto matrix = operators_.mixed(weights);
        double sum = 0, worst = 0;
        for (const auto& time : absorption_times(matrix, matrix.nodes - 1)) {
            sum += time.value_or(unreachable);
            worst = std::max(worst, time.value_or(unreachable));
        }
        return -(start_ == Start::worst ? worst : sum / matrix.nodes);
    }

    CellBound upper_bound(const WeightCell<double>& cell, double, double) override {
        std::vector<TransitionMatrix<double>> by_start;
        for (const auto& vertex : operators_.at_vertices(cell)) by_start.push_back(transposed(vertex));
        double least = node_by_node(by_start);
        if (polynomials_) least = std::max(least, by_polynomials(by_start));
        if (least == unreachable) return {-unreachable};
        const auto n = static_cast<std::size_t>(operators_.nodes());
        return {-rounded_down(least, operators_.nodes(), operators_.head_count(), 2 * n + 2)};
    }

  private:
    using Coefficients = std::vector<double>;

    /// Lets every node choose its own vertex of the cell: h_j ≥ min_i (1 + Σ_k W_i[k][j] h_k)/leak_i.
    double node_by_node(const std::vector<TransitionMatrix<double>>& by_start) const {
        const auto n = static_cast<std::size_t>(operators_.nodes());
        std::vector<double> least(n, 0.0);
        double worst = 0, sum = 0;
        for (std::size_t j = n - 1; j-- > 0;) {
            least[j] = unreachable;
            for (const auto& vertex : by_start) {
                double leak = 0, expected = 1;
                for (std::size_t e = vertex.row_begin[j]; e < vertex.row_begin[j + 1]; ++e) {
                    const auto k = static_cast<std::size_t>(vertex.column[e]);
                    if (k == j || vertex.entry[e] == 0) continue;
                    leak += vertex.entry[e];
                    expected += vertex.entry[e] * least[k];
                }
                if (leak > 0) least[j] = std::min(least[j], expected / leak);
            }
            worst = std::max(worst, least[j]);
            sum += least[j];
        }
        return start_ == Start::worst ? worst : sum / static_cast<double>(n);
    }

    /// b times a linear form with these values at the vertices: one degree up.
    Coefficients times(const Coefficients& b, const std::vector<double>& linear, std::size_t degree) {
        const auto& level = tables_.level(degree);
        Coefficients product(level.next_size, 0.0);
        for (std::size_t v = 0; v < linear.size(); ++v) {
            if (linear[v] == 0) continue;
            for (std::size_t m = 0; m < level.size; ++m)
                product[level.raised[v][m]] +=
                    b[m] * linear[v] * (level.power[v][m] / static_cast<double>(degree + 1));
        }
        return product;
    }

    static double least_quotient(const Coefficients& numerator, const Coefficients& denominator) {
        double least = unreachable;
        for (std::size_t m = 0; m < numerator.size(); ++m)
            if (denominator[m] > 0) least = std::min(least, numerator[m] / denominator[m]);
        return least;
    }

    /// A denominator that underflowed would raise the bound; numerators that do only lower it.
    static bool far_from_underflow(const std::vector<double>& values, double smallest) {
        return std::all_of(values.begin(), values.end(),
                           [&](double value) { return value == 0 || value > smallest; });
    }

    double by_polynomials(const std::vector<TransitionMatrix<double>>& by_start) {
        const auto n = static_cast<std::size_t>(operators_.nodes());
        const std::vector<double> one(by_start.size(), 1.0);
        std::vector<Coefficients> numerator(n);
        Coefficients denominator{1.0};
        double worst = 0;
        for (std::size_t j = n - 1, degree = 0; j-- > 0; ++degree) {
            const auto& pattern = by_start.front();
            std::vector<double> leak(by_start.size(), 0.0);
            Coefficients sum = times(denominator, one, degree);
            for (std::size_t e = pattern.row_begin[j]; e < pattern.row_begin[j + 1]; ++e) {
                const auto k = static_cast<std::size_t>(pattern.column[e]);
                if (k == j) continue;
                std::vector<double> entry;
                for (std::size_t v = 0; v < by_start.size(); ++v) {
                    entry.push_back(by_start[v].entry[e]);
                    leak[v] += entry.back();
                }
                if (k + 1 == n) continue;  // nothing is left to do from the sink
                const Coefficients part = times(numerator[k], entry, degree);
                for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += part[m];
            }
            if (!far_from_underflow(leak, 1e-100)) return 0;
            for (std::size_t k = j + 1; k + 1 < n; ++k) numerator[k] = times(numerator[k], leak, degree);
            denominator = times(denominator, leak, degree);
            if (!far_from_underflow(denominator, 1e-200)) return 0;
            numerator[j] = std::move(sum);
            worst = std::max(worst, least_quotient(numerator[j], denominator));
        }
        if (start_ == Start::worst) return worst;
        Coefficients total(denominator.size(), 0.0);
        for (std::size_t j = 0; j + 1 < n; ++j)
            for (std::size_t m = 0; m < total.size(); ++m) total[m] += numerator[j][m];
        return least_quotient(total, denominator) / static_cast<double>(n);
    }

    AlignedOperators<double> operators_;
    BernsteinTables tables_;
    Start start_;
    bool polynomials_ = false;
};

}  // namespace

std::unique_ptr<WeightObjective> absorption_objective(const HeadSystem& system, Start start) {
    return std::make_unique<AbsorptionObjective>(system, start);
}

}  // namespace crosshead
