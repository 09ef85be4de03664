// Mixing times and fidelities of chains that run for 10^9, 10^15, 10^45 steps: powers by repeated squaring in
// as many bits as the length of the run asks for, then bisection over time.
#pragma once

#include <crosshead/numeric/certified_scan.hpp>
#include <crosshead/numeric/power_ladder.hpp>
#include <vector>

namespace crosshead {

/// Which vector the survivors are: rows of W̄ (T_mix, absorbed in the sink) or columns of Δ̄ (T_bwd, absorbed
/// in node 0).
enum class SurvivorSide { row, column };

/// T_mix(ε) for each ε from powers of the matrix. Exact integers wherever the precision of the ladder decides
/// every comparison; an enclosure otherwise. 2·log2(T) + log2(n) + 20 bits usually decide.
/// Times beyond 2^`max_doublings` steps come back without an upper end.
std::vector<MixingTime> long_mixing_times(PowerLadder& ladder, SurvivorSide side,
                                          const std::vector<Rational>& epsilons, const Convention& convention,
                                          std::size_t max_doublings);

/// Improves `fidelities` (from a scan that ended at t = 2^`scanned_doublings`) where they are not final: the
/// later steps are covered by intervals [a, a + 2^k], each bounded by the first and second difference of x_t
/// at a, halved until no interval can hold more than the best value found by a relative 2^−33.
/// Needs about 3·log2(T) + 60 bits. Stops at 2^`max_doublings`; what is open then stays not final.
void refine_long_fidelities(PowerLadder& ladder, const Reachability& reach, std::size_t scanned_doublings,
                            std::size_t max_doublings, std::vector<CertifiedFidelity>& fidelities);

}  // namespace crosshead
