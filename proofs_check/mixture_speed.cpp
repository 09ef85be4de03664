// Does mixing heads make mixing faster? Two readings of "mixing heads speeds mixing" (arXiv 2507.02944, §2):
//   mixture-no-slower: T_mix(W̄, ε) ≤ max_h T_mix(W^(h), ε);
//   mixture-no-faster: T_mix(W̄, ε) ≥ min_h T_mix(W^(h), ε) (where it fails, the mixture beats every head).
// `never` counts as infinite.
#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {
namespace {

/// Judges T(mixture) against the slowest head (no_slower) or the fastest one.
std::vector<Judgement> against_heads(const MeasuredSystem& measured, bool no_slower) {
    const SystemMeasure& measure = measured.measure;
    if (const auto obstacle = walk_obstacle(measure); !obstacle.empty())
        return vacuous_for_every_epsilon(measured, obstacle);
    if (measure.heads.size() == 1)
        return vacuous_for_every_epsilon(measured, "one head: the mixture is that head");
    std::vector<Judgement> judgements;
    for (std::size_t k = 0; k < measured.options.epsilons.size(); ++k) {
        const MixingTime& mixture = measure.mixture.walk->mixing_times[k];
        // ∃ head with T(mixture) ≤ T(head), or ∃ head with T(head) ≤ T(mixture).
        Decision holds = Decision::no;
        const MixingTime* extreme = &measure.heads.front().walk->mixing_times[k];
        for (const auto& head : measure.heads) {
            const MixingTime& time = head.walk->mixing_times[k];
            const Decision one = no_slower ? less_equal(mixture, time) : less_equal(time, mixture);
            if (one == Decision::yes || holds == Decision::no) holds = holds == Decision::yes ? holds : one;
            const bool more_extreme = no_slower ? less_equal(time, *extreme) == Decision::no
                                                : less_equal(*extreme, time) == Decision::no;
            if (more_extreme) extreme = &time;
        }
        const Quantity left = steps_of(mixture), right = steps_of(*extreme);
        judgements.push_back({epsilon_parameter(measured.options.epsilons[k]), outcome_of(holds),
                              "T_mix(mixture) = " + to_text(mixture),
                              (no_slower ? "slowest head " : "fastest head ") + to_text(*extreme), "",
                              no_slower ? relative_margin(left, right) : relative_margin(right, left)});
    }
    return judgements;
}

}  // namespace

std::vector<Judgement> judge_mixture_no_slower(const MeasuredSystem& measured) {
    return against_heads(measured, true);
}
std::vector<Judgement> judge_mixture_no_faster(const MeasuredSystem& measured) {
    return against_heads(measured, false);
}

}  // namespace crosshead
