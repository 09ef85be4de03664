// Mixing times and fidelities decided in plain double, with bounds derived beforehand (design §2, fact 2).
#pragma once

#include <crosshead/exact/fidelity.hpp>
#include <crosshead/numeric/enclosure.hpp>
#include <vector>

namespace crosshead {

/// How far a computed value v̂ of a propagated vector may lie from the true v: |v̂ − v| ≤ relative·v̂ +
/// absolute.
struct PropagationError {
    double relative = 0;
    double absolute = 0;

    /// The error after `steps` steps on n nodes in double, u = 2^−53. A step adds at most n terms: n − 1
    /// additions, one multiplication and two roundings for the matrix entry (float_matrix.hpp), so
    /// K = (n + 2)·steps roundings in all and |v̂ − v| ≤ γ_K·v, γ_K = K·u/(1 − K·u); seen from v̂ that is
    /// γ_K/(1 − γ_K) = K·u/(1 − 2K·u). Nothing cancels. Underflow: a product or a matrix entry is off by at
    /// most η/2, η = 2^−1074; an entry of one step meets at most 3n of those, later steps multiply that by at
    /// most n (rows or columns are stochastic) and by the factor above: 4·n²·steps·η covers it. Valid while
    /// K·u ≤ 1/4; beyond that the relative bound is infinite.
    static PropagationError after(int nodes, double steps);
    /// The true value of something computed as `value` with this error.
    Enclosure around(double value) const;
};

/// T_mix(ε) for each ε, as exact_mixing_times, from a double matrix. An answer is an enclosure where a
/// distance came too close to ε to decide, or where `step_limit` ended the scan (then without an upper end).
std::vector<MixingTime> certified_mixing_times(const TransitionMatrix<double>& matrix, Node absorbing,
                                               const std::vector<Rational>& epsilons,
                                               const Convention& convention, std::size_t step_limit);

/// φ_j of one `attained` node: an enclosure, and the range of steps that can hold the first maximum.
struct CertifiedFidelity {
    Enclosure value;
    Integer attained_from = 1, attained_to = 1;
    /// True when the survivor mass closed the search; else `value` reaches up to that mass, still a true
    /// bound, and later steps than attained_to may attain it.
    bool final = false;
    /// Upper end over the scanned steps alone.
    double scanned_upper = 0;
};

/// As exact_fidelities, from a double matrix.
std::vector<CertifiedFidelity> certified_fidelities(const TransitionMatrix<double>& diffusion,
                                                    const Reachability& reach, std::size_t step_limit);

}  // namespace crosshead
