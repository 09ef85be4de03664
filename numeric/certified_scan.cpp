#include <algorithm>
#include <cmath>
#include <crosshead/numeric/certified_scan.hpp>
#include <crosshead/numeric/dense_process.hpp>
#include <numeric>

namespace crosshead {

PropagationError PropagationError::after(int nodes, double steps) {
    constexpr double unit_roundoff = 0x1p-53, least_double = 0x1p-1074;
    const double roundings = (nodes + 2.0) * steps;
    const double error = roundings * unit_roundoff;
    if (error > 0.25) return {std::numeric_limits<double>::infinity(), 0};
    // One step up covers the few roundings of these expressions themselves: they stay far below one per cent.
    return {1.01 * error / (1 - 2 * error), 4.04 * nodes * nodes * steps * least_double};
}

Enclosure PropagationError::around(double value) const {
    if (std::isinf(relative)) return {0, std::numeric_limits<double>::infinity()};
    const double slack = next_up(next_up(relative * value) + absolute);
    return {slack >= value ? 0 : next_down(value - slack), next_up(value + slack)};
}

std::vector<MixingTime> certified_mixing_times(const TransitionMatrix<double>& matrix, Node absorbing,
                                               const std::vector<Rational>& epsilons,
                                               const Convention& convention, std::size_t step_limit) {
    const bool mean = convention.start == Start::mean;
    std::vector<Enclosure> thresholds;  // on the aggregate: ε / factor, times n for the mean
    for (const auto& epsilon : epsilons)
        thresholds.push_back(
            Enclosure::of(epsilon * (mean ? matrix.nodes : 1) / distance_factor(convention.norm)));

    Enclosure aggregate;
    std::size_t aggregated_at = static_cast<std::size_t>(-1);
    const auto passes = [&](const auto& survivors, std::size_t k) {
        if (aggregated_at != survivors.steps()) {
            const auto& row = survivors.row();
            // The mean adds n − 1 more roundings; one more step's worth covers them.
            aggregate =
                mean ? PropagationError::after(matrix.nodes, static_cast<double>(survivors.steps()) + 1)
                           .around(std::accumulate(row.begin(), row.end(), 0.0))
                     : PropagationError::after(matrix.nodes, static_cast<double>(survivors.steps()))
                           .around(*std::max_element(row.begin(), row.end()));
            aggregated_at = survivors.steps();
        }
        return convention.strict ? less(aggregate, thresholds[k]) : less_equal(aggregate, thresholds[k]);
    };
    return with_process(matrix, initial_survivors<double>(matrix.nodes, absorbing), [&](auto& process) {
        return scan_mixing_times(process, epsilons.size(), step_limit, passes);
    });
}

namespace {

/// Σ_{k ∈ D_j, k ≠ j} x_t[k] for every open node: what can still reach j. Where D_j is all of j..n−1, one sum
/// from the right serves all.
class ReachedMass {
  public:
    explicit ReachedMass(const Reachability& reach) : reach_(reach) {
        for (Node j = 0; j < reach.nodes(); ++j)
            is_suffix_.push_back(reach.reached_from(j).count() ==
                                 static_cast<std::size_t>(reach.nodes() - j));
    }
    void read(const std::vector<double>& row) {
        suffix_.assign(row.size() + 1, 0.0);
        for (std::size_t j = row.size(); j-- > 0;) suffix_[j] = suffix_[j + 1] + row[j];
        row_ = &row;
    }
    double elsewhere(std::size_t j) const {
        if (is_suffix_[j]) return suffix_[j + 1];
        const auto& reached = reach_.reached_from(static_cast<Node>(j));
        double mass = 0;
        for (auto k = reached.find_next(j); k != boost::dynamic_bitset<>::npos; k = reached.find_next(k))
            mass += (*row_)[k];
        return mass;
    }

  private:
    const Reachability& reach_;
    std::vector<bool> is_suffix_;
    std::vector<double> suffix_;
    const std::vector<double>* row_ = nullptr;
};

/// Folds x_t[j] into the running maximum: an enclosure of the maximum and the steps that may hold it first.
void fold_maximum(CertifiedFidelity& best, const Enclosure& now, std::size_t step) {
    if (now.lower() > best.value.upper()) {
        best.value = now;
        best.attained_from = best.attained_to = step;
    } else if (now.upper() >= best.value.lower()) {
        best.attained_to = step;
        best.value = {std::max(best.value.lower(), now.lower()), std::max(best.value.upper(), now.upper())};
    }
}

/// Is there a self-loop on a node between j (left out) and the sink?
bool holds_mass_back(const Reachability& reach, Node j) {
    const auto& between = reach.reached_from(j);
    for (auto k = between.find_next(static_cast<std::size_t>(j)); k != boost::dynamic_bitset<>::npos;
         k = between.find_next(k))
        if (reach.reaches_sink(static_cast<Node>(k)) && reach.has_self_loop(static_cast<Node>(k)))
            return true;
    return false;
}

/// certified_fidelities over a process that starts at e_τ.
template <class Process>
std::vector<CertifiedFidelity> scan_fidelities(Process& process, const Reachability& reach,
                                               std::size_t step_limit) {
    const int nodes = reach.nodes();
    const auto n = static_cast<std::size_t>(nodes);
    const auto kinds = fidelity_kinds(reach);
    std::vector<CertifiedFidelity> result(n);
    std::size_t open = 0;
    for (std::size_t j = 0; j < n; ++j) {
        if (kinds[j] == FidelityKind::attained) ++open;
        result[j].final = kinds[j] != FidelityKind::attained;
    }
    ReachedMass mass(reach);
    while (open > 0 && process.steps() < step_limit) {
        process.step();
        const std::size_t now = process.steps();
        const auto error = PropagationError::after(nodes, static_cast<double>(now));
        // A sum over D_j has at most n more roundings than its terms.
        const auto mass_error = PropagationError::after(nodes, static_cast<double>(now) + 1);
        for (std::size_t j = 0; j < n; ++j)
            if (!result[j].final) fold_maximum(result[j], error.around(process.row()[j]), now);
        // Closing a node late costs only time: look often at first, then every few per cent of the steps.
        if (now > 32 && now % (now / 32) != 0 && now != step_limit) continue;
        mass.read(process.row());
        for (std::size_t j = 0; j < n; ++j) {
            if (result[j].final) continue;
            const double elsewhere = mass.elsewhere(j);
            const double later = mass_error.around(elsewhere + process.row()[j]).upper();
            // Where nothing before j holds mass back, all of it has passed after n steps, and x_t[j] only
            // falls.
            const bool passed = !holds_mass_back(reach, static_cast<Node>(j)) && now >= n;
            if (passed || later <= result[j].value.lower()) {
                result[j].final = true;
                --open;
            } else if (now == step_limit) {
                result[j].scanned_upper = result[j].value.upper();
                result[j].value = {result[j].value.lower(), std::max(later, result[j].value.upper())};
            }
        }
    }
    return result;
}

}  // namespace

std::vector<CertifiedFidelity> certified_fidelities(const TransitionMatrix<double>& diffusion,
                                                    const Reachability& reach, std::size_t step_limit) {
    std::vector<double> start(static_cast<std::size_t>(diffusion.nodes), 0.0);
    start.back() = 1;
    return with_process(diffusion, std::move(start),
                        [&](auto& process) { return scan_fidelities(process, reach, step_limit); });
}

}  // namespace crosshead
