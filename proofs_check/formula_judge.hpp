// Claims of the conjecture language at a system that numeric/ has measured.
#pragma once

#include <crosshead/proofs_check/claims.hpp>

namespace crosshead {

/// One judgement for each ε of the options where the statement has ε, else one.
std::vector<Judgement> judge_formula(const Claim& claim, const MeasuredSystem& measured);

}  // namespace crosshead
