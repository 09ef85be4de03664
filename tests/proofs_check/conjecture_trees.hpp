// Random conjectures, and a second way to write them that shares nothing with the printer under test.
#pragma once

#include <crosshead/proofs_check/conjecture/names.hpp>
#include <string>
#include <utility>
#include <vector>

namespace crosshead::testing {

inline bool same_tree(const Expression& a, const Expression& b) {
    if (a.operation != b.operation || a.type != b.type || a.id != b.id || a.value != b.value ||
        a.slot != b.slot || a.quantity != b.quantity || a.heads != b.heads || a.domain != b.domain ||
        a.operands.size() != b.operands.size())
        return false;
    for (std::size_t i = 0; i < a.operands.size(); ++i)
        if (!same_tree(a.operands[i], b.operands[i])) return false;
    return true;
}

/// Every operation in parentheses. Constants must be integers or the decimals of TreeMaker. Long because each
/// operation has its case.
inline std::string full_text(const Expression& e, const std::vector<std::string>& names) {
    const auto at = [&](std::size_t i) { return full_text(e.operands[i], names); };
    const auto list = [&](std::size_t begin, std::size_t end) {
        std::string text;
        for (std::size_t i = begin; i < end; ++i) text += (i > begin ? ", " : "") + at(i);
        return text;
    };
    const auto binder = [&](const std::string& word) {
        std::string domain = e.domain == DomainKind::heads            ? "heads"
                             : e.domain == DomainKind::nodes          ? "nodes"
                             : e.domain == DomainKind::nodes_but_sink ? "nonsink"
                             : e.domain == DomainKind::range          ? at(0) + ".." + at(1)
                                                             : "{" + list(0, e.operands.size() - 1) + "}";
        return "(" + word + " " + names[static_cast<std::size_t>(e.slot)] + " in " + domain + ": " +
               at(e.operands.size() - 1) + ")";
    };
    const auto infix = [&](const std::string& symbol) { return "(" + at(0) + symbol + at(1) + ")"; };
    switch (e.operation) {
        case Operation::constant:
            if (denominator(e.value) == 1) return e.value.str();
            return e.value == Rational(3, 50) ? "0.06" : e.value == Rational(1, 8) ? "0.125" : "1e-9";
        case Operation::truth:
            return e.value == 1 ? "true" : "false";
        case Operation::variable:
            return names[static_cast<std::size_t>(e.slot)];
        case Operation::quantity: {
            const std::size_t first = e.heads == HeadChoice::one ? 1 : 0;
            std::string text(quantity_info(e.quantity).name);
            if (first == 1) text += "[" + at(0) + "]";
            if (e.heads == HeadChoice::best) text += "[best]";
            if (e.heads == HeadChoice::worst) text += "[worst]";
            return e.operands.size() == first ? text : text + "(" + list(first, e.operands.size()) + ")";
        }
        case Operation::negate:
            return "(-" + at(0) + ")";
        case Operation::logical_not:
            return "(not " + at(0) + ")";
        case Operation::add:
            return infix(" + ");
        case Operation::subtract:
            return infix(" - ");
        case Operation::multiply:
            return infix(" * ");
        case Operation::divide:
            return infix(" / ");
        case Operation::power:
            return infix("^");
        case Operation::less:
            return infix(" < ");
        case Operation::less_equal:
            return infix(" <= ");
        case Operation::greater:
            return infix(" > ");
        case Operation::greater_equal:
            return infix(" >= ");
        case Operation::equal:
            return infix(" == ");
        case Operation::not_equal:
            return infix(" != ");
        case Operation::logical_and:
            return infix(" and ");
        case Operation::logical_or:
            return infix(" or ");
        case Operation::implies:
            return infix(" => ");
        case Operation::for_all:
            return binder("forall");
        case Operation::exists:
            return binder("exists");
        case Operation::sum:
            return binder("sum");
        case Operation::product:
            return binder("prod");
        case Operation::least:
            return binder("min");
        case Operation::largest:
            return binder("max");
        default:
            break;
    }
    for (const auto& info : functions())
        if (info.operation == e.operation)
            return std::string(info.name) + "(" + list(0, e.operands.size()) + ")";
    return "?";
}

/// Well-typed trees from a string of bytes, each byte one choice; where they run out, leaves follow.
/// Divisors, exponents and arguments are never constant unless they are 2, so that no check of constants
/// refuses them.
class TreeMaker {
  public:
    explicit TreeMaker(std::vector<unsigned char> choices) : choices_(std::move(choices)) {}

    /// A statement that begins with no parameter.
    Expression statement() {
        Expression root = node(pick(2) == 0 ? Operation::logical_and : Operation::implies, Type::boolean);
        root.operands.push_back(truth());
        root.operands.push_back(boolean(7));
        int next = 0;
        number_nodes(root, next);
        return root;
    }
    const std::vector<std::string>& slot_names() const { return names_; }

  private:
    unsigned pick(unsigned count) { return at_ < choices_.size() ? choices_[at_++] % count : 0; }

