// The member functions of Evaluator, all of one template (hence over 400 lines); included by evaluator.hpp
// and by nobody else.
#pragma once

#include <crosshead/proofs_check/conjecture/evaluator.hpp>

namespace crosshead {

template <class Source>
template <class Visit>
auto Evaluator<Source>::over_domain(const Expression& binder, const Visit& visit) -> Range {
    const auto slot = static_cast<std::size_t>(binder.slot);
    if (binder.domain == DomainKind::set) {
        for (std::size_t k = 0; k + 1 < binder.operands.size(); ++k) {
            slots_[slot] = number(binder.operands[k]);
            if (!visit()) break;
        }
        return Range::visited;
    }
    int first = 0, last = source_.nodes() - 1;
    if (binder.domain == DomainKind::heads) last = source_.heads() - 1;
    if (binder.domain == DomainKind::nodes_but_sink) last = source_.nodes() - 2;
    if (binder.domain == DomainKind::range) {
        const auto low = Arithmetic::integer(number(binder.operands[0])),
                   high = Arithmetic::integer(number(binder.operands[1]));
        if (!low || !high) return Range::undefined;
        if (static_cast<std::int64_t>(*high) - *low >= longest_range) return Range::too_long;
        first = *low;
        last = *high;
    }
    for (int i = first; i <= last; ++i) {
        slots_[slot] = arithmetic_.integer_constant(i);
        if (!visit()) break;
    }
    return Range::visited;
}

template <class Source>
Statement Evaluator<Source>::statement_for_all(const Expression& e) {
    // The worst word wins: fails, undecided, undefined, holds, hypothesis not met.
    const auto rank = [](const Statement& s) {
        switch (s.outcome) {
            case Outcome::fails:
                return 4;
            case Outcome::undecided:
                return 3;
            case Outcome::vacuous:
                return s.undefined ? 2 : 0;
            case Outcome::holds:
                return 1;
        }
        return 0;
    };
    Statement all;
    double margin = all.margin;
    const Range range = over_domain(e, [&] {
        const Statement one = statement(body(e));
        if (rank(one) > rank(all)) all = one;
        margin = std::min(margin, one.margin);
        return all.outcome != Outcome::fails;
    });
    if (range != Range::visited)
        return range == Range::undefined ? Statement{Outcome::vacuous, true} : Statement{Outcome::undecided};
    all.margin = margin;
    return all;
}

template <class Source>
Statement Evaluator<Source>::statement_implies(const Expression& e) {
    const Truth hypothesis = boolean(e.operands[0]);
    if (hypothesis.value == Decision::no) return {};
    if (hypothesis.value == Decision::undecided && hypothesis.undefined) return {Outcome::vacuous, true};
    // Even where the conclusion holds: whether the hypothesis is met is part of the answer.
    if (hypothesis.value == Decision::undecided) return {Outcome::undecided};
    return statement(e.operands[1]);
}

template <class Source>
Truth Evaluator<Source>::boolean(const Expression& e) {
    switch (e.operation) {
        case Operation::truth: {
            const bool yes = e.value != 0;
            return {yes ? Decision::yes : Decision::no, false, yes ? 1.0 : -1.0};
        }
        case Operation::quantity:
            return boolean_quantity(e);
        case Operation::logical_not:
            return negated_truth(boolean(e.operands[0]));
        case Operation::logical_and:
        case Operation::logical_or:
        case Operation::implies: {
            // a or b, and a ⇒ b, are ¬(¬a ∧ ¬b) and ¬(a ∧ ¬b); a decided first operand spares the second.
            Truth first = boolean(e.operands[0]);
            if (e.operation == Operation::logical_or) first = negated_truth(first);
            if (first.value == Decision::no)
                return e.operation == Operation::logical_and ? first : negated_truth(first);
            Truth second = boolean(e.operands[1]);
            if (e.operation != Operation::logical_and) second = negated_truth(second);
            const Truth result = conjunction(first, second);
            return e.operation == Operation::logical_and ? result : negated_truth(result);
        }
        case Operation::for_all:
        case Operation::exists:
            return quantified(e);
        default:
            return comparison(e);
    }
}

template <class Source>
Truth Evaluator<Source>::quantified(const Expression& e) {
    const bool all = e.operation == Operation::for_all;
    constexpr double far = std::numeric_limits<double>::infinity();
    Truth result{all ? Decision::yes : Decision::no, false, all ? far : -far};
    const Range range = over_domain(e, [&] {
        const Truth one = boolean(body(e));
        result = all ? conjunction(result, one) : disjunction(result, one);
        return result.value != (all ? Decision::no : Decision::yes);
    });
    return range == Range::visited ? result : Truth{Decision::undecided, range == Range::undefined, 0};
}

template <class Source>
Truth Evaluator<Source>::comparison(const Expression& e) {
    const Number left = number(e.operands[0]), right = number(e.operands[1]);
    if (Arithmetic::is_undefined(left) || Arithmetic::is_undefined(right)) return undefined_truth;
    const double a = Arithmetic::approximation(left), b = Arithmetic::approximation(right);
    switch (e.operation) {
        case Operation::less:
            return {arithmetic_.less(left, right), false, comparison_margin(a, b)};
        case Operation::less_equal:
            return {arithmetic_.less_equal(left, right), false, comparison_margin(a, b)};
        case Operation::greater:
            return {arithmetic_.less(right, left), false, comparison_margin(b, a)};
        case Operation::greater_equal:
            return {arithmetic_.less_equal(right, left), false, comparison_margin(b, a)};
        case Operation::equal:
            return {arithmetic_.equal(left, right), false, -std::abs(comparison_margin(a, b))};
        default:
            return {negated_value(arithmetic_.equal(left, right)), false, std::abs(comparison_margin(a, b))};
    }
}

template <class Source>
Truth Evaluator<Source>::boolean_quantity(const Expression& e) {
    const Arguments given = arguments(e);
    if (given.undefined != nullptr) return undefined_truth;
    const auto of_head = [&](int head) -> Truth {
        const Decision value = source_.truth(e.quantity, head, given.indices);
        return {value, false, value == Decision::yes ? 1.0 : -1.0};
    };
    if (e.heads == HeadChoice::mixture) return of_head(-1);
    const int head = head_index(e);
    return head < 0 ? undefined_truth : of_head(head);
}

template <class Source>
auto Evaluator<Source>::number(const Expression& e) -> Number {
    if (constants_ != nullptr && (*constants_)[static_cast<std::size_t>(e.id)])
        return *(*constants_)[static_cast<std::size_t>(e.id)];
    switch (e.operation) {
        case Operation::constant:
            return arithmetic_.constant(e.value);
        case Operation::variable:
            return slots_[static_cast<std::size_t>(e.slot)];
        case Operation::quantity:
            return quantity(e);
        case Operation::sum:
        case Operation::product:
        case Operation::least:
        case Operation::largest:
        case Operation::minimum:
        case Operation::maximum:
            return folded(e);
        case Operation::binomial_tail:
            return binomial_tail(e);
        case Operation::binomial:
            return binomial(e);
        case Operation::add:
        case Operation::subtract:
        case Operation::multiply:
        case Operation::divide:
        case Operation::power:
            return binary(e);
        default:
            return unary(e);
    }
}

template <class Source>
auto Evaluator<Source>::folded(const Expression& e) -> Number {
    std::optional<Number> total;
    const auto take = [&](const Number& one) {
        if (!total)
            total = one;
        else if (e.operation == Operation::sum)
            total = arithmetic_.add(*total, one);
        else if (e.operation == Operation::product)
            total = arithmetic_.multiply(*total, one);
        else if (e.operation == Operation::least || e.operation == Operation::minimum)
            total = arithmetic_.smaller(*total, one);
        else
            total = arithmetic_.larger(*total, one);
    };
    if (e.operation == Operation::minimum || e.operation == Operation::maximum) {
        for (const auto& operand : e.operands) take(number(operand));
        return *total;
    }
    const Range range = over_domain(e, [&] {
        take(number(body(e)));
        return true;
    });
    if (range == Range::too_long) return arithmetic_.unknown();
    if (range == Range::undefined) return arithmetic_.undefined("a range runs between two integers");
    if (total) return *total;
    if (e.operation == Operation::sum) return arithmetic_.integer_constant(0);
    if (e.operation == Operation::product) return arithmetic_.integer_constant(1);
    return arithmetic_.undefined("min or max over nothing");
}

template <class Source>
auto Evaluator<Source>::arguments(const Expression& e) -> Arguments {
    Arguments result;
    const auto kinds = quantity_info(e.quantity).arguments;
    std::size_t operand = e.heads == HeadChoice::one ? 1 : 0;
    bool first_node = true;
    for (const ArgumentKind kind : kinds) {
        const Number value = number(e.operands[operand++]);
        if (kind == ArgumentKind::epsilon) {
            if (arithmetic_.less_equal(value, arithmetic_.integer_constant(0)) == Decision::yes)
                result.undefined = "epsilon must be > 0";
            result.epsilon = value;
            continue;
        }
        const auto index = Arithmetic::integer(value);
        if (!index || *index < 0) {
            result.undefined = kind == ArgumentKind::step ? "a step must be an integer >= 0" : "no such node";
            continue;
        }
        if (kind == ArgumentKind::step) {
            result.indices.step = *index;
            continue;
        }
        if (*index >= source_.nodes()) result.undefined = "no such node";
        (first_node ? result.indices.node : result.indices.second_node) = *index;
        first_node = false;
    }
    return result;
}

template <class Source>
int Evaluator<Source>::head_index(const Expression& e) {
    const auto index = Arithmetic::integer(number(e.operands[0]));
    return index && *index >= 0 && *index < source_.heads() ? *index : -1;
}

template <class Source>
auto Evaluator<Source>::quantity(const Expression& e) -> Number {
    const Arguments given = arguments(e);
    if (given.undefined != nullptr) return arithmetic_.undefined(given.undefined);
    const auto of_head = [&](int head) {
        return source_.number(e.quantity, head, given.epsilon, given.indices);
    };
    if (e.heads == HeadChoice::mixture) return of_head(-1);
    if (e.heads == HeadChoice::one) {
        const int head = head_index(e);
        return head < 0 ? arithmetic_.undefined("no such head") : of_head(head);
    }
    const bool largest =
        (quantity_info(e.quantity).better == Better::larger) == (e.heads == HeadChoice::best);
    Number extreme = of_head(0);
    for (int h = 1; h < source_.heads(); ++h)
        extreme =
            largest ? arithmetic_.larger(extreme, of_head(h)) : arithmetic_.smaller(extreme, of_head(h));
    return extreme;
}

template <class Source>
auto Evaluator<Source>::binary(const Expression& e) -> Number {
    const Number a = number(e.operands[0]);
    if (e.operation == Operation::power) {
        const auto exponent = Arithmetic::integer(number(e.operands[1]));
        if (!exponent) return arithmetic_.undefined("a power needs an integer exponent");
        if (std::abs(*exponent) > largest_power) return arithmetic_.unknown();
        return power(a, *exponent);
    }
    const Number b = number(e.operands[1]);
    switch (e.operation) {
        case Operation::add:
            return arithmetic_.add(a, b);
        case Operation::subtract:
            return arithmetic_.add(a, arithmetic_.negate(b));
        case Operation::multiply:
            return arithmetic_.multiply(a, b);
        default:
            return arithmetic_.divide(a, b);
    }
}

template <class Source>
auto Evaluator<Source>::unary(const Expression& e) -> Number {
    const Number a = number(e.operands[0]);
    switch (e.operation) {
        case Operation::negate:
            return arithmetic_.negate(a);
        case Operation::ceiling:
            return arithmetic_.ceiling(a);
        case Operation::floor:
            return arithmetic_.floor(a);
        case Operation::absolute:
            return arithmetic_.absolute(a);
        case Operation::logarithm:
            return arithmetic_.logarithm(a);
        case Operation::exponential:
            return arithmetic_.exponential(a);
        default:
            return arithmetic_.square_root(a);
    }
}

template <class Source>
auto Evaluator<Source>::power(const Number& base, int exponent) -> Number {
    if (exponent == 0) {  // 1, where the base is a number: 0·base is 0 there
        const Number nothing = arithmetic_.multiply(arithmetic_.integer_constant(0), base);
        return arithmetic_.is_undefined(nothing) ? nothing
                                                 : arithmetic_.add(arithmetic_.integer_constant(1), nothing);
    }
    Number result = arithmetic_.integer_constant(1), square = base;
    for (int rest = std::abs(exponent); rest > 0; rest /= 2) {
        if (rest % 2 == 1) result = arithmetic_.multiply(result, square);
        if (rest > 1) square = arithmetic_.multiply(square, square);
    }
    return exponent < 0 ? arithmetic_.divide(arithmetic_.integer_constant(1), result) : result;
}

/// P(Bin(t, p) < k) by the recursion over t on P(Bin(t, p) < 0..k): sums of non-negative terms.
template <class Source>
auto Evaluator<Source>::binomial_tail(const Expression& e) -> Number {
    const auto t = Arithmetic::integer(number(e.operands[0])), k = Arithmetic::integer(number(e.operands[2]));
    const Number p = number(e.operands[1]);
    if (!t || !k || *t < 0)
        return arithmetic_.undefined("binomial_tail(t, p, k) needs integers t >= 0 and k");
    if (Arithmetic::is_undefined(p)) return p;
    const Number one = arithmetic_.integer_constant(1), zero = arithmetic_.integer_constant(0);
    if (arithmetic_.less(p, zero) == Decision::yes || arithmetic_.less(one, p) == Decision::yes)
        return arithmetic_.undefined("binomial_tail(t, p, k) needs 0 <= p <= 1");
    if (*k <= 0) return zero;
    if (*k > *t) return one;
    if (static_cast<double>(*t) * *k > tail_work) return arithmetic_.unknown();
    const Number rest = arithmetic_.add(one, arithmetic_.negate(p));
    tail_.assign(static_cast<std::size_t>(*k) + 1, one);
    tail_[0] = zero;
    for (int step = 0; step < *t; ++step)
        for (std::size_t i = tail_.size() - 1; i > 0; --i)
            tail_[i] =
                arithmetic_.add(arithmetic_.multiply(rest, tail_[i]), arithmetic_.multiply(p, tail_[i - 1]));
    return tail_.back();
}

template <class Source>
auto Evaluator<Source>::binomial(const Expression& e) -> Number {
    const auto m = Arithmetic::integer(number(e.operands[0])), k = Arithmetic::integer(number(e.operands[1]));
    if (!m || !k || *m < 0) return arithmetic_.undefined("choose(m, k) needs integers with m >= 0");
    if (*m > largest_power) return arithmetic_.unknown();
    if (*k < 0 || *k > *m) return arithmetic_.integer_constant(0);
    Number result = arithmetic_.integer_constant(1);
    for (int i = 1; i <= *k; ++i)
        result = arithmetic_.divide(arithmetic_.multiply(result, arithmetic_.integer_constant(*m - *k + i)),
                                    arithmetic_.integer_constant(i));
    return result;
}

template <class Source>
void Evaluator<Source>::find_cause(const Expression& e, bool value, Cause<Number>& cause) {
    switch (e.operation) {
        case Operation::logical_not:
            return find_cause(e.operands[0], !value, cause);
        case Operation::logical_and:
        case Operation::logical_or:
        case Operation::implies: {
            // `value` comes about by all operands (and: yes; or, implies: no) or by one of them alone.
            const bool negate_first = e.operation == Operation::implies;
            const bool wanted = value != negate_first;  // of the first operand
            const Truth first = boolean(e.operands[0]);
            const bool by_all = (e.operation == Operation::logical_and) == value;
            bool take_first = first.value == (wanted ? Decision::yes : Decision::no);
            if (by_all)  // a failed implication is its conclusion's doing
                take_first = e.operation != Operation::implies &&
                             std::abs(first.margin) <= std::abs(boolean(e.operands[1]).margin);
            if (take_first) return find_cause(e.operands[0], wanted, cause);
            return find_cause(e.operands[1], value, cause);
        }
        case Operation::for_all:
        case Operation::exists:
            return find_cause_in_domain(e, value, cause);
        case Operation::truth:
        case Operation::quantity:
            cause.comparison = &e;
            cause.holds = value;
            return;
        default:
            cause.comparison = &e;
            cause.holds = value;
            cause.left = number(e.operands[0]);
            cause.right = number(e.operands[1]);
    }
}

template <class Source>
void Evaluator<Source>::find_cause_in_domain(const Expression& e, bool value, Cause<Number>& cause) {
    // A single binding decides where "for all" is false or "exists" is true; otherwise the closest one tells.
    const Decision wanted = value ? Decision::yes : Decision::no;
    const bool single = (e.operation == Operation::for_all) != value;
    std::optional<Number> chosen;
    double closest = std::numeric_limits<double>::infinity();
    over_domain(e, [&] {
        const Truth one = boolean(body(e));
        if (one.value != wanted) return true;
        if (!chosen || std::abs(one.margin) < closest) {
            chosen = slots_[static_cast<std::size_t>(e.slot)];
            closest = std::abs(one.margin);
        }
        return !single;
    });
    if (!chosen) return;
    slots_[static_cast<std::size_t>(e.slot)] = *chosen;
    cause.bindings.emplace_back(e.slot, *chosen);
    find_cause(body(e), value, cause);
}

}  // namespace crosshead
