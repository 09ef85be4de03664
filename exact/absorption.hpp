// Expected absorption times and limits by one substitution on a triangular matrix, over any scalar.
#pragma once

#include <crosshead/exact/transition_matrix.hpp>
#include <optional>
#include <vector>

namespace crosshead {
namespace detail {

/// Calls visit(j) for every node but `absorbing`, nearest to it first: down from the sink, or up from node 0.
template <class Visit>
void away_from(Node absorbing, int nodes, const Visit& visit) {
    if (absorbing == 0)
        for (Node j = 1; j < nodes; ++j) visit(static_cast<std::size_t>(j));
    else
        for (Node j = nodes - 1; j-- > 0;) visit(static_cast<std::size_t>(j));
}

}  // namespace detail

/// Expected steps until absorption, by start. `step` drives survivors (s ← s·step): the walk matrix with the
/// sink absorbing, or the transposed diffusion matrix with node 0 absorbing. h = 0 at the absorbing node and
///     h_j = (1 + Σ_{k≠j} step[k][j] h_k) / Σ_{k≠j} step[k][j],
/// sums of non-negative terms only (the leak 1 − step[j][j] is summed, not subtracted). nullopt where the
/// walk from j may never arrive. Matrices without scales. O(edges).
template <class Scalar>
std::vector<std::optional<Scalar>> absorption_times(const TransitionMatrix<Scalar>& step, Node absorbing) {
    const auto by_start = transposed(step);
    std::vector<std::optional<Scalar>> times(static_cast<std::size_t>(step.nodes));
    times[static_cast<std::size_t>(absorbing)] = Scalar(0);
    detail::away_from(absorbing, step.nodes, [&](std::size_t j) {
        Scalar leak(0), expected(1);
        bool arrives = true;
        for (std::size_t e = by_start.row_begin[j]; e < by_start.row_begin[j + 1]; ++e) {
            const auto k = static_cast<std::size_t>(by_start.column[e]);
            if (k == j) continue;
            leak += by_start.entry[e];
            arrives = arrives && times[k].has_value();
            if (arrives) expected += by_start.entry[e] * *times[k];
        }
        if (arrives && !(leak == 0)) times[j] = expected / leak;
    });
    return times;
}

/// lim_{t→∞} of the survivor probability, by start: 0 where absorption is certain, 1 for a node that cannot
/// leave. Same matrices as absorption_times.
template <class Scalar>
std::vector<Scalar> trapped_probabilities(const TransitionMatrix<Scalar>& step, Node absorbing) {
    const auto by_start = transposed(step);
    std::vector<Scalar> trapped(static_cast<std::size_t>(step.nodes), Scalar(0));
    detail::away_from(absorbing, step.nodes, [&](std::size_t j) {
        Scalar leak(0), trapped_later(0);
        for (std::size_t e = by_start.row_begin[j]; e < by_start.row_begin[j + 1]; ++e) {
            const auto k = static_cast<std::size_t>(by_start.column[e]);
            if (k == j) continue;
            leak += by_start.entry[e];
            trapped_later += by_start.entry[e] * trapped[k];
        }
        trapped[j] = leak == 0 ? Scalar(1) : Scalar(trapped_later / leak);
    });
    return trapped;
}

/// Absorption probability A_j = [j = τ] + Σ_{i>j} v_i Δ̄[i][j] of the walk down from τ (x_t = e_τ Δ̄^t) at
/// every node j whose only in-edge is its self-loop: its fidelity as a limit (design §1). The expected visits
/// are
///     v_k = ([k = τ] + Σ_{i>k} v_i Δ̄[i][k]) / Σ_{j<k} Δ̄[k][j].
/// nullopt for other nodes. A matrix without scales. O(edges).
template <class Scalar>
std::vector<std::optional<Scalar>> absorption_probabilities(const TransitionMatrix<Scalar>& diffusion) {
    const auto n = static_cast<std::size_t>(diffusion.nodes);
    std::vector<Scalar> inflow(n, Scalar(0));
    inflow[n - 1] = Scalar(1);
    std::vector<std::optional<Scalar>> result(n);
    for (std::size_t k = n; k-- > 0;) {
        Scalar leak(0);
        for (std::size_t e = diffusion.row_begin[k]; e < diffusion.row_begin[k + 1]; ++e)
            if (static_cast<std::size_t>(diffusion.column[e]) != k) leak += diffusion.entry[e];
        if (leak == 0) {
            result[k] = inflow[k];
            continue;
        }
        const Scalar visits = inflow[k] / leak;
        for (std::size_t e = diffusion.row_begin[k]; e < diffusion.row_begin[k + 1]; ++e)
            if (static_cast<std::size_t>(diffusion.column[e]) != k)
                inflow[static_cast<std::size_t>(diffusion.column[e])] += visits * diffusion.entry[e];
    }
    return result;
}

}  // namespace crosshead
