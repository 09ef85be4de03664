// Mixing and absorption times of one absorbing walk: T_mix (rows of W̄, the sink absorbing) and T_bwd (columns
// of Δ̄, node 0 absorbing) are the same computation on survivors.
#pragma once

#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/numeric/measure.hpp>
#include <optional>

namespace crosshead {

/// One absorbing walk in the forms that the methods need. `step` matrices drive survivors: s ← s · step.
struct SurvivalProblem {
    const FloatMatrix& matrix;  // W̄ or Δ̄ itself
    Operator kind;              // walk: absorbed in the sink; diffusion: absorbed in node 0
    const HeadSystem& system;
    std::optional<TransitionMatrix<Rational>> exact;  // the matrix itself, where it is small enough in bits

    Node absorbing() const { return kind == Operator::walk ? matrix.nodes - 1 : 0; }
    /// W̄, or the transpose of Δ̄, in another scalar.
    template <class Scalar>
    TransitionMatrix<Scalar> step(TransitionMatrix<Scalar> converted) const {
        return kind == Operator::walk ? std::move(converted) : transposed(converted);
    }
};

/// T(ε) for every ε of the options.
std::vector<MixingTime> survival_times(const SurvivalProblem& problem, const MeasureOptions& options);

}  // namespace crosshead
