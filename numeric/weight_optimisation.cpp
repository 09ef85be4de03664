#include <algorithm>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/numeric/fidelity_bound.hpp>
#include <crosshead/numeric/fidelity_measure.hpp>
#include <crosshead/numeric/measure.hpp>
#include <crosshead/numeric/weight_optimisation.hpp>
#include <limits>
#include <numeric>

namespace crosshead {
namespace {

std::vector<double> approximations(const std::vector<Rational>& weights) {
    std::vector<double> result;
    for (const auto& weight : weights) result.push_back(approximate(weight));
    return result;
}

HeadSystem with(const HeadSystem& system, const std::vector<Rational>& weights) {
    const ConvexWeights convex(weights, "optimised weights");
    return system.with_weights(convex, convex);
}

/// Multiples of 1/q nearest to the weights, sum 1: floors, and the largest remainders rounded up.
std::vector<Rational> rounded_to(const std::vector<double>& weights, std::uint64_t q) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<std::uint64_t> parts;
    std::vector<std::pair<double, std::size_t>> remainders;
    std::uint64_t left = q;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        const double exact = std::clamp(weights[h] / sum, 0.0, 1.0) * static_cast<double>(q);
        const auto part = std::min(static_cast<std::uint64_t>(exact), left);
        parts.push_back(part);
        left -= part;
        remainders.emplace_back(static_cast<double>(part) - exact, h);
    }
    std::sort(remainders.begin(), remainders.end());
    for (std::size_t k = 0; left > 0; k = (k + 1) % remainders.size(), --left) ++parts[remainders[k].second];
    std::vector<Rational> result;
    for (const auto part : parts) result.emplace_back(part, q);
    return result;
}

/// The weights with the smallest common denominator that lose no more than `loss` of the estimate.
std::vector<Rational> simplest(const WeightObjective& objective, const WeightSearch& search, double loss) {
    std::vector<std::uint64_t> denominators(64);
    std::iota(denominators.begin(), denominators.end(), std::uint64_t{1});
    for (const std::uint64_t q : {72, 80, 96, 100, 120, 128, 144, 180, 200, 240, 256, 360, 500, 512, 720})
        denominators.push_back(q);
    for (std::uint64_t q = 1000; q < 10'000'000'000; q *= 10) denominators.push_back(q);
    for (const auto q : denominators) {
        auto weights = rounded_to(search.best, q);
        if (objective.value(approximations(weights)) >= search.best_value - loss) return weights;
    }
    return rounded_to(search.best, std::uint64_t{1} << 40);
}

/// An estimate that is larger where the value is better.
double signed_value(const Quantity& value, WeightGoal goal) {
    if (value.infinite) return -std::numeric_limits<double>::infinity();
    return larger_is_better(goal) ? value.approximation() : -value.approximation();
}

std::unique_ptr<WeightObjective> objective_of(const HeadSystem& system, const OptimisationOptions& options) {
    switch (options.goal) {
        case WeightGoal::minimax_fidelity:
            return fidelity_objective(system, options.search.width / 8);
        case WeightGoal::mixing_time:
            return mixing_objective(system, options.epsilon, options.convention);
        case WeightGoal::absorption:
            break;
    }
    return absorption_objective(system, options.convention.start);
}

/// Whether exact cells show that φ ≤ `value` everywhere: a proof, or nothing within its budget.
bool proves_fidelity_at_most(const HeadSystem& system, const Rational& value) {
    constexpr double small_bits = 64;
    constexpr std::size_t most_cells = 400;
    if (system.nodes() > 8 || system.head_count() > 3 ||
        !exact_operators(system, Operator::diffusion, HeadWeights::left_out, small_bits))
        return false;
    const AlignedOperators<Rational> operators(
        head_operators(system, Operator::diffusion, HeadWeights::left_out));
    const Reachability reach(system, ConvexWeights::uniform(system.head_count()));
    std::vector<boost::dynamic_bitset<>> reached;
    for (Node j = 0; j < system.nodes(); ++j) reached.push_back(reach.reached_from(j));
    BernsteinTables tables(system.head_count());
    BoundLimits<Rational> limits;
    limits.enough = value;
    limits.most_coefficients = 100;
    limits.most_work = 1e5;
    std::vector<WeightCell<Rational>> open{WeightCell<Rational>::whole(system.head_count())};
    for (std::size_t cells = 0; !open.empty(); ++cells) {
        if (cells >= most_cells) return false;
        const auto cell = std::move(open.back());
        open.pop_back();
        const Rational bound = fidelity_upper_bound(operators.at_vertices(cell), tables, reached, limits,
                                                    [](const Rational& exact, std::size_t) { return exact; })
                                   .upper;
        if (bound <= value) continue;
        auto [left, right] = cell.halves();
        open.push_back(std::move(left));
        open.push_back(std::move(right));
    }
    return true;
}

/// The enclosure of the optimum between what was measured and what no weights exceed.
Quantity enclosed(const WeightOptimum& optimum, const OptimisationOptions& options) {
    const Quantity& best = optimum.best.value;
    const double bound = std::abs(optimum.search.upper);
    if (options.goal == WeightGoal::minimax_fidelity)
        return optimum.single_head_is_best
                   ? best
                   : Quantity::within({best.enclosure.lower(), std::max(best.enclosure.upper(), bound)});
    // Infinite everywhere; a search that was stopped before its first bound has +infinity here.
    if (best.infinite && optimum.search.upper == -std::numeric_limits<double>::infinity()) return best;
    if (best.infinite) return Quantity::within({bound, std::numeric_limits<double>::infinity()});
    // A mixing time is an integer: a bound of T − 1 < T_mix ≤ T is a proof.
    if (best.exact && bound >= approximate(*best.exact)) return best;
    return Quantity::within({std::min(best.enclosure.lower(), bound), best.enclosure.upper()});
}

Decision decide_beats(const WeightOptimum& optimum, const OptimisationOptions& options) {
    if (optimum.optimum.infinite) return Decision::no;
    const Quantity& head = optimum.heads[optimum.best_head];
    const bool larger = larger_is_better(options.goal);
    const auto better = [&](const Quantity& a, const Quantity& b) {
        return larger ? less(b, a) : less(a, b);
    };
    if (better(optimum.best.value, head) == Decision::yes) return Decision::yes;
    if (optimum.single_head_is_best || better(optimum.optimum, head) == Decision::no) return Decision::no;
    const double reach = larger ? optimum.optimum.enclosure.upper() - head.enclosure.lower()
                                : head.enclosure.upper() - optimum.optimum.enclosure.lower();
    const bool negligible = !head.infinite && reach <= options.search.width * head.approximation();
    return negligible ? Decision::no : Decision::undecided;
}

}  // namespace

