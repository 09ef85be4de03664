// Canonical text with as few parentheses as the grammar allows.
#include <fmt/format.h>

#include <algorithm>
#include <crosshead/proofs_check/conjecture/names.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

/// What stands to the right of an expression before the next bracket: a binder would swallow it.
enum class Following { nothing, loose_operator, arithmetic_operator };

// The levels of elaborate.cpp; a binder or an atom binds tightest, and a binder is guarded by Following.
constexpr int level_atom = 10, level_power = 9, level_minus = 8, level_product = 7, level_sum = 6,
              level_comparison = 5, level_not = 4, level_and = 3, level_or = 2, level_implies = 1;

struct Infix {
    std::string_view symbol;
    int level;
};

Infix infix_of(Operation operation) {
    switch (operation) {
        case Operation::add:
            return {" + ", level_sum};
        case Operation::subtract:
            return {" - ", level_sum};
        case Operation::multiply:
            return {"*", level_product};
        case Operation::divide:
            return {"/", level_product};
        case Operation::power:
            return {"^", level_power};
        case Operation::less:
            return {" < ", level_comparison};
        case Operation::less_equal:
            return {" <= ", level_comparison};
        case Operation::greater:
            return {" > ", level_comparison};
        case Operation::greater_equal:
            return {" >= ", level_comparison};
        case Operation::equal:
            return {" == ", level_comparison};
        case Operation::not_equal:
            return {" != ", level_comparison};
        case Operation::logical_and:
            return {" and ", level_and};
        case Operation::logical_or:
            return {" or ", level_or};
        case Operation::implies:
            return {" => ", level_implies};
        default:
            return {"", level_atom};
    }
}

std::string_view binder_word(Operation operation) {
    switch (operation) {
        case Operation::for_all:
            return "forall";
        case Operation::exists:
            return "exists";
        case Operation::sum:
            return "sum";
        case Operation::product:
            return "prod";
        case Operation::least:
            return "min";
        case Operation::largest:
            return "max";
        default:
            return "";
    }
}

/// A literal where the number is a decimal, else a fraction. Digits and exponent are exact: "0.06",
/// "15e-9001".
struct Literal {
    std::string text;
    bool atom;
};

Literal literal(const Rational& value) {
    const auto fraction = [&] { return Literal{to_string(value), denominator(value) == 1 && value >= 0}; };
    if (value < 0) return fraction();
    // value = digits · 10^−places with the fewest places
    Integer rest = denominator(value), digits = numerator(value);
    int twos = 0, fives = 0;
    for (; rest % 2 == 0; rest /= 2) ++twos;
    for (; rest % 5 == 0; rest /= 5) ++fives;
    if (rest != 1) return fraction();
    int places = std::max(twos, fives);
    for (int i = twos; i < places; ++i) digits *= 2;
    for (int i = fives; i < places; ++i) digits *= 5;
    std::string text = digits.str();
    constexpr std::size_t longest_plain = 12;  // beyond that an exponent is shorter to read
    if (places == 0) {
        const std::size_t zeros = text.size() - 1 - std::min(text.find_last_not_of('0'), text.size() - 1);
        if (text.size() <= longest_plain || zeros < 4 || zeros > max_decimal_exponent) return {text, true};
        return {fmt::format("{}e{}", text.substr(0, text.size() - zeros), zeros), true};
    }
    const auto wanted = static_cast<std::size_t>(places);
    if (wanted <= longest_plain || wanted > static_cast<std::size_t>(max_decimal_exponent) ||
        text.size() > wanted) {
        if (text.size() <= wanted) text.insert(0, wanted + 1 - text.size(), '0');
        return {text.insert(text.size() - wanted, "."), true};
    }
    return {fmt::format("{}e-{}", text, places), true};
}

class Printer {
  public:
    explicit Printer(const std::vector<std::string>& slot_names) : slot_names_(slot_names) {}

