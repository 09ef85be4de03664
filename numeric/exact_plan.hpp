// Whether a system is small enough in bits to be answered in exact integers, decided before anything is
// built.
#pragma once

#include <crosshead/exact/mixture.hpp>
#include <optional>

namespace crosshead {

/// Bits that the exact denominators of one column (walk) or row (diffusion) of the mixture can take at most.
double denominator_bits(const HeadSystem& system, Operator kind);

/// The exact mixture, where the denominators of its n rows or columns together are bounded by `max_bits`, as
/// then are the step denominator and the fractions of a back-substitution; else nothing.
std::optional<TransitionMatrix<Rational>> exact_matrix(const HeadSystem& system, Operator kind,
                                                       double max_bits);

/// Limb operations of `steps` exact steps: each step grows all numerators by the bits of the step
/// denominator.
double exact_cost(const TransitionMatrix<Integer>& matrix, double steps);

}  // namespace crosshead
