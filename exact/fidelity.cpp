#include <crosshead/exact/exact_process.hpp>
#include <crosshead/exact/fidelity.hpp>

namespace crosshead {

std::vector<FidelityKind> fidelity_kinds(const Reachability& reach) {
    const int n = reach.nodes();
    std::vector<FidelityKind> kinds(static_cast<std::size_t>(n), FidelityKind::attained);
    for (Node j = 0; j < n; ++j) {
        auto& kind = kinds[static_cast<std::size_t>(j)];
        if (!reach.reaches_sink(j) || (j == n - 1 && !reach.has_self_loop(j))) {
            kind = FidelityKind::unreachable;
        } else if (!reach.has_other_in_edge(j) && j != n - 1) {
            const auto& between = reach.reached_from(j);
            for (Node k = j + 1; k < n; ++k)
                if (between.test(static_cast<std::size_t>(k)) && reach.reaches_sink(k) &&
                    reach.has_self_loop(k))
                    kind = FidelityKind::limit;
        }
    }
    return kinds;
}

namespace {

/// Σ_{k ∈ D_j} x_t[k], over the denominator of the row.
Integer mass_reached(const std::vector<Integer>& row, const boost::dynamic_bitset<>& reached) {
    Integer mass = 0;
    for (auto k = reached.find_first(); k != boost::dynamic_bitset<>::npos; k = reached.find_next(k))
        mass += row[k];
    return mass;
}

/// exact_fidelities over a process that starts at e_τ and multiplies its denominator by `step_denominator`.
template <class Process>
std::vector<ExactFidelity> scan(Process& process, const Integer& step_denominator, const Reachability& reach,
                                std::size_t step_limit) {
    const auto kinds = fidelity_kinds(reach);
    const std::size_t n = kinds.size();
    std::vector<ExactFidelity> result(n);
    std::vector<Integer> best(n, Integer(-1));  // running maximum over the *current* denominator
    std::size_t open = 0;
    for (std::size_t j = 0; j < n; ++j) {
        if (kinds[j] == FidelityKind::attained) ++open;
        result[j].final = kinds[j] == FidelityKind::unreachable;
    }
    while (open > 0 && process.steps() < step_limit) {
        process.step();
        for (std::size_t j = 0; j < n; ++j) {
            if (kinds[j] != FidelityKind::attained || result[j].final) continue;
            best[j] *= step_denominator;
            const Integer& now = process.row()[j];
            if (now > best[j]) {
                best[j] = now;
                result[j].attained_at = process.steps();
            }
            if (mass_reached(process.row(), reach.reached_from(static_cast<Node>(j))) > best[j]) continue;
            result[j].value = Rational(best[j], process.denominator());
            result[j].final = true;
            result[j].closed_at = process.steps();
            --open;
        }
    }
    return result;
}

}  // namespace

std::vector<ExactFidelity> exact_fidelities(const TransitionMatrix<Integer>& diffusion,
                                            const Reachability& reach, std::size_t step_limit) {
    std::vector<Integer> start(static_cast<std::size_t>(diffusion.nodes), Integer(0));
    start.back() = 1;
    return with_process(diffusion, std::move(start), [&](auto& process) {
        return scan(process, diffusion.step_denominator, reach, step_limit);
    });
}

}  // namespace crosshead
