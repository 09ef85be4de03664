// The operators of single heads in certified double.
#pragma once

#include <crosshead/exact/head_operators.hpp>
#include <crosshead/numeric/enclosure.hpp>

namespace crosshead {

/// head_operators with every entry enclosed, a few units in the last place wide; step_denominator 1. Throws
/// as head_operators.
HeadOperators<Enclosure> enclosure_operators(const HeadSystem& system, Operator kind, HeadWeights weights);

/// The exact operators, where the bounds on denominators allow a look at them at all.
std::optional<HeadOperators<Integer>> exact_operators(const HeadSystem& system, Operator kind,
                                                      HeadWeights weights, double max_step_bits);

}  // namespace crosshead
