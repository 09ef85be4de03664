// Amplification of the weakest signal (arXiv 2507.02944, §3): some system has φ(Δ̄) > max_h φ(Δ^(h)).
// Existential: one system that does is the whole claim. Minimax fidelity over all nodes, the sink included.
#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {

std::vector<Judgement> judge_amplification(const MeasuredSystem& measured) {
    const SystemMeasure& measure = measured.measure;
    Judgement judgement;
    if (measure.heads.size() == 1) {
        judgement.outcome = Outcome::vacuous;
        judgement.note = "one head: the mixture is that head";
        return {judgement};
    }
    Quantity best = measure.heads.front().minimax.fidelity.value;
    for (const auto& head : measure.heads) best = larger(best, head.minimax.fidelity.value);
    const Quantity& mixture = measure.mixture.minimax.fidelity.value;
    judgement.outcome = outcome_of(less(best, mixture));
    judgement.left = "phi(mixture) = " + to_text(mixture);
    judgement.right = "best head " + to_text(best);
    if (const auto gain = ratio(mixture, best); gain && !gain->infinite)
        judgement.margin = gain->approximation() - 1;
    return {judgement};
}

}  // namespace crosshead
