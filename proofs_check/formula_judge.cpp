#include <fmt/format.h>

#include <cmath>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <crosshead/proofs_check/explanation.hpp>
#include <crosshead/proofs_check/formula_judge.hpp>

namespace crosshead {
namespace {

std::string side(const std::string& text, const std::optional<Real>& value) {
    if (!value) return text;
    const std::string number = to_text(*value);
    return number == text ? number : text + " = " + number;
}

Judgement judgement_of(const Instance& instance, MeasuredSource& source) {
    const Explanation explanation = explain(instance, source);
    Judgement judgement;
    if (!instance.values().empty()) judgement.parameter = "epsilon = " + to_string(instance.values().front());
    judgement.outcome = explanation.statement.outcome;
    judgement.note = explanation.note;
    judgement.left =
        explanation.left ? side(explanation.left_text, explanation.left) : explanation.comparison;
    judgement.right = side(explanation.right_text, explanation.right);
    const bool compared = judgement.outcome == Outcome::holds || judgement.outcome == Outcome::fails;
    if (compared && std::isfinite(explanation.statement.margin))
        judgement.margin = explanation.statement.margin;
    return judgement;
}

}  // namespace

std::vector<Judgement> judge_formula(const Claim& claim, const MeasuredSystem& measured) {
    const auto conjecture = std::make_shared<const Conjecture>(
        parse_conjecture(claim.statement, fmt::format("claim {}", claim.id), {}, measured.options.epsilons));
    MeasuredSource source(measured.system, measured.options, &measured.measure);
    std::vector<Judgement> judgements;
    for (const auto& instance : instances_of(conjecture, claim.existential()))
        judgements.push_back(judgement_of(instance, source));
    return judgements;
}

}  // namespace crosshead
