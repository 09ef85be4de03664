#include <algorithm>
#include <cmath>
#include <crosshead/numeric/weight_search.hpp>
#include <limits>
#include <numeric>

namespace crosshead {
namespace {

bool stopped(const std::atomic<bool>* stop) {
    return stop && stop->load(std::memory_order_relaxed);
}

/// Exponentiated gradient on the simplex, while it helps.
void climb_gradients(const WeightObjective& objective, std::vector<double>& weights, double& value,
                     const std::atomic<bool>* stop) {
    for (const double temperature : {0.3, 0.1, 0.03, 0.01, 0.003, 0.001}) {
        double rate = 0.5;
        for (int trial = 0; trial < 16 && rate > 1e-4 && !stopped(stop); ++trial) {
            const auto gradient = objective.gradient(weights, temperature);
            if (!gradient) return;
            const double mean = std::inner_product(gradient->begin(), gradient->end(), weights.begin(), 0.0);
            double steepest = 0;
            for (const double slope : *gradient) steepest = std::max(steepest, std::abs(slope - mean));
            if (steepest == 0) return;
            auto next = weights;
            double sum = 0;
            for (std::size_t h = 0; h < next.size(); ++h) {
                next[h] *= std::exp(rate * ((*gradient)[h] - mean) / steepest);
                sum += next[h];
            }
            for (auto& weight : next) weight /= sum;
            if (const double reached = objective.guide(next); reached > value) {
                weights = std::move(next);
                value = reached;
            } else {
                rate /= 2;
            }
        }
    }
}

/// Moves weight from one head to another; halves the step where no pair helps.
void climb_pairs(const WeightObjective& objective, std::vector<double>& weights, double& value,
                 const std::atomic<bool>* stop) {
    const std::size_t heads = weights.size();
    for (double step = 0.25; step > 1e-9 && !stopped(stop);) {
        bool better = false;
        for (std::size_t a = 0; a < heads; ++a)
            for (std::size_t b = 0; b < heads; ++b) {
                const double moved = std::min(step, weights[a]);
                if (a == b || moved <= 0 || stopped(stop)) continue;
                auto next = weights;
                next[a] -= moved;
                next[b] += moved;
                const double reached = objective.guide(next);
                if (reached > value) {
                    weights = std::move(next);
                    value = reached;
                    better = true;
                }
            }
        if (!better) step /= 2;
    }
}

struct OpenCell {
    WeightCell<double> cell;
    double upper;
    double effort;  // that its bound was given
    bool complete;  // more effort would not lower it
    friend bool operator<(const OpenCell& a, const OpenCell& b) { return a.upper < b.upper; }
};

/// How far apart bound and best value may be.
double allowed_gap(double best_value, double width) {
    return width * std::abs(best_value);
}

}  // namespace

std::vector<double> ascend(const WeightObjective& objective, std::vector<double> weights,
                           const std::atomic<bool>* stop) {
    double value = objective.guide(weights);
    climb_gradients(objective, weights, value, stop);
    climb_pairs(objective, weights, value, stop);
    return weights;
}

WeightSearch search_weights(WeightObjective& objective, const std::vector<std::vector<double>>& starts,
                            const WeightSearchOptions& options) {
    WeightSearch result;
    result.best_value = -std::numeric_limits<double>::infinity();
    const auto offer = [&](const std::vector<double>& weights) {
        const double value = objective.value(weights);
        if (value <= result.best_value && !result.best.empty()) return;
        result.best = weights;
        result.best_value = value;
    };
    for (const auto& start : starts) offer(start);
    for (const auto& start : {result.best, starts.back()})
        if (!stopped(options.stop)) offer(ascend(objective, start, options.stop));
    const std::size_t heads = starts.front().size();
    std::vector<OpenCell> open;                                 // a heap
    double settled = -std::numeric_limits<double>::infinity();  // largest bound of a cell that was let go
    double work = 0;
    const auto look_at = [&](WeightCell<double> cell, double known, double effort) {
        const CellBound bound = objective.upper_bound(cell, result.best_value, effort);
        ++result.cells;
        work += bound.work;
        const double upper = std::min(known, bound.upper);
        if (upper <= result.best_value) {
            settled = std::max(settled, upper);
            return;
        }
        // Where eight times the effort closed less than a tenth of the gap, more will not help either.
        const bool hopeless = effort > 1 && upper > known - (known - result.best_value) / 10;
        open.push_back({std::move(cell), upper, effort, bound.complete || hopeless});
        std::push_heap(open.begin(), open.end());
    };
    look_at(WeightCell<double>::whole(heads), std::numeric_limits<double>::infinity(), 1);
    while (true) {
        result.upper = open.empty() ? settled : std::max(settled, open.front().upper);
        result.end = SearchEnd::narrow;
        if (open.empty() || result.upper <= result.best_value + allowed_gap(result.best_value, options.width))
            break;
        result.end = SearchEnd::budget;
        if (result.cells >= options.most_cells || work >= options.most_work) break;
        result.end = SearchEnd::interrupted;
        if (stopped(options.stop)) break;
        if (options.progress) options.progress(result.cells, result.best_value, result.upper);
        std::pop_heap(open.begin(), open.end());
        OpenCell widest = std::move(open.back());
        open.pop_back();
        constexpr double most_effort = 512, smallest = 0x1p-40;  // smaller, and vertices would be rounded
        if (!widest.complete && widest.effort < most_effort) {
            look_at(std::move(widest.cell), widest.upper, 8 * widest.effort);
        } else if (heads > options.most_heads_for_cells || widest.cell.diameter() < smallest) {
            if (heads > options.most_heads_for_cells) result.end = SearchEnd::whole_only;
            settled = std::max(settled, widest.upper);
            if (result.end == SearchEnd::whole_only) {
                result.upper = settled;
                break;
            }
        } else {
            auto [left, right] = widest.cell.halves();
            for (auto* half : {&left, &right}) {
                const auto middle = half->middle();
                const double worth = allowed_gap(result.best_value, options.width) / 4;
                if (objective.value(middle) > result.best_value + worth)
                    offer(ascend(objective, middle, options.stop));
                look_at(std::move(*half), widest.upper, 1);
            }
        }
    }
    return result;
}

}  // namespace crosshead
