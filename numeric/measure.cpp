#include <fmt/format.h>

#include <algorithm>
#include <crosshead/exact/absorption.hpp>
#include <crosshead/graphs/error.hpp>
#include <crosshead/numeric/exact_plan.hpp>
#include <crosshead/numeric/fidelity_measure.hpp>
#include <crosshead/numeric/measure.hpp>
#include <crosshead/numeric/survival.hpp>

namespace crosshead {
namespace {

/// Systems whose exact step could bring in more bits than this are not built exactly: their answers are
/// enclosures.
constexpr double max_exact_bits = 32'768;

/// min over non-sink starts of 1 − W[j][j], summed from the other entries of column j; 1 for a single node.
template <class Scalar>
std::vector<Scalar> leaks(const TransitionMatrix<Scalar>& walk) {
    std::vector<Scalar> result(static_cast<std::size_t>(walk.nodes), Scalar(0));
    for (std::size_t i = 0; i < result.size(); ++i)
        for (std::size_t e = walk.row_begin[i]; e < walk.row_begin[i + 1]; ++e)
            if (const auto j = static_cast<std::size_t>(walk.column[e]); j != i) result[j] += walk.entry[e];
    return result;
}

Quantity least_leak(const TransitionMatrix<Enclosure>& walk) {
    if (walk.nodes == 1) return Quantity::of(1);
    const auto all = leaks(walk);
    Quantity least = Quantity::within(all.front());
    for (std::size_t j = 1; j + 1 < all.size(); ++j) least = smaller(least, Quantity::within(all[j]));
    return least;
}

template <class Scalar, class Wrap>
void read_absorption(const TransitionMatrix<Scalar>& walk, const Wrap& wrap, WalkMeasure& measure) {
    const auto times = absorption_times(walk, walk.nodes - 1);
    Scalar sum(0);
    measure.worst_start = 0;
    measure.absorption_worst = Quantity::of(0);
    for (std::size_t j = 0; j < times.size(); ++j) {
        if (!times[j]) {
            measure.absorption_mean = measure.absorption_worst = Quantity::infinity();
            measure.worst_start = static_cast<Node>(j);
            return;
        }
        sum += *times[j];
        const Quantity time = wrap(*times[j]);
        const Decision later = less(measure.absorption_worst, time);
        if (later == Decision::yes ||
            (later == Decision::undecided && measure.absorption_worst.approximation() < time.approximation()))
            measure.worst_start = static_cast<Node>(j);
        measure.absorption_worst = larger(measure.absorption_worst, time);
    }
    measure.absorption_mean = wrap(Scalar(sum / Scalar(walk.nodes)));
}

void require_positive(const std::vector<Rational>& epsilons) {
    for (const auto& epsilon : epsilons)
        if (epsilon <= 0)
            throw InputError(fmt::format("epsilon {}: a mixing time needs epsilon > 0", to_string(epsilon)));
}

}  // namespace

WalkMeasure measure_walk(const HeadSystem& system, const MeasureOptions& options) {
    require_positive(options.epsilons);
    WalkMeasure measure;
    const FloatMatrix matrix = float_matrix(system, Operator::walk, entry_bits);
    const auto exact = exact_matrix(system, Operator::walk, max_exact_bits);
    const auto enclosures = enclosure_matrix(matrix);
    measure.forward_probability =
        exact ? Quantity::of(mixture_forward_probability(system)) : least_leak(enclosures);
    if (exact)
        read_absorption(
            *exact, [](const Rational& value) { return Quantity::of(value); }, measure);
    else
        read_absorption(
            enclosures, [](const Enclosure& value) { return Quantity::within(value); }, measure);
    measure.mixing_times = survival_times({matrix, Operator::walk, system, exact}, options);
    return measure;
}

std::vector<MixingTime> measure_reverse_mixing(const HeadSystem& system, const MeasureOptions& options) {
    require_positive(options.epsilons);
    const FloatMatrix matrix = float_matrix(system, Operator::diffusion, entry_bits);
    const auto exact = exact_matrix(system, Operator::diffusion, max_exact_bits);
    return survival_times({matrix, Operator::diffusion, system, exact}, options);
}

std::vector<FidelityMeasure> measure_fidelities(const HeadSystem& system, const MeasureOptions& options) {
    const FloatMatrix matrix = float_matrix(system, Operator::diffusion, entry_bits);
    return measure_fidelities(system, matrix, exact_matrix(system, Operator::diffusion, max_exact_bits), options);
}

namespace {

/// min_h T_mix(W^(h)) / T_mix(W̄); absent where a walk is undefined, both are infinite, or T_mix(W̄) = 0.
std::optional<Quantity> mixing_gain(const SystemMeasure& measure, std::size_t k) {
    if (!measure.mixture.walk) return std::nullopt;
    std::optional<Quantity> best;
    for (const auto& head : measure.heads) {
        if (!head.walk) return std::nullopt;
        const Quantity time = steps_of(head.walk->mixing_times[k]);
        best = best ? smaller(*best, time) : time;
    }
    return ratio(*best, steps_of(measure.mixture.walk->mixing_times[k]));
}

void compare_with_heads(const HeadSystem& system, SystemMeasure& measure) {
    Quantity best_fidelity = measure.heads.front().minimax.fidelity.value;
    std::optional<Quantity> bound = Quantity::of(0);
    for (std::size_t h = 0; h < measure.heads.size(); ++h) {
        const auto& head = measure.heads[h];
        best_fidelity = larger(best_fidelity, head.minimax.fidelity.value);
        const Rational& alpha = system.walk_weights()[h];
        if (alpha == 0) continue;  // its p_h does not count, defined or not
        if (!head.walk || !bound) {
            bound.reset();
            continue;
        }
        const Quantity& p = head.walk->forward_probability;
        bound = bound->exact && p.exact
                    ? Quantity::of(*bound->exact + alpha * *p.exact)
                    : Quantity::within(bound->enclosure + Enclosure::of(alpha) * p.enclosure);
    }
    measure.forward_probability_bound = bound;
    measure.fidelity_gain = ratio(measure.mixture.minimax.fidelity.value, best_fidelity);
    const std::size_t epsilons = measure.mixture.reverse_mixing_times.size();
    for (std::size_t k = 0; k < epsilons; ++k) measure.mixing_gain.push_back(mixing_gain(measure, k));
}

}  // namespace

OperatorMeasure measure_operator(const HeadSystem& system, const MeasureOptions& options) {
    OperatorMeasure measure;
    try {
        measure.walk = measure_walk(system, options);
    } catch (const UndefinedQuantity& error) {
        measure.walk_undefined_because = error.what();
    }
    measure.reverse_mixing_times = measure_reverse_mixing(system, options);
    measure.fidelity = measure_fidelities(system, options);
    const auto n = measure.fidelity.size();
    measure.minimax = minimax_fidelity(measure.fidelity, n);
    if (n > 1) measure.minimax_without_sink = minimax_fidelity(measure.fidelity, n - 1);
    return measure;
}

SystemMeasure measure_system(const HeadSystem& system, const MeasureOptions& options,
                             const std::function<void(std::size_t, std::size_t)>& progress) {
    SystemMeasure measure;
    const std::size_t heads = system.head_count(), total = heads == 1 ? 1 : heads + 1;
    for (std::size_t h = 0; h < heads; ++h) {
        if (progress) progress(h, total);
        measure.heads.push_back(measure_operator(system.single_head(h), options));
    }
    if (progress) progress(heads, total);
    measure.mixture = heads == 1 ? measure.heads.front() : measure_operator(system, options);
    compare_with_heads(system, measure);
    return measure;
}

}  // namespace crosshead
