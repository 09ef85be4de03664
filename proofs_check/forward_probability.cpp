// The forward probability of a mixture (proof of Theorem 2.9 of arXiv 2507.02944): p(W̄) ≥ p = Σ_h α_h p_h.
// Tested node by node: Σ_h α_h (leak_h(j) − p_h) ≥ 0 for every non-sink j.
#include <fmt/format.h>

#include <crosshead/proofs_check/leak_comparison.hpp>
#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {

std::vector<Judgement> judge_forward_probability(const MeasuredSystem& measured) {
    Judgement judgement;
    if (const auto obstacle = walk_obstacle(measured.measure); !obstacle.empty()) {
        judgement.outcome = Outcome::vacuous;
        judgement.note = obstacle;
        return {judgement};
    }
    const Quantity& mixture = measured.measure.mixture.walk->forward_probability;
    const Quantity& bound = *measured.measure.forward_probability_bound;
    judgement.left = "p(mixture) = " + to_text(mixture);
    judgement.right = "sum of alpha_h p_h = " + to_text(bound);
    judgement.margin = relative_margin(bound, mixture);
    Decision below = less(mixture, bound);
    if (below == Decision::undecided) {
        LeakComparison leaks(measured.system);
        below = Decision::no;
        for (Node j = 0; j + 1 < measured.system.nodes(); ++j)
            if (!leaks.reaches_bound(j)) below = Decision::yes;
        judgement.note = "decided exactly";
    }
    judgement.outcome = outcome_of(negated(below));
    return {judgement};
}

}  // namespace crosshead
