// Theorem 2.9 of arXiv 2507.02944: T_mix ≲ 2N/p with p = Σ_h α_h p_h.
// We read "≲" literally, as ≤ for every ε: T_mix(ε) ≤ 2N/p, N = n − 1.
#include <fmt/format.h>

#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {

std::vector<Judgement> judge_mixing_literal(const MeasuredSystem& measured) {
    if (const auto obstacle = walk_obstacle(measured.measure); !obstacle.empty())
        return vacuous_for_every_epsilon(measured, obstacle);
    const Quantity& p = *measured.measure.forward_probability_bound;
    const auto bound = ratio(Quantity::of(2 * (measured.system.nodes() - 1)), p);
    if (!bound) return vacuous_for_every_epsilon(measured, "p = 0: the bound 2N/p is infinite");
    std::vector<Judgement> judgements;
    for (std::size_t k = 0; k < measured.options.epsilons.size(); ++k) {
        const MixingTime& time = measured.measure.mixture.walk->mixing_times[k];
        const Quantity steps = steps_of(time);
        judgements.push_back({epsilon_parameter(measured.options.epsilons[k]),
                              outcome_of(negated(less(*bound, steps))), "T_mix = " + to_text(time),
                              "2N/p = " + to_text(*bound), "", relative_margin(steps, *bound)});
    }
    return judgements;
}

}  // namespace crosshead
