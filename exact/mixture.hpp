// W̄ and Δ̄ of a head system, exactly (design §1).
#pragma once

#include <crosshead/exact/transition_matrix.hpp>
#include <crosshead/graphs/head_system.hpp>

namespace crosshead {

enum class Operator { walk, diffusion };

/// W̄ = Σ_h α_h W^(h), each head's columns normalised first. Column-stochastic.
/// Throws UndefinedQuantity where a head with α_h > 0 has a node without out-weight; names both.
TransitionMatrix<Rational> walk_matrix(const HeadSystem& system);

/// Δ̄ = Σ_h β_h Δ^(h), each head's rows normalised first. Row-stochastic.
TransitionMatrix<Rational> diffusion_matrix(const HeadSystem& system);

/// Throws UndefinedQuantity as walk_matrix does, without building anything.
void require_walk_defined(const HeadSystem& system);

/// The same matrix over integers: `shared_by` rows (diffusion) or columns (walk) each share one denominator,
/// which becomes a scale; the least common multiple of those is the step denominator. Nothing is ever reduced
/// afterwards (reducing saves under 10 % of the bits and costs a factor of about 1,000).
TransitionMatrix<Integer> over_common_denominator(const TransitionMatrix<Rational>& matrix,
                                                  Operator shared_by);

/// p_h = min over non-sink j of (1 − W^(h)[j][j]), each head, exactly; a system of one node has p_h = 1.
/// Throws UndefinedQuantity as walk_matrix does (for any head, whatever its weight).
std::vector<Rational> forward_probabilities(const HeadSystem& system);

/// p = Σ_h α_h p_h.
Rational forward_probability_bound(const HeadSystem& system);

/// p(W̄) = min over non-sink j of (1 − W̄[j][j]), exactly.
Rational mixture_forward_probability(const HeadSystem& system);

}  // namespace crosshead
