// The mixing measurement of the first paper's reference code, in closed form (design §5,
// published-mixing-proxy).
#pragma once

#include <crosshead/exact/transition_matrix.hpp>

namespace crosshead {

/// Steps after which the published sampler gives up.
inline constexpr int published_step_cap = 100;

/// Expected number of steps of the published sampler, mean over all n starts (the sink counts as 0); an
/// estimate in double, not an enclosure.
///
/// The sampler walks along rows of Aᵀ as they stand: from node j it goes to i with probability A[i][j]. These
/// do not sum to 1. It draws by running sums in the order of i: what is missing from 1 falls into the sink,
/// what exceeds 1 is cut. A walk ends at the sink or after 100 steps. With q the cut probabilities and
/// alive_t[j] the chance that a walk from j has not ended after t steps, alive_0 = 1 off the sink,
///     alive_{t+1}[j] = Σ_{i≠τ} q[i][j] alive_t[i],   E[steps from j] = Σ_{t=0}^{99} alive_t[j].
/// `attention`: the mixture Σ_h w_h A^(h) with rows renormalised, which is Δ̄ for β = w.
double published_mixing_proxy(const TransitionMatrix<double>& attention);

}  // namespace crosshead
