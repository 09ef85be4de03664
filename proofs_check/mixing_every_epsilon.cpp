// The repaired form of Theorem 2.9 of arXiv 2507.02944 that holds at every ε:
//     T_mix(ε) ≤ ⌈2(N + ln(2/ε))/p⌉,    p = Σ_h α_h p_h.
// T is an integer, so T ≤ ⌈x⌉ is T − 1 < x, which needs no ceiling of an enclosure.
#include <mpfr.h>

#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {
namespace {

/// ln(2/ε) rounded to 128 bits in the given direction, as an exact rational. May be negative for ε > 2.
Rational log_two_over(const Rational& epsilon, mpfr_rnd_t direction) {
    constexpr mpfr_prec_t bits = 128;
    const Rational argument = 2 / epsilon;
    mpfr_t value;
    mpfr_init2(value, bits);
    mpfr_set_q(value, argument.backend().data(), direction);
    mpfr_log(value, value, direction);
    Rational result;
    mpfr_get_q(result.backend().data(), value);
    mpfr_clear(value);
    return result;
}

}  // namespace

std::vector<Judgement> judge_mixing_every_epsilon(const MeasuredSystem& measured) {
    if (const auto obstacle = walk_obstacle(measured.measure); !obstacle.empty())
        return vacuous_for_every_epsilon(measured, obstacle);
    const Enclosure p = measured.measure.forward_probability_bound->enclosure;
    if (p.upper() == 0) return vacuous_for_every_epsilon(measured, "p = 0: the bound is infinite");
    std::vector<Judgement> judgements;
    for (std::size_t k = 0; k < measured.options.epsilons.size(); ++k) {
        const Rational& epsilon = measured.options.epsilons[k];
        const MixingTime& time = measured.measure.mixture.walk->mixing_times[k];
        const Rational nodes = measured.system.nodes() - 1;
        const Rational lower = 2 * (nodes + log_two_over(epsilon, MPFR_RNDD)),
                       upper = 2 * (nodes + log_two_over(epsilon, MPFR_RNDU));
        // A negative numerator (ε far above 2) bounds nothing below zero steps; T_mix is 0 there.
        const Enclosure numerator = {Enclosure::of(lower < 0 ? Rational(0) : lower).lower(),
                                     Enclosure::of(upper < 0 ? Rational(0) : upper).upper()};
        const Quantity bound = Quantity::within(numerator / p);
        const auto before = [](const Integer& steps) {
            return Quantity::of(Rational(steps > 0 ? Integer(steps - 1) : Integer(0)));
        };
        Decision holds = Decision::undecided;
        if (time.never)
            holds = Decision::no;
        else if (time.upper && (*time.upper == 0 || less(before(*time.upper), bound) == Decision::yes))
            holds = Decision::yes;
        else if (time.lower > 0 && less(before(time.lower), bound) == Decision::no)
            holds = Decision::no;
        judgements.push_back({epsilon_parameter(epsilon), outcome_of(holds), "T_mix = " + to_text(time),
                              "ceil(2(N + ln(2/eps))/p), before rounding up " + to_text(bound), "",
                              relative_margin(steps_of(time), bound)});
    }
    return judgements;
}

}  // namespace crosshead
