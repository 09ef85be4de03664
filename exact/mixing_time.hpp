// T_mix(ε) by propagating survivors: one linear scan for any number of ε, over any scalar.
#pragma once

#include <crosshead/exact/convention.hpp>
#include <crosshead/exact/transition_matrix.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

/// The answer to "is this so?" where numbers may be enclosures.
enum class Decision { no, yes, undecided };

/// T_mix(ε) in steps: an exact integer, an enclosure, or never.
struct MixingTime {
    bool never = false;
    Integer lower = 0;             // T ≥ lower
    std::optional<Integer> upper;  // T ≤ upper; absent where no upper bound is known

    static MixingTime exactly(Integer steps) { return {false, steps, steps}; }
    static MixingTime no_step() { return {true, 0, std::nullopt}; }
    bool is_exact() const { return !never && upper && *upper == lower; }
};

/// s_0: survivor probability 1 everywhere but at `absorbing`, as a row (or, for reverse mixing, a column)
/// vector.
template <class Scalar>
std::vector<Scalar> initial_survivors(int nodes, Node absorbing) {
    std::vector<Scalar> start(static_cast<std::size_t>(nodes), Scalar(1));
    start[static_cast<std::size_t>(absorbing)] = Scalar(0);
    return start;
}

/// Steps `process` (survivors s_t, see RowPropagation) until every threshold is decided or `step_limit` is
/// reached. `passes(process, k)` answers whether d(t) is below threshold k. Survivor mass never grows, so
/// `yes` stays `yes`; steps at which the answer was undecided widen the result to an enclosure.
template <class Process, class Passes>
std::vector<MixingTime> scan_mixing_times(Process& process, std::size_t thresholds, std::size_t step_limit,
                                          const Passes& passes) {
    std::vector<MixingTime> times(thresholds);
    std::vector<bool> may_have_passed(thresholds, false);
    std::size_t open = thresholds;
    while (open > 0) {
        const Integer now = process.steps();
        for (std::size_t k = 0; k < thresholds; ++k) {
            if (times[k].upper) continue;
            const Decision decision = passes(process, k);
            if (decision != Decision::no && !may_have_passed[k]) {
                times[k].lower = now;
                may_have_passed[k] = true;
            }
            if (decision == Decision::yes) {
                times[k].upper = now;
                --open;
            } else if (!may_have_passed[k]) {
                times[k].lower = now + 1;
            }
        }
        if (process.steps() >= step_limit) break;
        if (open > 0) process.step();
    }
    return times;
}

/// T_mix(ε) for each ε > 0, exactly, over integers on a common denominator; results in the order given.
/// `survivors` must be the walk over survivors only: the walk matrix for T_mix (row vectors, sink absorbing),
/// or the transposed diffusion matrix for T_bwd (node 0 absorbing). Nodes that never reach the absorbing node
/// are the caller's business: with one, T is `never` for every small ε, and this function would reach
/// `step_limit`.
std::vector<MixingTime> exact_mixing_times(const TransitionMatrix<Integer>& matrix, Node absorbing,
                                           const std::vector<Rational>& epsilons,
                                           const Convention& convention, std::size_t step_limit);

}  // namespace crosshead
