#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {

Outcome outcome_of(Decision decision) {
    if (decision == Decision::undecided) return Outcome::undecided;
    return decision == Decision::yes ? Outcome::holds : Outcome::fails;
}

std::optional<double> relative_margin(const Quantity& left, const Quantity& right) {
    if (left.infinite || right.infinite || !(right.approximation() > 0)) return std::nullopt;
    if (left.exact && right.exact) return approximate((*right.exact - *left.exact) / *right.exact);
    return (right.approximation() - left.approximation()) / right.approximation();
}

std::string walk_obstacle(const SystemMeasure& measure) {
    if (!measure.mixture.walk) return measure.mixture.walk_undefined_because;
    for (const auto& head : measure.heads)
        if (!head.walk) return head.walk_undefined_because;
    return "";
}

}  // namespace crosshead
