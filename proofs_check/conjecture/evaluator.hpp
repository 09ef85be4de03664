// Evaluating a conjecture at one system: one interpreter over any arithmetic and any source of quantities.
//
// A Source says what the system's quantities are, in the Number of its Arithmetic:
//     using Arithmetic = …;                 // RealArithmetic, FastArithmetic
//     const Arithmetic& arithmetic() const;
//     int nodes() const; int heads() const;
//     Number number(QuantityId, int head, const Number& epsilon, const Indices&);   // head −1: the mixture
//     Decision truth(QuantityId, int head, const Indices&);
#pragma once

#include <array>
#include <cmath>
#include <crosshead/exact/mixing_time.hpp>
#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <crosshead/proofs_check/verdict.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

/// The arguments of a quantity that are integers.
struct Indices {
    int step = 0, node = 0, second_node = 0;
};

/// A boolean expression at a system: three-valued logic, and how far from turning over.
struct Truth {
    Decision value = Decision::undecided;
    bool undefined = false;  // where undecided: because something in it is undefined
    double margin = 0;       // an estimate; > 0 towards yes
};

/// A whole conjecture at a system and one value of each parameter.
struct Statement {
    Outcome outcome = Outcome::vacuous;
    bool undefined = false;  // where vacuous: something is undefined, rather than the hypothesis not met
    double margin = std::numeric_limits<double>::infinity();
};

/// How far `left` ≤ `right` is from failing: (right − left)/|right|, or over |left| where right is 0.
double comparison_margin(double left, double right);

/// Why a boolean expression has the value that it has: the comparison that decided it, and the values that
/// bound variables had there.
template <class Number>
struct Cause {
    const Expression* comparison = nullptr;
    bool holds = false;  // the value of that comparison: under a "not", not that of the expression
    std::optional<Number> left, right;
    std::vector<std::pair<int, Number>> bindings;  // slot, value
};

template <class Source>
class Evaluator {
  public:
    using Arithmetic = typename Source::Arithmetic;
    using Number = typename Arithmetic::Number;

    /// `constants`, where given: by Expression::id, the value of subtrees that do not depend on the system.
    Evaluator(const Conjecture& conjecture, Source& source,
              const std::vector<std::optional<Number>>* constants = nullptr)
        : source_(source), arithmetic_(source.arithmetic()), constants_(constants) {
        slots_.resize(conjecture.slot_names.size());
    }

    void set(int slot, Number value) { slots_[static_cast<std::size_t>(slot)] = std::move(value); }

    /// Hypotheses of implications under leading quantifiers count as hypotheses: where none is met, vacuous.
    Statement statement(const Expression& e) {
        if (e.operation == Operation::for_all) return statement_for_all(e);
        if (e.operation == Operation::implies) return statement_implies(e);
        const Truth truth = boolean(e);
        if (truth.value == Decision::undecided)
            return truth.undefined ? Statement{Outcome::vacuous, true} : Statement{Outcome::undecided};
        return {truth.value == Decision::yes ? Outcome::holds : Outcome::fails, false, truth.margin};
    }

    Truth boolean(const Expression& e);
    Number number(const Expression& e);
    /// The comparison because of which `e` is `value`; e must have that value.
    void find_cause(const Expression& e, bool value, Cause<Number>& cause);

  private:
    // What goes beyond these is not computed, and stays undecided.
    static constexpr int longest_range = 1'000'000;  // values of a bound variable
    static constexpr int largest_power = 10'000;     // exponents, and m of choose(m, k)
    static constexpr double tail_work = 1e7;         // t·k of binomial_tail

    static Decision both(Decision a, Decision b) {
        if (a == Decision::no || b == Decision::no) return Decision::no;
        return a == Decision::yes && b == Decision::yes ? Decision::yes : Decision::undecided;
    }
    static Truth negated_truth(const Truth& a) { return {negated_value(a.value), a.undefined, -a.margin}; }
    static Decision negated_value(Decision a) {
        return a == Decision::undecided ? a : a == Decision::yes ? Decision::no : Decision::yes;
    }
    static Truth conjunction(const Truth& a, const Truth& b) {
        const Decision value = both(a.value, b.value);
        return {value, value == Decision::undecided && (a.undefined || b.undefined),
                std::min(a.margin, b.margin)};
    }
    static Truth disjunction(const Truth& a, const Truth& b) {
        return negated_truth(conjunction(negated_truth(a), negated_truth(b)));
    }
    static constexpr Truth undefined_truth{Decision::undecided, true, 0};

    const Expression& body(const Expression& binder) const { return binder.operands.back(); }
    enum class Range { visited, undefined, too_long };
    /// Calls visit() for each value of the bound variable until it returns false.
    template <class Visit>
    Range over_domain(const Expression& binder, const Visit& visit);
    Statement statement_for_all(const Expression& e);
    Statement statement_implies(const Expression& e);
    Truth quantified(const Expression& e);
    Truth comparison(const Expression& e);
    Truth boolean_quantity(const Expression& e);
    Number folded(const Expression& e);
    Number quantity(const Expression& e);
    Number binary(const Expression& e);
    Number unary(const Expression& e);
    Number power(const Number& base, int exponent);
    Number binomial_tail(const Expression& e);
    Number binomial(const Expression& e);
    void find_cause_in_domain(const Expression& e, bool value, Cause<Number>& cause);

    struct Arguments {
        Number epsilon{};
        Indices indices;
        const char* undefined = nullptr;  // why they make no sense
    };
    Arguments arguments(const Expression& e);
    /// The index of quantity[h], or −1 where there is no such head.
    int head_index(const Expression& e);

    Source& source_;
    const Arithmetic& arithmetic_;
    const std::vector<std::optional<Number>>* constants_;
    std::vector<Number> slots_, tail_;
};

}  // namespace crosshead

#include <crosshead/proofs_check/conjecture/evaluator_definitions.hpp>
