// Comparing the two sides of a claim, and what its report says of them.
#pragma once

#include <crosshead/numeric/measure.hpp>
#include <crosshead/proofs_check/claims.hpp>
#include <string>

namespace crosshead {

Outcome outcome_of(Decision decision);
/// a ≤ b with never = ∞.
Decision less_equal(const MixingTime& a, const MixingTime& b);
/// (right − left) / right, where both are finite and right > 0.
std::optional<double> relative_margin(const Quantity& left, const Quantity& right);

/// "epsilon = 1/4": the parameter of a judgement.
std::string epsilon_parameter(const Rational& epsilon);
/// A judgement for every ε that says why nothing can be tested.
std::vector<Judgement> vacuous_for_every_epsilon(const MeasuredSystem& measured, const std::string& reason);
/// Why the walk claims cannot be tested here, or empty: a walk matrix is undefined.
std::string walk_obstacle(const SystemMeasure& measure);

}  // namespace crosshead
