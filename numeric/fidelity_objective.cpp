// φ(β) as an objective: estimates by propagation in double, gradients by propagation from both ends.
#include <algorithm>
#include <cmath>
#include <crosshead/exact/absorption.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/numeric/certified_scan.hpp>
#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/numeric/fidelity_bound.hpp>
#include <crosshead/numeric/weight_objective.hpp>

namespace crosshead {

namespace {

PropagationError error_after(int nodes, std::size_t heads, std::size_t steps) {
    return PropagationError::after(nodes + 2 * static_cast<int>(heads) + 16, static_cast<double>(steps) + 1);
}

}  // namespace

double rounded_up(double value, int nodes, std::size_t heads, std::size_t steps) {
    return error_after(nodes, heads, steps).around(value).upper();
}

double rounded_down(double value, int nodes, std::size_t heads, std::size_t steps) {
    return error_after(nodes, heads, steps).around(value).lower();
}

AlignedOperators<double> aligned_operators(const HeadSystem& system, Operator kind) {
    const auto enclosed = enclosure_operators(system, kind, HeadWeights::left_out);
    return AlignedOperators<double>(
        converted<double>(enclosed, [](const Enclosure& entry) { return entry.middle(); }));
}

namespace {

class FidelityObjective final : public WeightObjective {
  public:
    FidelityObjective(const HeadSystem& system, double slack)
        : operators_(aligned_operators(system, Operator::diffusion)),
          tables_(system.head_count()),
          slack_(slack) {
        const double entries = static_cast<double>(operators_.edge_count());
        limits_.most_coefficients = static_cast<std::size_t>(std::clamp(2e6 / entries, 60.0, 300.0));
        const double a_cell = 5e4 * entries * static_cast<double>(operators_.head_count());
        limits_.most_work = std::clamp(a_cell, 1e6, 3e7);  // milliseconds
        const Reachability reach(system, ConvexWeights::uniform(system.head_count()));
        for (Node j = 0; j < system.nodes(); ++j) reached_.push_back(reach.reached_from(j));
    }

    double value(const std::vector<double>& weights) const override {
        const auto peaks = scan(operators_.mixed(weights), nullptr);
        double least = 1;
        for (const auto& peak : peaks) least = std::min(least, peak.value);
        return least;
    }

    std::optional<std::vector<double>> gradient(const std::vector<double>& weights,
                                                double temperature) const override {
        const auto matrix = operators_.mixed(weights);
        std::vector<std::vector<double>> rows;  // e_τ Δ̄^t
        const auto peaks = scan(matrix, &rows);
        double least = 1;
        for (const auto& peak : peaks) least = std::min(least, peak.value);
        std::vector<double> gradient(operators_.head_count(), 0.0);
        const double scale = std::max(least, 1e-300) * temperature;
        for (std::size_t j = 0; j < peaks.size(); ++j) {
            const double share = std::exp(-(peaks[j].value - least) / scale);
            if (share > 1e-6 && peaks[j].step > 0)
                add_gradient(matrix, rows, j, peaks[j].step, share, gradient);
        }
        return gradient;
    }

    CellBound upper_bound(const WeightCell<double>& cell, double enough, double effort) override {
        const auto vertices = operators_.at_vertices(cell);
        auto limits = limits_;
        limits.enough = enough;
        limits.slack = slack_ * std::max(0.0, enough);
        limits.most_work *= effort;
        const auto bound =
            fidelity_upper_bound(vertices, tables_, reached_, limits, [&](double value, std::size_t steps) {
                return std::min(1.0, rounded_up(value, operators_.nodes(), operators_.head_count(), steps));
            });
        return {bound.upper, bound.complete, bound.work};
    }

  private:
    struct Peak {
        double value = 0;
        std::size_t step = 0;  // 0: a limit
    };
    static constexpr std::size_t kept_rows = 512;

    /// Largest x_t[j] while mass may still exceed it, or until the budget ends; limits by substitution.
    std::vector<Peak> scan(const TransitionMatrix<double>& matrix,
                           std::vector<std::vector<double>>* rows) const {
        const auto n = static_cast<std::size_t>(matrix.nodes);
        std::vector<Peak> peaks(n);
        RowPropagation<double> row(matrix, unit_row(n));
        if (rows) rows->push_back(row.row());
        const auto limits = absorption_probabilities(matrix);
        const auto most =
            static_cast<std::size_t>(std::clamp(3e6 / static_cast<double>(matrix.entry.size()), 256.0, 2e4));
        std::size_t next_check = 1;
        while (row.steps() < most) {
            row.step();
            if (rows && rows->size() < kept_rows) rows->push_back(row.row());
            for (std::size_t j = 0; j < n; ++j)
                if (row.row()[j] > peaks[j].value) peaks[j] = {row.row()[j], row.steps()};
            if (row.steps() < next_check) continue;
            next_check = row.steps() + 1 + row.steps() / 8;
            if (closed(row.row(), peaks, limits)) break;
        }
        for (std::size_t j = 0; j < n; ++j)
            if (limits[j] && *limits[j] > peaks[j].value) peaks[j] = {*limits[j], 0};
        return peaks;
    }

    /// Whether no node but limits can still rise above its peak.
    bool closed(const std::vector<double>& row, const std::vector<Peak>& peaks,
                const std::vector<std::optional<double>>& limits) const {
        double suffix = 0;
        for (std::size_t j = row.size(); j-- > 0;) {
            suffix += row[j];
            if (limits[j]) continue;
            double mass = suffix;
            if (reached_[j].count() != row.size() - j) {
                mass = 0;
                for (auto k = reached_[j].find_first(); k != boost::dynamic_bitset<>::npos;
                     k = reached_[j].find_next(k))
                    mass += row[k];
            }
            if (mass > peaks[j].value * (1 + 1e-12)) return false;
        }
        return true;
    }

    /// gradient[h] += share · Σ_s (e_τ Δ̄^{t−1−s}) Δ^(h) (Δ̄^s e_j).
    void add_gradient(const TransitionMatrix<double>& matrix, const std::vector<std::vector<double>>& rows,
                      std::size_t node, std::size_t step, double share, std::vector<double>& gradient) const {
        if (step > rows.size()) return;
        std::vector<double> column(rows.front().size(), 0.0);
        column[node] = 1;
        for (std::size_t s = 0; s < step; ++s) {
            const auto& row = rows[step - 1 - s];
            std::vector<double> next(column.size(), 0.0);
            for (std::size_t i = 0; i < column.size(); ++i)
                for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) {
                    const double from = column[static_cast<std::size_t>(matrix.column[e])];
                    next[i] += matrix.entry[e] * from;
                    if (row[i] * from == 0) continue;
                    for (std::size_t h = 0; h < gradient.size(); ++h)
                        gradient[h] += share * row[i] * from * operators_.entries(h)[e];
                }
            column = std::move(next);
        }
    }

    static std::vector<double> unit_row(std::size_t n) {
        std::vector<double> row(n, 0.0);
        row.back() = 1;
        return row;
    }

    AlignedOperators<double> operators_;
    BernsteinTables tables_;
    double slack_;
    BoundLimits<double> limits_;
    std::vector<boost::dynamic_bitset<>> reached_;
};

}  // namespace

std::unique_ptr<WeightObjective> fidelity_objective(const HeadSystem& system, double slack) {
    return std::make_unique<FidelityObjective>(system, slack);
}

}  // namespace crosshead
