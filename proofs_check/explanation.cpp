#include <fmt/format.h>

#include <algorithm>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <crosshead/proofs_check/explanation.hpp>

namespace crosshead {
namespace {

using Values = std::vector<std::pair<int, Rational>>;

/// A rational as it is typed: 1/10 is a division.
void make_constant(Expression& e, const Rational& value) {
    const auto leaf = [&](const Integer& number) {
        Expression constant;
        constant.value = number;
        constant.where = e.where;
        return constant;
    };
    if (denominator(value) == 1) {
        e = leaf(numerator(value));
        return;
    }
    Expression quotient;
    quotient.operation = Operation::divide;
    quotient.operands = {leaf(numerator(value)), leaf(denominator(value))};
    e = std::move(quotient);
}

void substitute(Expression& e, const Values& values) {
    if (e.operation == Operation::variable)
        for (const auto& [slot, value] : values)
            if (slot == e.slot) {
                make_constant(e, value);
                return;
            }
    for (auto& operand : e.operands) substitute(operand, values);
}

bool has_free_variable(const Expression& e) {
    if (e.operation == Operation::variable) return true;
    return std::any_of(e.operands.begin(), e.operands.end(), has_free_variable);
}

/// Quantities of a substituted expression that do not depend on an inner variable, each text once.
void collect_quantities(const Expression& e, const Conjecture& conjecture,
                        Evaluator<MeasuredSource>& evaluator,
                        std::vector<std::pair<std::string, Real>>& found) {
    for (const auto& operand : e.operands) collect_quantities(operand, conjecture, evaluator, found);
    if (e.operation != Operation::quantity || e.type != Type::number || has_free_variable(e)) return;
    std::string text = to_text(e, conjecture.slot_names);
    for (const auto& [known, value] : found)
        if (known == text) return;
    found.emplace_back(std::move(text), evaluator.number(e));
}

/// d(T−1) and d(T) for each mixing time of the mixture or a head in the comparison.
void collect_steps(const Expression& e, MeasuredSource& source, Evaluator<MeasuredSource>& evaluator,
                   std::vector<std::pair<std::string, Real>>& steps) {
    for (const auto& operand : e.operands) collect_steps(operand, source, evaluator, steps);
    const bool time = e.operation == Operation::quantity && e.quantity == QuantityId::mixing_time;
    if (!time || has_free_variable(e) || (e.heads != HeadChoice::mixture && e.heads != HeadChoice::one))
        return;
    const auto mixed = RealArithmetic::integer(evaluator.number(e));
    constexpr int most = 10'000;
    if (!mixed || *mixed > most) return;
    const int head = e.heads == HeadChoice::one
                         ? RealArithmetic::integer(evaluator.number(e.operands[0])).value_or(-1)
                         : -1;
    const std::string name = head < 0 ? "d" : fmt::format("d[{}]", head);
    for (int t = std::max(0, *mixed - 1); t <= *mixed; ++t) {
        std::string text = fmt::format("{}({})", name, t);
        const bool known =
            std::any_of(steps.begin(), steps.end(), [&](const auto& step) { return step.first == text; });
        if (!known)
            steps.emplace_back(std::move(text), source.number(QuantityId::distance, head, Real(), {t, 0, 0}));
    }
}

/// The first side of a comparison that is undefined, and why; empty where all are defined.
std::string undefined_reason(const Expression& e, const Conjecture& conjecture,
                             Evaluator<MeasuredSource>& evaluator) {
    if (e.type == Type::number && !has_free_variable(e)) {
        const Real value = evaluator.number(e);
        if (value.undefined_because() == nullptr) return "";
        for (const auto& operand : e.operands)
            if (auto inner = undefined_reason(operand, conjecture, evaluator); !inner.empty()) return inner;
        return fmt::format("{}: {}", to_text(e, conjecture.slot_names), *value.undefined_because());
    }
    for (const auto& operand : e.operands)
        if (auto inner = undefined_reason(operand, conjecture, evaluator); !inner.empty()) return inner;
    return "";
}

}  // namespace

std::string text_with_values(const Expression& expression, const Conjecture& conjecture,
                             const Values& values) {
    Expression copy = expression;
    substitute(copy, values);
    return to_text(copy, conjecture.slot_names);
}

Explanation explain(const Instance& instance, MeasuredSource& source) {
    Explanation result;
    const Conjecture& conjecture = instance.conjecture();
    result.statement = instance.judge(source);
    Values values;
    for (std::size_t k = 0; k < instance.values().size(); ++k)
        values.emplace_back(conjecture.parameters[k].slot, instance.values()[k]);
    Evaluator<MeasuredSource> evaluator(conjecture, source);
    if (result.statement.outcome == Outcome::vacuous) {
        Expression root = conjecture.root;
        substitute(root, values);
        if (result.statement.undefined)
            result.note = undefined_reason(root, conjecture, evaluator);
        else if (root.operation == Operation::implies)
            result.note = "hypothesis not met: " + to_text(root.operands[0], conjecture.slot_names);
        else
            result.note = "hypothesis not met";
        if (result.note.empty()) result.note = "something in it is undefined here";
        return result;
    }
    if (result.statement.outcome == Outcome::undecided) {
        result.note = "the enclosures still overlap at 4,096 bits, or a number is too large to compute";
        return result;
    }
    const auto cause = instance.cause(source, result.statement.outcome == Outcome::holds);
    if (cause.comparison == nullptr) return result;
    for (const auto& [slot, value] : cause.bindings) {
        result.bindings.emplace_back(conjecture.slot_names[static_cast<std::size_t>(slot)], value);
        if (value.exact()) values.emplace_back(slot, *value.exact());
    }
    Expression comparison = *cause.comparison;
    substitute(comparison, values);
    result.comparison = to_text(comparison, conjecture.slot_names);
    result.comparison_holds = cause.holds;
    collect_quantities(comparison, conjecture, evaluator, result.quantities);
    // d(t) is L1 from the worst start: it tells nothing of mixing times in another convention.
    if (source.options().convention == Convention{})
        collect_steps(comparison, source, evaluator, result.steps);
    if (cause.left) {
        result.left_text = to_text(comparison.operands[0], conjecture.slot_names);
        result.right_text = to_text(comparison.operands[1], conjecture.slot_names);
        result.left = cause.left;
        result.right = cause.right;
    }
    return result;
}

}  // namespace crosshead
