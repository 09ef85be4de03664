// −T_mix(ε) as an objective, on survivor probabilities.
#include <algorithm>
#include <cmath>
#include <crosshead/exact/bernstein_row.hpp>
#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/numeric/enclosure.hpp>
#include <crosshead/numeric/weight_objective.hpp>
#include <limits>
#include <numeric>

namespace crosshead {
namespace {

class MixingObjective final : public WeightObjective {
  public:
    MixingObjective(const HeadSystem& system, const Rational& epsilon, const Convention& convention)
        : operators_(aligned_operators(system, Operator::walk)),
          tables_(system.head_count()),
          convention_(convention),
          threshold_(Enclosure::of(epsilon / distance_factor(convention.norm))) {
        const double entries = static_cast<double>(operators_.edge_count());
        most_coefficients_ = static_cast<std::size_t>(std::clamp(2e6 / entries, 60.0, 300.0));
        most_steps_ = static_cast<std::size_t>(std::clamp(5e6 / entries, 512.0, 20'000.0));
        never_ = !may_pass(stuck_survivors(system));
    }

    double value(const std::vector<double>& weights) const override { return std::floor(guide(weights)); }

    /// −(T_mix as if distances fell geometrically between T − 1 and T).
    double guide(const std::vector<double>& weights) const override {
        if (never_) return -std::numeric_limits<double>::infinity();
        const auto matrix = operators_.mixed(weights);
        RowPropagation<double> row(matrix, initial_survivors<double>(matrix.nodes, matrix.nodes - 1));
        double before = aggregate(row.row());
        if (passes(before)) return 0;
        while (row.steps() < most_steps_) {
            row.step();
            const double now = aggregate(row.row());
            if (passes(now)) {
                const double whole = std::log(before) - std::log(std::max(now, 1e-300));
                const double part = std::log(before) - std::log(threshold_.middle());
                const double fraction = whole > 0 ? std::clamp(part / whole, 1e-9, 1.0) : 1.0;
                return -(static_cast<double>(row.steps()) - 1 + fraction);
            }
            before = now;
        }
        return -static_cast<double>(most_steps_) - before;
    }

    CellBound upper_bound(const WeightCell<double>& cell, double enough, double) override {
        if (never_) return {-std::numeric_limits<double>::infinity()};
        const auto vertices = operators_.at_vertices(cell);
        BernsteinRow<double> row(vertices, tables_,
                                 initial_survivors<double>(operators_.nodes(), operators_.nodes() - 1));
        const double enough_steps = std::min(-enough, static_cast<double>(most_steps_));
        while (static_cast<double>(row.steps()) < enough_steps && !may_pass(row)) {
            if (Monomials::count(vertices.size(), row.degree() + 1) > most_coefficients_) row.collapse(false);
            row.step();
        }
        return {-static_cast<double>(row.steps())};
    }

  private:
    double aggregate(const std::vector<double>& survivors) const {
        return convention_.start == Start::worst ? *std::max_element(survivors.begin(), survivors.end())
                                                 : std::accumulate(survivors.begin(), survivors.end(), 0.0) /
                                                       static_cast<double>(survivors.size());
    }
    /// What never reaches the sink under any weights, as an aggregate of survivor probabilities, rounded
    /// down.
    double stuck_survivors(const HeadSystem& system) const {
        const Reachability reach(system, ConvexWeights::uniform(system.head_count()));
        const auto sink = static_cast<std::size_t>(system.nodes() - 1);
        int stuck = 0;
        for (Node j = 0; j < system.nodes(); ++j) stuck += !reach.reached_from(j).test(sink);
        if (convention_.start == Start::worst) return stuck > 0 ? 1 : 0;
        return Enclosure::of(Rational(stuck) / system.nodes()).lower();
    }
    bool passes(double distance) const {
        return convention_.strict ? distance < threshold_.middle() : distance <= threshold_.middle();
    }
    /// Whether some weights of the cell can be below the threshold by now: true unless that is ruled out.
    bool may_pass(const BernsteinRow<double>& row) const {
        const int n = operators_.nodes();
        double least = 0;
        if (convention_.start == Start::worst) {
            for (std::size_t j = 0; j < row.nodes(); ++j) least = std::max(least, row.least(j));
        } else {
            std::vector<double> sum(row.size(), 0.0);
            for (std::size_t j = 0; j < row.nodes(); ++j)
                for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += row.coefficients(j)[m];
            least = *std::min_element(sum.begin(), sum.end()) / n;
        }
        return may_pass(rounded_down(least, n, operators_.head_count(), row.steps() + 1));
    }
    bool may_pass(double distance) const {
        return convention_.strict ? distance < threshold_.upper() : distance <= threshold_.upper();
    }

    AlignedOperators<double> operators_;
    mutable BernsteinTables tables_;
    Convention convention_;
    Enclosure threshold_;  // on the survivor probability
    std::size_t most_coefficients_, most_steps_;
    bool never_ = false;  // whatever the weights
};

}  // namespace

std::unique_ptr<WeightObjective> mixing_objective(const HeadSystem& system, const Rational& epsilon,
                                                  const Convention& convention) {
    return std::make_unique<MixingObjective>(system, epsilon, convention);
}

}  // namespace crosshead
