// Expected absorption times and limits by one substitution on a triangular matrix, over any scalar.
#pragma once

#include <crosshead/exact/transition_matrix.hpp>
#include <optional>
#include <vector>

namespace crosshead {

/// Expected steps of the walk from each node to the sink: h_τ = 0 and
///     h_j = (1 + Σ_{k>j} W[k][j] h_k) / (1 − W[j][j]),   1 − W[j][j] = Σ_{k>j} W[k][j],
/// sums of non-negative terms only. nullopt where the walk from j may never arrive. Plain matrices only (no
/// scales). O(edges).
template <class Scalar>
std::vector<std::optional<Scalar>> absorption_times(const TransitionMatrix<Scalar>& walk) {
    const auto n = static_cast<std::size_t>(walk.nodes);
    const auto by_source = transposed(walk);
    std::vector<std::optional<Scalar>> times(n);
    times[n - 1] = Scalar(0);
    for (std::size_t j = n - 1; j-- > 0;) {
        Scalar leak(0), expected(1);
        bool arrives = true;
        for (std::size_t e = by_source.row_begin[j]; e < by_source.row_begin[j + 1]; ++e) {
            const auto k = static_cast<std::size_t>(by_source.column[e]);
            if (k == j) continue;
            leak += by_source.entry[e];
            arrives = arrives && times[k].has_value();
            if (arrives) expected += by_source.entry[e] * *times[k];
        }
        if (arrives && !(leak == 0)) times[j] = expected / leak;
    }
    return times;
}

/// Expected visits v_k of the walk down from τ (x_t = e_τ Δ̄^t): v_k = ([k = τ] + Σ_{i>k} v_i Δ̄[i][k]) / (1 −
/// Δ̄[k][k]); and with them the absorption probability A_j = [j = τ] + Σ_{i>j} v_i Δ̄[i][j] of every node j
/// whose only in-edge is its self-loop, which is its fidelity as a limit (design §1). nullopt for other
/// nodes.
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