    std::string print(const Expression& e, int lowest = level_implies,
                      Following following = Following::nothing) const {
        const auto word = binder_word(e.operation);
        if (!word.empty()) return binder(e, word, following);
        switch (e.operation) {
            case Operation::constant: {
                const auto [text, atom] = literal(e.value);
                return atom || lowest <= level_implies ? text : "(" + text + ")";
            }
            case Operation::truth:
                return e.value == 0 ? "false" : "true";
            case Operation::variable:
                return slot_names_.at(static_cast<std::size_t>(e.slot));
            case Operation::quantity:
                return quantity(e);
            case Operation::negate:
                return prefix("-", level_minus, e, lowest, following);
            case Operation::logical_not:
                return prefix("not ", level_not, e, lowest, following);
            default:
                break;
        }
        const auto infix = infix_of(e.operation);
        if (infix.level == level_atom) return call(e);
        if (infix.level < lowest) return "(" + print(e) + ")";
        const bool right_associative = infix.level == level_power || infix.level == level_implies;
        const bool chains = infix.level != level_comparison;
        const int left = !right_associative && chains ? infix.level : infix.level + 1;
        const int right = right_associative ? infix.level : infix.level + 1;
        const auto before =
            infix.level >= level_sum ? Following::arithmetic_operator : Following::loose_operator;
        return print(e.operands[0], left, before) + std::string(infix.symbol) +
               print_right(e.operands[1], right, following);
    }

  private:
    /// A prefix may stand after any operator: what follows the prefix is read first.
    std::string print_right(const Expression& e, int lowest, Following following) const {
        const bool minus = e.operation == Operation::negate && lowest > level_minus;
        return minus ? print(e, level_minus, following) : print(e, lowest, following);
    }

    std::string prefix(std::string_view symbol, int level, const Expression& e, int lowest,
                       Following following) const {
        if (level < lowest) return "(" + print(e) + ")";
        return std::string(symbol) + print(e.operands[0], level, following);
    }

    std::string binder(const Expression& e, std::string_view word, Following following) const {
        const bool statement = e.type == Type::boolean;
        if (following == Following::arithmetic_operator || (statement && following != Following::nothing))
            return "(" + print(e) + ")";
        return fmt::format("{} {} in {}: {}", word, slot_names_.at(static_cast<std::size_t>(e.slot)),
                           domain(e),
                           print(e.operands.back(), statement ? level_implies : level_sum, following));
    }

    std::string domain(const Expression& e) const {
        switch (e.domain) {
            case DomainKind::heads:
                return "heads";
            case DomainKind::nodes:
                return "nodes";
            case DomainKind::nodes_but_sink:
                return "nonsink";
            case DomainKind::range:
                return print(e.operands[0], level_sum) + ".." + print(e.operands[1], level_sum);
            case DomainKind::set:
                break;
        }
        return "{" + list(e, 0, e.operands.size() - 1) + "}";
    }

    std::string list(const Expression& e, std::size_t begin, std::size_t end) const {
        std::string text;
        for (std::size_t i = begin; i < end; ++i) text += (i == begin ? "" : ", ") + print(e.operands[i]);
        return text;
    }

    std::string quantity(const Expression& e) const {
        std::string text(quantity_info(e.quantity).name);
        const bool index = e.heads == HeadChoice::one;
        if (index) text += "[" + print(e.operands[0]) + "]";
        if (e.heads == HeadChoice::best) text += "[best]";
        if (e.heads == HeadChoice::worst) text += "[worst]";
        const std::size_t first = index ? 1 : 0;
        return e.operands.size() == first ? text : text + "(" + list(e, first, e.operands.size()) + ")";
    }

    std::string call(const Expression& e) const {
        for (const auto& info : functions())
            if (info.operation == e.operation)
                return std::string(info.name) + "(" + list(e, 0, e.operands.size()) + ")";
        throw std::logic_error("printer.cpp: an operation without a spelling");
    }

    const std::vector<std::string>& slot_names_;
};

}  // namespace

std::string to_text(const Expression& expression, const std::vector<std::string>& slot_names) {
    return Printer(slot_names).print(expression);
}

}  // namespace crosshead
