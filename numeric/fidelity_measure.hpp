// Fidelities of one diffusion matrix by the cheapest rigorous method for each node.
#pragma once

#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/numeric/measure.hpp>
#include <optional>

namespace crosshead {

/// φ_j of every node of Δ̄. `matrix` is Δ̄ in entry_bits bits; `exact` is Δ̄ exactly, where the system is small
/// enough in bits.
std::vector<FidelityMeasure> measure_fidelities(const HeadSystem& system, const FloatMatrix& matrix,
                                                const std::optional<TransitionMatrix<Rational>>& exact,
                                                const MeasureOptions& options);

/// min over `nodes` first entries of `fidelity`; node and step are those of the smallest, the first where
/// exact values tie.
MinimaxFidelity minimax_fidelity(const std::vector<FidelityMeasure>& fidelity, std::size_t nodes);

}  // namespace crosshead
