#include <fmt/format.h>

#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {

Outcome outcome_of(Decision decision) {
    if (decision == Decision::undecided) return Outcome::undecided;
    return decision == Decision::yes ? Outcome::holds : Outcome::fails;
}

Decision less_equal(const MixingTime& a, const MixingTime& b) {
    if (b.never) return Decision::yes;
    if (a.never) return b.upper ? Decision::no : Decision::undecided;
    if (a.upper && *a.upper <= b.lower) return Decision::yes;
    return b.upper && a.lower > *b.upper ? Decision::no : Decision::undecided;
}

std::optional<double> relative_margin(const Quantity& left, const Quantity& right) {
    if (left.infinite || right.infinite || !(right.approximation() > 0)) return std::nullopt;
    if (left.exact && right.exact) return approximate((*right.exact - *left.exact) / *right.exact);
    return (right.approximation() - left.approximation()) / right.approximation();
}

std::string epsilon_parameter(const Rational& epsilon) {
    return "epsilon = " + to_string(epsilon);
}

std::vector<Judgement> vacuous_for_every_epsilon(const MeasuredSystem& measured, const std::string& reason) {
    std::vector<Judgement> judgements;
    for (const auto& epsilon : measured.options.epsilons)
        judgements.push_back({epsilon_parameter(epsilon), Outcome::vacuous, "", "", reason, std::nullopt});
    return judgements;
}

std::string walk_obstacle(const SystemMeasure& measure) {
    if (!measure.mixture.walk) return measure.mixture.walk_undefined_because;
    for (const auto& head : measure.heads)
        if (!head.walk) return head.walk_undefined_because;
    return "";
}

}  // namespace crosshead
