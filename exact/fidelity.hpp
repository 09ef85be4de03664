// Fidelity φ_j = sup_{t ≥ 1} (Δ̄^t)[τ][j], with the certificate that ends the search (design §1).
#pragma once

#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/exact/transition_matrix.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <cstddef>
#include <vector>

namespace crosshead {

/// How φ_j comes about, decided by the graph alone.
enum class FidelityKind {
    attained,    // some t ≥ 1 reaches the supremum
    limit,       // the only in-edge is the self-loop, and mass keeps trickling in: never attained
    unreachable  // (Δ̄^t)[τ][j] = 0 for every t ≥ 1: j does not reach the sink, or is the sink without
                 // self-loop
};

/// One kind for each node. A node whose only in-edge is its self-loop is `limit` exactly where a node between
/// it and the sink holds mass back by a self-loop; without one all mass arrives in finitely many steps.
std::vector<FidelityKind> fidelity_kinds(const Reachability& reach);

/// Exact φ_j of an `attained` node.
struct ExactFidelity {
    Rational value = 0;
    std::size_t attained_at = 1;  // the smallest t that attains it
    bool final = false;           // the stopping certificate m_j(t) ≤ φ_j was reached
    std::size_t closed_at = 0;    // the t at which it was reached
};

/// Scans t = 1, 2, … over integers until the survivor mass m_j(t) on D_j closes every `attained` node, or
/// until `step_limit`. Entries of other kinds are left at their defaults (unreachable ones are final with
/// value 0).
std::vector<ExactFidelity> exact_fidelities(const TransitionMatrix<Integer>& diffusion,
                                            const Reachability& reach, std::size_t step_limit);

}  // namespace crosshead
