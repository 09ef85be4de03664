#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <crosshead/exact/absorption.hpp>
#include <crosshead/numeric/certified_scan.hpp>
#include <crosshead/numeric/exact_plan.hpp>
#include <crosshead/numeric/long_chain.hpp>
#include <crosshead/numeric/survival.hpp>
#include <numeric>
#include <stdexcept>

namespace crosshead {
namespace {

/// What becomes of the survivors in the long run.
struct LongRun {
    bool some_start_is_trapped = false;  // survivors that stay for ever: d(t) of that start does not reach 0
    Enclosure mean_trapped;              // lim of the mean survivor probability over starts
    std::optional<Rational> exact_mean_trapped;  // the same, where the system is small enough in bits
    double expected_steps = 0;  // largest expected absorption time, from above; infinite where trapped, or
                                // beyond the range of double (then T has no upper end here)
};

LongRun long_run(const TransitionMatrix<Enclosure>& step, Node absorbing) {
    LongRun result;
    for (const auto& probability : trapped_probabilities(step, absorbing)) result.mean_trapped += probability;
    result.some_start_is_trapped = !(result.mean_trapped == 0);
    result.mean_trapped = result.mean_trapped / Enclosure(step.nodes);
    for (const auto& time : absorption_times(step, absorbing))
        result.expected_steps =
            std::max(result.expected_steps, time ? time->upper() : std::numeric_limits<double>::infinity());
    return result;
}

/// Is T(ε) finite? With the worst start, survivors that are trapped with positive probability pass through a
/// node that cannot leave, and that node as a start keeps d(t) = factor for ever.
Decision is_finite(const LongRun& run, const Rational& epsilon, const Convention& convention) {
    if (!run.some_start_is_trapped) return Decision::yes;
    if (convention.start == Start::worst) {
        const int kept = distance_factor(convention.norm);
        return epsilon > kept || (!convention.strict && epsilon == kept) ? Decision::yes : Decision::no;
    }
    const Decision above =
        less(run.mean_trapped * Enclosure(distance_factor(convention.norm)), Enclosure::of(epsilon));
    if (above != Decision::undecided || !run.exact_mean_trapped) return above;
    const Rational limit = *run.exact_mean_trapped * distance_factor(convention.norm);
    // d(t) falls towards the limit; whether it reaches it (which a tie without strictness asks) stays open.
    if (limit == epsilon && !convention.strict) return Decision::undecided;
    return limit < epsilon ? Decision::yes : Decision::no;
}

/// By Markov's inequality at most half of the survivors remain after 2h steps, h the largest expected time:
/// d(2h·k) ≤ factor · 2^−k, which is below ε for k > log2(factor/ε).
Integer halving_bound(const LongRun& run, const Rational& epsilon, const Convention& convention) {
    Rational ratio = Rational(distance_factor(convention.norm)) / epsilon;
    unsigned halvings = 1;
    for (; ratio >= 1; ratio /= 2) ++halvings;
    const Rational doubled = 2 * rational_from_dyadic(run.expected_steps);
    return (numerator(doubled) / denominator(doubled) + 1) * halvings;
}

/// Chains that outlast the scan: powers in enough bits, or (for large systems) the bound from expected times.
/// Requires finite expected times.
void extend_long(const SurvivalProblem& problem, const MeasureOptions& options, const LongRun& run,
                 const std::vector<std::size_t>& open, std::vector<MixingTime>& times) {
    std::vector<Rational> epsilons;
    for (const std::size_t k : open) epsilons.push_back(options.epsilons[k]);
    const Rational least = *std::min_element(epsilons.begin(), epsilons.end());
    const Integer longest = halving_bound(run, least, options.convention);
    const auto log2_steps = static_cast<std::size_t>(msb(longest) + 1);
    const auto bits = static_cast<mpfr_prec_t>(
        64 * ((2 * log2_steps + 20 + 2 * msb(Integer(problem.matrix.nodes) + 1) + 63) / 64 + 1));
    const bool affordable = problem.matrix.nodes <= options.long_chain_nodes;
    std::vector<MixingTime> found(open.size());
    if (affordable) {
        PowerLadder ladder(float_matrix(problem.system, problem.kind, bits));
        const auto side = problem.kind == Operator::walk ? SurvivorSide::row : SurvivorSide::column;
        found = long_mixing_times(ladder, side, epsilons, options.convention, log2_steps + 1);
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
        auto& time = times[open[i]];
        time.lower = std::max(time.lower, found[i].lower);
        const Integer bound = halving_bound(run, epsilons[i], options.convention);
        time.upper = found[i].upper ? std::min(*found[i].upper, bound) : bound;
    }
}

/// Exact answers where the integers stay small; they must agree with the enclosures.
void settle_exactly(const SurvivalProblem& problem, const MeasureOptions& options,
                    std::vector<MixingTime>& times) {
    if (!problem.exact) return;
    const auto exact_step = problem.step(over_common_denominator(*problem.exact, problem.kind));
    std::vector<Rational> epsilons;
    std::vector<std::size_t> which;
    Integer longest = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (times[k].never || !times[k].upper) continue;
        if (exact_cost(exact_step, times[k].upper->convert_to<double>()) > options.exact_budget) continue;
        which.push_back(k);
        epsilons.push_back(options.epsilons[k]);
        longest = std::max(longest, *times[k].upper);
    }
    const auto exact = exact_mixing_times(exact_step, problem.absorbing(), epsilons, options.convention,
                                          longest.convert_to<std::size_t>() + 1);
    for (std::size_t i = 0; i < which.size(); ++i) {
        auto& time = times[which[i]];
        if (!exact[i].is_exact() || exact[i].lower < time.lower || exact[i].lower > *time.upper)
            throw std::logic_error(
                fmt::format("mixing time: the exact answer {} lies outside the enclosure [{}, {}]",
                            exact[i].lower.str(), time.lower.str(), time.upper->str()));
        time = exact[i];
    }
}

}  // namespace

std::vector<MixingTime> survival_times(const SurvivalProblem& problem, const MeasureOptions& options) {
    const auto step = problem.step(double_matrix(problem.matrix));
    const std::size_t step_limit = options.scan_steps(step.nodes, step.entry.size());
    LongRun run = long_run(problem.step(enclosure_matrix(problem.matrix)), problem.absorbing());
    if (run.some_start_is_trapped && options.convention.start == Start::mean && problem.exact) {
        const auto trapped = trapped_probabilities(problem.step(*problem.exact), problem.absorbing());
        run.exact_mean_trapped =
            std::accumulate(trapped.begin(), trapped.end(), Rational(0)) / problem.matrix.nodes;
    }

    std::vector<MixingTime> times(options.epsilons.size());
    std::vector<std::size_t> scannable;
    std::vector<Rational> epsilons;
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (is_finite(run, options.epsilons[k], options.convention) == Decision::no) {
            times[k] = MixingTime::no_step();
            continue;
        }
        if (run.some_start_is_trapped && options.convention.start == Start::worst) {
            times[k] = MixingTime::exactly(0);  // ε lets pass even what stays for ever, which d(0) is
            continue;
        }
        scannable.push_back(k);
        epsilons.push_back(options.epsilons[k]);
    }
    const auto scanned =
        certified_mixing_times(step, problem.absorbing(), epsilons, options.convention, step_limit);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < scannable.size(); ++i) {
        times[scannable[i]] = scanned[i];
        if (!scanned[i].upper && std::isfinite(run.expected_steps)) open.push_back(scannable[i]);
    }
    if (!open.empty()) extend_long(problem, options, run, open, times);
    settle_exactly(problem, options, times);
    return times;
}

}  // namespace crosshead
