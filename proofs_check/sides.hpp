// Comparing the two sides of a claim, and what its report says of them.
#pragma once

#include <crosshead/numeric/measure.hpp>
#include <crosshead/proofs_check/claims.hpp>
#include <string>

namespace crosshead {

Outcome outcome_of(Decision decision);
/// (right − left) / right, where both are finite and right > 0.
std::optional<double> relative_margin(const Quantity& left, const Quantity& right);

/// Why the walk claims cannot be tested here, or empty: a walk matrix is undefined.
std::string walk_obstacle(const SystemMeasure& measure);

}  // namespace crosshead
