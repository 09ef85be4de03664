#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/conjecture/constants.hpp>
#include <crosshead/proofs_check/conjecture/elaborate.hpp>
#include <utility>

namespace crosshead {
namespace {

// Precedence, loosest first; `not` and unary minus are prefixes at their own levels.
constexpr int level_implies = 1, level_or = 2, level_and = 3, level_not = 4, level_comparison = 5,
              level_sum = 6, level_product = 7, level_minus = 8, level_power = 9;

struct Infix {
    std::string_view symbol;
    Operation operation;
    int level;
};

constexpr Infix infixes[] = {
    {"=>", Operation::implies, level_implies},
    {"⇒", Operation::implies, level_implies},
    {"or", Operation::logical_or, level_or},
    {"∨", Operation::logical_or, level_or},
    {"and", Operation::logical_and, level_and},
    {"∧", Operation::logical_and, level_and},
    {"<", Operation::less, level_comparison},
    {"<=", Operation::less_equal, level_comparison},
    {"≤", Operation::less_equal, level_comparison},
    {">", Operation::greater, level_comparison},
    {">=", Operation::greater_equal, level_comparison},
    {"≥", Operation::greater_equal, level_comparison},
    {"==", Operation::equal, level_comparison},
    {"=", Operation::equal, level_comparison},
    {"!=", Operation::not_equal, level_comparison},
    {"≠", Operation::not_equal, level_comparison},
    {"+", Operation::add, level_sum},
    {"-", Operation::subtract, level_sum},
    {"−", Operation::subtract, level_sum},
    {"*", Operation::multiply, level_product},
    {"·", Operation::multiply, level_product},
    {"⋅", Operation::multiply, level_product},
    {"×", Operation::multiply, level_product},
    {"/", Operation::divide, level_product},
    {"^", Operation::power, level_power},
};

const Infix& infix_of(std::string_view symbol) {
    return *std::find_if(std::begin(infixes), std::end(infixes),
                         [&](const Infix& row) { return row.symbol == symbol; });
}

SourceRange span(const Term& left, const Term& right) {
    return {left.expression.where.begin, right.expression.where.end};
}

}  // namespace

int Variables::bind(const std::string& name, const SourceText& source, SourceRange where) {
    if (const auto why = why_reserved(name); !why.empty())
        fail_at(source, where, fmt::format("`{}` is {}; give the variable another name", name, why));
    for (const auto& bound : in_scope)
        if (bound.name == name)
            fail_at(source, where,
                    fmt::format("{} is bound twice: {}; give one of the two another name", name,
                                bound.slot < static_cast<int>(parameters.size())
                                    ? "it is a parameter already"
                                    : "a binder around this one has that name already"));
    const int slot = static_cast<int>(slot_names.size());
    slot_names.push_back(name);
    used.push_back(false);
    in_scope.push_back({name, slot});
    return slot;
}

Term Elaborator::term(const Syntax& chain) {
    Cursor cursor{chain.children};
    return level(cursor, level_implies);
}

Term Elaborator::number(const Syntax& chain, std::string_view user) {
    Term result = term(chain);
    require(Type::number, result, user);
    return result;
}

void Elaborator::require(Type type, const Term& term, std::string_view user) const {
    if (term.expression.type == type) return;
    fail(term.expression.where,
         type == Type::number
             ? fmt::format("{} needs a number, and this is a statement (true or false)", user)
             : fmt::format("{} needs a statement (true or false), and this is a number; compare it, as in "
                           "`{} > 0`",
                           user,
                           term.expression.where.end - term.expression.where.begin < 30
                               ? shown(term.expression.where)
                               : std::string_view("…")));
}

/// Operators of `lowest` or tighter, from the cursor on (precedence climbing).
Term Elaborator::level(Cursor& cursor, int lowest) {
    const auto where = cursor.items[cursor.at].where;
    if (++recursion_ > max_expression_depth + max_nesting)
        fail(where,
             fmt::format("the expression is nested more than {} deep; split it", max_expression_depth));
    Term left = prefixed(cursor);
    while (cursor.at < cursor.items.size()) {
        const auto& symbol = cursor.items[cursor.at];
        const auto& infix = infix_of(shown(symbol.where));
        if (infix.level < lowest) break;
        ++cursor.at;
        const bool right_associative = infix.level == level_implies || infix.level == level_power;
        Term right = level(cursor, right_associative ? infix.level : infix.level + 1);
        if (infix.level == level_comparison && cursor.at < cursor.items.size()) {
            const auto& following = cursor.items[cursor.at];
            if (infix_of(shown(following.where)).level == level_comparison) {
                ++cursor.at;
                const Term last = level(cursor, level_comparison + 1);
                const auto a = left.expression.where, b = right.expression.where, c = last.expression.where;
                const bool brief = c.end - a.begin < 80;
                fail({a.begin, c.end},
                     fmt::format("comparisons do not chain; write `{0} {1} {2} and {2} {3} {4}`",
                                 brief ? shown(a) : "a", shown(symbol.where), brief ? shown(b) : "b",
                                 shown(following.where), brief ? shown(c) : "c"));
            }
        }
        left = binary(symbol, std::move(left), std::move(right));
    }
    --recursion_;
    return left;
}

Term Elaborator::prefixed(Cursor& cursor) {
    const auto& item = cursor.items[cursor.at++];
    if (item.kind != SyntaxKind::prefix) return operand(item);
    const auto symbol = shown(item.where);
    const bool minus = symbol == "-" || symbol == "−";
    Term inner = level(cursor, minus ? level_minus : level_not);
    require(minus ? Type::number : Type::boolean, inner, fmt::format("`{}`", symbol));
    Expression root;
    root.operation = minus ? Operation::negate : Operation::logical_not;
    root.type = minus ? Type::number : Type::boolean;
    root.where = {item.where.begin, inner.expression.where.end};
    std::vector<Term> operands;
    operands.push_back(std::move(inner));
    return build(std::move(root), std::move(operands));
}

Term Elaborator::operand(const Syntax& item) {
    switch (item.kind) {
        case SyntaxKind::number:
            return literal(item);
        case SyntaxKind::reference:
            return reference(item);
        case SyntaxKind::binder:
            return binder(item);
        default:
            break;
    }
    Term inside = term(item.children.front());  // parenthesised
    inside.expression.where = item.where;
    return inside;
}

Term Elaborator::literal(const Syntax& item) {
    Expression leaf;
    leaf.operation = Operation::constant;
    leaf.where = item.where;
    std::string digits(shown(item.where));
    try {
        leaf.value = parse_rational(digits, "number");
    } catch (const InputError&) {
        fail(item.where, fmt::format("the exponent of this number exceeds {}; write a smaller one",
                                     max_decimal_exponent));
    }
    auto value = leaf.value;
    Term result = build(std::move(leaf), {});
    result.constant = std::move(value);
    return result;
}

Term Elaborator::binary(const Syntax& symbol, Term left, Term right) {
    const auto text = shown(symbol.where);
    const auto& infix = infix_of(text);
    const bool logical = infix.level <= level_and;
    const auto type = logical ? Type::boolean : Type::number;
    require(type, left, fmt::format("`{}`", text));
    require(type, right, fmt::format("`{}`", text));
    if (infix.operation == Operation::divide && right.constant && *right.constant == 0)
        fail(right.expression.where, "division by zero; the divisor must not be 0");
    if (infix.operation == Operation::power && right.constant) {
        if (!is_integer(*right.constant))
            fail(right.expression.where,
                 "the exponent of `^` must be an integer; for roots write `sqrt(x)` or `exp(y * ln(x))`");
        if (*right.constant < 0 && left.constant && *left.constant == 0)
            fail(span(left, right), "0 to a negative power is a division by zero; write another base");
    }
    Expression root;
    root.operation = infix.operation;
    root.type = infix.level <= level_comparison ? Type::boolean : Type::number;
    root.where = span(left, right);
    std::vector<Term> operands;
    operands.push_back(std::move(left));
    operands.push_back(std::move(right));
    return build(std::move(root), std::move(operands));
}

Term Elaborator::build(Expression root, std::vector<Term> operands) {
    if (++nodes_ > max_expression_nodes)
        fail(root.where, fmt::format("the statement has more than {} numbers, names and operators; split it",
                                     max_expression_nodes));
    Term result;
    std::vector<std::optional<Rational>> constants;
    for (auto& operand : operands) {
        result.depth = std::max(result.depth, operand.depth + 1);
        constants.push_back(std::move(operand.constant));
        root.operands.push_back(std::move(operand.expression));
    }
    if (result.depth > max_expression_depth)
        fail(root.where,
             fmt::format("the expression is nested more than {} deep, a chain of operators counting "
                         "one for each; split it, or set parentheses in the middle",
                         max_expression_depth));
    if (!operands.empty()) result.constant = constant_result(root.operation, constants);
    result.expression = std::move(root);
    return result;
}

std::vector<Rational> Elaborator::known_values(const Term& term) const {
    if (term.constant) return {*term.constant};
    const auto& expression = term.expression;
    if (expression.operation == Operation::variable &&
        expression.slot < static_cast<int>(variables_.parameters.size()))
        return variables_.parameters[static_cast<std::size_t>(expression.slot)].values;
    return {};
}

}  // namespace crosshead
