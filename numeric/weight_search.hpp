// Branch and bound over the simplex of head weights, and ascent from a point.
#pragma once

#include <atomic>
#include <crosshead/numeric/weight_objective.hpp>
#include <functional>
#include <vector>

namespace crosshead {

/// Why a search over cells ended.
enum class SearchEnd {
    narrow,       // bound and best value are within the width that was asked for
    budget,       // as many cells were looked at, or as much work was done, as may be
    interrupted,  // the stop flag was set
    whole_only    // too many heads for cells: one bound over all weights
};

struct WeightSearchOptions {
    double width = 1e-6;  // of the enclosure, relative to the best value
    std::size_t most_cells = 20'000;
    double most_work = 1e10;  // multiply-adds of all cells together: about twenty seconds
    std::size_t most_heads_for_cells = 4;
    const std::atomic<bool>* stop = nullptr;
    /// Called now and then with the cells looked at, the best value and the bound.
    std::function<void(std::size_t, double, double)> progress;
};

struct WeightSearch {
    std::vector<double> best;  // sums to 1 up to rounding
    double best_value = 0;     // an estimate
    double upper = 0;          // no weights have more: rigorous
    std::size_t cells = 0;
    SearchEnd end = SearchEnd::narrow;
};

/// Ascends from the best of the starts and from the last, then narrows the bound: the cell with the largest
/// bound gets more effort, or is halved, and where a cell's middle is better than anything so far, ascent
/// goes on from there. `starts`: at least one.
WeightSearch search_weights(WeightObjective& objective, const std::vector<std::vector<double>>& starts,
                            const WeightSearchOptions& options);

/// Climbs along gradients of softened objectives where there are any, then by shifting weight between two
/// heads in ever smaller steps. Returns the end point.
std::vector<double> ascend(const WeightObjective& objective, std::vector<double> weights,
                           const std::atomic<bool>* stop = nullptr);

}  // namespace crosshead
