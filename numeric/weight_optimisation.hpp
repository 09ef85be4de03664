// The best head weights of a system, with a certificate: can weights make the layer beat its best head, by
// how much at most, and how near are the weights that it has?
//
// The optimum is enclosed by branch and bound on Bernstein coefficients (docs/definitions.md); its good end
// is a value measured at exact rational weights, its other end a rigorous bound over all weights.
#pragma once

#include <crosshead/exact/convention.hpp>
#include <crosshead/numeric/quantity.hpp>
#include <crosshead/numeric/weight_search.hpp>
#include <optional>
#include <vector>

namespace crosshead {

enum class WeightGoal {
    minimax_fidelity,  // largest φ over β; a supremum: weights on the boundary may not reach it
    mixing_time,       // least T_mix(ε) over α
    absorption         // least expected absorption time over α, worst or mean start
};

struct OptimisationOptions {
    WeightGoal goal = WeightGoal::minimax_fidelity;
    Rational epsilon = Rational(1, 4);  // of the mixing time
    Convention convention;              // norm and strictness of the mixing time; start of both times
    WeightSearchOptions search;
};

/// Weights and what they reach: a measured value, exact or an enclosure.
struct WeightChoice {
    std::vector<Rational> weights;
    Quantity value;
};

struct WeightOptimum {
    std::vector<Quantity> heads;  // each head alone
    std::size_t best_head = 0;    // the first of the best, as far as enclosures tell
    WeightChoice own, uniform, best;
    Quantity optimum;  // encloses the best value over all weights
    WeightSearch search;
    /// Rational bounds show that no weights beat the best head: the optimum is its value.
    bool single_head_is_best = false;
    /// Whether some weights beat every single head: yes by the measured value, no by bounds (or where they
    /// leave no more than the width), else undecided.
    Decision beats_best_head = Decision::undecided;
};

/// Throws UndefinedQuantity where a walk is undefined, InputError for ε ≤ 0.
WeightOptimum optimise_weights(const HeadSystem& system, const OptimisationOptions& options);

/// Whether larger values are better.
inline bool larger_is_better(WeightGoal goal) {
    return goal == WeightGoal::minimax_fidelity;
}

/// The value of a goal under the weights that the system has. Throws as optimise_weights.
Quantity goal_value(const HeadSystem& system, const OptimisationOptions& options);

}  // namespace crosshead