Quantity goal_value(const HeadSystem& system, const OptimisationOptions& options) {
    if (options.goal == WeightGoal::minimax_fidelity) {
        const auto fidelity = measure_fidelities(system, MeasureOptions{});
        return minimax_fidelity(fidelity, fidelity.size()).fidelity.value;
    }
    MeasureOptions measure;
    measure.epsilons = {options.epsilon};
    measure.convention = options.convention;
    const WalkMeasure walk = measure_walk(system, measure);
    if (options.goal == WeightGoal::mixing_time) return steps_of(walk.mixing_times.front());
    return options.convention.start == Start::worst ? walk.absorption_worst : walk.absorption_mean;
}

WeightOptimum optimise_weights(const HeadSystem& system, const OptimisationOptions& options) {
    if (options.epsilon <= 0) throw InputError("optimise: a mixing time needs epsilon > 0");
    const std::size_t heads = system.head_count();
    WeightOptimum optimum;
    std::vector<std::vector<double>> starts;
    const auto choose = [&](const std::vector<Rational>& weights) {
        return WeightChoice{weights, goal_value(with(system, weights), options)};
    };
    const auto consider = [&](const WeightChoice& choice) {
        if (optimum.best.weights.empty() ||
            signed_value(choice.value, options.goal) > signed_value(optimum.best.value, options.goal))
            optimum.best = choice;
    };
    for (std::size_t h = 0; h < heads; ++h) {
        std::vector<Rational> vertex(heads, Rational(0));
        vertex[h] = 1;
        const auto choice = choose(vertex);
        optimum.heads.push_back(choice.value);
        if (signed_value(choice.value, options.goal) >
            signed_value(optimum.heads[optimum.best_head], options.goal))
            optimum.best_head = h;
        consider(choice);
        starts.push_back(approximations(vertex));
    }
    optimum.uniform = choose(ConvexWeights::uniform(heads).values());
    optimum.own = choose(
        (options.goal == WeightGoal::minimax_fidelity ? system.diffusion_weights() : system.walk_weights())
            .values());
    for (const auto* choice : {&optimum.own, &optimum.uniform}) {
        consider(*choice);
        starts.push_back(approximations(choice->weights));
    }
    const auto objective = objective_of(system, options);
    WeightSearchOptions search = options.search;
    search.width /= 2;  // the rest is for rounding to simple weights
    optimum.search = search_weights(*objective, starts, search);
    consider(choose(simplest(*objective, optimum.search,
                             options.search.width / 4 * std::abs(optimum.search.best_value))));
    const Quantity& head = optimum.heads[optimum.best_head];
    const bool may_be_head =
        optimum.search.upper - signed_value(head, options.goal) <= 1e-3 * std::abs(head.approximation());
    optimum.single_head_is_best = options.goal == WeightGoal::minimax_fidelity && head.exact && may_be_head &&
                                  less(head, optimum.best.value) != Decision::yes &&
                                  proves_fidelity_at_most(system, *head.exact);
    optimum.optimum = enclosed(optimum, options);
    optimum.beats_best_head = decide_beats(optimum, options);
    return optimum;
}

}  // namespace crosshead