    static Expression node(Operation operation, Type type) {
        Expression e;
        e.operation = operation;
        e.type = type;
        return e;
    }
    static void number_nodes(Expression& e, int& next) {
        e.id = next++;
        for (auto& operand : e.operands) number_nodes(operand, next);
    }
    Expression truth() {
        auto e = node(Operation::truth, Type::boolean);
        e.value = pick(2);
        return e;
    }
    Expression constant(bool two) {
        const Rational values[] = {2, 1, Rational(3, 50), Rational(1, 8), Rational(1, 1'000'000'000), 7};
        auto e = node(Operation::constant, Type::number);
        e.value = values[two ? 0 : pick(6)];
        return e;
    }
    Expression leaf(bool constants) {
        const unsigned choice = pick(constants ? 3 : 2);
        if (choice == 2) return constant(false);
        auto e = node(Operation::variable, Type::number);
        if (choice == 1 && !scope_.empty()) {
            e.slot = scope_[pick(static_cast<unsigned>(scope_.size()))];
            return e;
        }
        e.operation = Operation::quantity;
        e.quantity = pick(2) == 0 ? QuantityId::nodes : QuantityId::fidelity;
        return e;
    }
    Expression argument(int depth) { return pick(3) == 0 ? constant(true) : number(depth, false); }

    Expression quantity(Type type, int depth) {
        std::vector<const QuantityInfo*> rows;
        for (const auto& row : quantities())
            if (row.type == type) rows.push_back(&row);
        const auto& info = *rows[pick(static_cast<unsigned>(rows.size()))];
        auto e = node(Operation::quantity, type);
        e.quantity = info.id;
        const unsigned choice = pick(4);
        const bool indexed =
            info.per_head != PerHead::no && (choice == 1 || info.per_head == PerHead::required);
        if (indexed) {
            e.heads = HeadChoice::one;
            e.operands.push_back(argument(depth - 1));
        } else if (info.per_head != PerHead::no && info.better != Better::neither && choice > 1) {
            e.heads = choice == 2 ? HeadChoice::best : HeadChoice::worst;
        }
        for (std::size_t i = 0; i < info.arguments.size(); ++i) e.operands.push_back(argument(depth - 1));
        return e;
    }

    Expression binder(Operation operation, Type type, int depth) {
        auto e = node(operation, type);
        e.domain = static_cast<DomainKind>(pick(5));
        const unsigned bounds = e.domain == DomainKind::range ? 2
                                : e.domain == DomainKind::set ? 1 + pick(3)
                                                              : 0;
        for (unsigned i = 0; i < bounds; ++i) e.operands.push_back(argument(depth - 1));
        e.slot = static_cast<int>(names_.size());
        names_.push_back("x" + std::to_string(e.slot));
        scope_.push_back(e.slot);
        e.operands.push_back(type == Type::boolean ? boolean(depth - 1) : number(depth - 1, false));
        scope_.pop_back();
        return e;
    }

    Expression number(int depth, bool constants) {
        if (depth <= 0) return leaf(constants);
        const unsigned choice = pick(16);
        if (choice < 2) return leaf(constants);
        if (choice < 4) return quantity(Type::number, depth);
        if (choice < 7) {
            const Operation binders[] = {Operation::sum, Operation::product, Operation::least,
                                         Operation::largest};
            return binder(binders[pick(4)], Type::number, depth);
        }
        if (choice < 9) {
            const auto& info = functions()[pick(static_cast<unsigned>(functions().size()))];
            auto e = node(info.operation, Type::number);
            const std::size_t count = info.most > 3 ? 1 + pick(3) : info.fewest;
            for (std::size_t i = 0; i < count; ++i) e.operands.push_back(number(depth - 1, false));
            return e;
        }
        const Operation operations[] = {Operation::negate,   Operation::add,    Operation::subtract,
                                        Operation::multiply, Operation::divide, Operation::power};
        auto e = node(operations[pick(6)], Type::number);
        e.operands.push_back(number(depth - 1, constants));
        if (e.operation == Operation::negate) return e;
        const bool checked = e.operation == Operation::divide || e.operation == Operation::power;
        e.operands.push_back(checked ? argument(depth - 1) : number(depth - 1, constants));
        return e;
    }

    Expression boolean(int depth) {
        if (depth <= 0) return truth();
        const unsigned choice = pick(12);
        if (choice == 0) return truth();
        if (choice == 1) return quantity(Type::boolean, depth);
        if (choice < 4)
            return binder(pick(2) == 0 ? Operation::for_all : Operation::exists, Type::boolean, depth);
        if (choice < 7) {
            const Operation comparisons[] = {Operation::less,    Operation::less_equal,
                                             Operation::greater, Operation::greater_equal,
                                             Operation::equal,   Operation::not_equal};
            auto e = node(comparisons[pick(6)], Type::boolean);
            for (int i = 0; i < 2; ++i) e.operands.push_back(number(depth - 1, true));
            return e;
        }
        const Operation operations[] = {Operation::logical_not, Operation::logical_and, Operation::logical_or,
                                        Operation::implies};
        auto e = node(operations[pick(4)], Type::boolean);
        e.operands.push_back(boolean(depth - 1));
        if (e.operation != Operation::logical_not) e.operands.push_back(boolean(depth - 1));
        return e;
    }

    std::vector<unsigned char> choices_;
    std::size_t at_ = 0;
    std::vector<std::string> names_;
    std::vector<int> scope_;
};

}  // namespace crosshead::testing
