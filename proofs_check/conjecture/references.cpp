// Names: variables, functions and quantities, with their heads and arguments.
#include <fmt/format.h>

#include <algorithm>
#include <crosshead/proofs_check/conjecture/constants.hpp>
#include <crosshead/proofs_check/conjecture/elaborate.hpp>
#include <utility>

namespace crosshead {
namespace {

const Syntax* child_of_kind(const Syntax& item, SyntaxKind kind) {
    for (const auto& child : item.children)
        if (child.kind == kind) return &child;
    return nullptr;
}

/// The name in a chain that is nothing but a name.
const Syntax* lone_name(const Syntax& chain) {
    if (chain.children.size() != 1 || chain.children[0].kind != SyntaxKind::reference) return nullptr;
    const auto& reference = chain.children[0];
    return reference.children.size() == 1 ? &reference.children[0] : nullptr;
}

std::string counted(std::size_t count) {
    return count == 1 ? "1 argument" : fmt::format("{} arguments", count);
}

}  // namespace

Term Elaborator::reference(const Syntax& item) {
    const auto& name_node = item.children[0];
    const auto name = canonical_name(shown(name_node.where));
    for (const auto& bound : variables_.in_scope)
        if (bound.name == name) return variable(bound, item);
    if (const auto* info = find_quantity(name); info != nullptr) return quantity(*info, item);
    if (const auto* info = find_function(name); info != nullptr) return function(*info, item);
    if (name != "true" && name != "false") unknown(name, item);
    if (item.children.size() > 1)
        fail(item.children[1].where, fmt::format("`{}` takes no arguments; remove them", name));
    Expression leaf;
    leaf.operation = Operation::truth;
    leaf.type = Type::boolean;
    leaf.where = item.where;
    leaf.value = name == "true" ? 1 : 0;
    return build(std::move(leaf), {});
}

Term Elaborator::variable(const Variables::Bound& bound, const Syntax& item) {
    if (const auto* index = child_of_kind(item, SyntaxKind::index); index != nullptr)
        fail(index->where, fmt::format("{} is a variable, and has no heads; remove `[…]`", bound.name));
    if (const auto* arguments = child_of_kind(item, SyntaxKind::arguments); arguments != nullptr)
        fail(arguments->where,
             fmt::format("{0} is a variable, and takes no arguments; to multiply write `{0} * (…)`",
                         bound.name));
    variables_.used[static_cast<std::size_t>(bound.slot)] = true;
    Expression leaf;
    leaf.operation = Operation::variable;
    leaf.where = item.where;
    leaf.slot = bound.slot;
    return build(std::move(leaf), {});
}

Term Elaborator::function(const FunctionInfo& info, const Syntax& item) {
    if (const auto* index = child_of_kind(item, SyntaxKind::index); index != nullptr)
        fail(index->where, fmt::format("{0} is a function, and has no heads; write `{0}(…[h]…)`", info.name));
    const auto* arguments = child_of_kind(item, SyntaxKind::arguments);
    const std::size_t given = arguments == nullptr ? 0 : arguments->children.size();
    if (given < info.fewest || given > info.most)
        fail(item.where, fmt::format("{} takes {}{}, and {} given; write `{}`", info.name,
                                     info.fewest == info.most ? "" : "at least ", counted(info.fewest),
                                     given == 0   ? "none is"
                                     : given == 1 ? "1 is"
                                                  : fmt::format("{} are", given),
                                     info.signature));
    std::vector<Term> operands;
    for (const auto& argument : arguments->children) operands.push_back(number(argument, info.name));
    check_function(info, operands);
    Expression root;
    root.operation = info.operation;
    root.where = item.where;
    return build(std::move(root), std::move(operands));
}

/// What is undefined for every system whatever is refused while the conjecture is read.
void Elaborator::check_function(const FunctionInfo& info, const std::vector<Term>& operands) {
    const auto refuse_unless = [&](std::size_t argument, auto good, std::string_view needs) {
        for (const auto& value : known_values(operands[argument]))
            if (!good(value))
                fail(operands[argument].expression.where,
                     fmt::format("{} needs {}, and this is {}", info.signature, needs, to_string(value)));
    };
    const auto integer = [](const Rational& value) { return is_integer(value); };
    const auto count = [](const Rational& value) { return is_integer(value) && value >= 0; };
    switch (info.operation) {
        case Operation::logarithm:
            refuse_unless(
                0, [](const Rational& x) { return x > 0; }, "x > 0");
            break;
        case Operation::square_root:
            refuse_unless(
                0, [](const Rational& x) { return x >= 0; }, "x >= 0");
            break;
        case Operation::binomial_tail:
            refuse_unless(0, count, "an integer t >= 0");
            refuse_unless(
                1, [](const Rational& p) { return p >= 0 && p <= 1; }, "a probability 0 <= p <= 1");
            refuse_unless(2, integer, "an integer k");
            break;
        case Operation::binomial:
            refuse_unless(0, count, "an integer m >= 0");
            refuse_unless(1, integer, "an integer k");
            break;
        default:
            break;
    }
}

Term Elaborator::quantity(const QuantityInfo& info, const Syntax& item) {
    Expression root;
    root.operation = Operation::quantity;
    root.type = info.type;
    root.where = item.where;
    root.quantity = info.id;
    std::vector<Term> operands;
    head_index(info, item, root, operands);

    const auto* arguments = child_of_kind(item, SyntaxKind::arguments);
    const std::size_t given = arguments == nullptr ? 0 : arguments->children.size();
    if (info.arguments.empty() && arguments != nullptr)
        fail(arguments->where,
             fmt::format("{0} takes no arguments; to multiply write `{0} * (…)`", info.name));
    if (given != info.arguments.size())
        fail(item.where,
             fmt::format("{} takes {}, and {} given; write `{}`", info.name, counted(info.arguments.size()),
                         given == 0   ? "none is"
                         : given == 1 ? "1 is"
                                      : fmt::format("{} are", given),
                         signature(info)));
    for (std::size_t i = 0; i < given; ++i) {
        const auto& argument = arguments->children[i];
        const auto* name = lone_name(argument);
        if (name != nullptr && info.arguments[i] != ArgumentKind::epsilon) {
            const auto letter = canonical_name(shown(name->where));
            const bool node = info.arguments[i] == ArgumentKind::node;
            if (letter.size() == 1 && means_nothing(letter))
                not_bound(letter, node ? "nodes" : "0..2*n", name->where);
        }
        operands.push_back(number(argument, fmt::format("the argument of {}", info.name)));
        check_argument(info.arguments[i], operands.back(), info.name);
    }
    return build(std::move(root), std::move(operands));
}

void Elaborator::head_index(const QuantityInfo& info, const Syntax& item, Expression& built,
                            std::vector<Term>& operands) {
    const auto* index = child_of_kind(item, SyntaxKind::index);
    if (index == nullptr) {
        if (info.per_head == PerHead::required)
            fail(item.where, fmt::format("{0} is of one head; write `{0}[h]` with `forall h in heads: …`, or "
                                         "`{0}[0]` for the first",
                                         info.name));
        return;
    }
    if (info.per_head == PerHead::no)
        fail(index->where, fmt::format("{} is of the whole system, not of a head; remove `[…]`", info.name));
    const auto& chain = index->children.front();
    if (const auto* name = lone_name(chain); name != nullptr) {
        const auto text = canonical_name(shown(name->where));
        if (text == "best" || text == "worst") {
            if (info.better == Better::neither)
                fail(index->where,
                     fmt::format("for {0} neither large nor small is better; write `max h in heads: "
                                 "{0}[h]…` or `min h in heads: …`",
                                 info.name));
            built.heads = text == "best" ? HeadChoice::best : HeadChoice::worst;
            return;
        }
        if (means_nothing(text)) not_bound(text, "heads", name->where);
    }
    built.heads = HeadChoice::one;
    operands.push_back(number(chain, "the head in `[…]`"));
    for (const auto& value : known_values(operands.back()))
        if (!is_integer(value) || value < 0)
            fail(chain.where,
                 fmt::format("heads are numbered 0, 1, …, H - 1, and this is {}; write one of these numbers",
                             to_string(value)));
}

void Elaborator::check_argument(ArgumentKind kind, const Term& argument, std::string_view of) {
    for (const auto& value : known_values(argument)) {
        const auto where = argument.expression.where;
        if (kind == ArgumentKind::epsilon && value <= 0)
            fail(where, fmt::format("epsilon must be > 0, and this is {}; d(t) < 0 never happens",
                                    to_string(value)));
        if (kind != ArgumentKind::epsilon && (!is_integer(value) || value < 0))
            fail(where,
                 kind == ArgumentKind::step
                     ? fmt::format("a number of steps is an integer >= 0, and this is {}; {} counts from "
                                   "step 0",
                                   to_string(value), of)
                     : fmt::format("nodes are numbered 0, 1, …, n - 1, and this is {}; write one of these "
                                   "numbers",
                                   to_string(value)));
    }
}

void Elaborator::not_bound(const std::string& name, std::string_view domain, SourceRange where) const {
    fail(where, fmt::format("{0} is not bound; write `forall {0} in {1}: …`", name, domain));
}

bool Elaborator::means_nothing(const std::string& name) const {
    const auto same = [&](const Variables::Bound& bound) { return bound.name == name; };
    return why_reserved(name).empty() &&
           std::none_of(variables_.in_scope.begin(), variables_.in_scope.end(), same);
}

void Elaborator::unknown(const std::string& name, const Syntax& item) {
    const auto where = item.children[0].where;
    if (name == "h") not_bound(name, "heads", where);
    std::vector<std::string> bound;
    for (const auto& variable : variables_.in_scope) bound.push_back(variable.name);
    fail(where, fmt::format("unknown name \"{}\"; {}", name, advice_for_unknown(name, bound)));
}

}  // namespace crosshead
