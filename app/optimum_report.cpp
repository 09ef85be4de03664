#include "optimum_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "table.hpp"

namespace crosshead {
namespace {

/// A value of the goal as a mixing time where it is one: an integer, never, or a range of integers.
MixingTime as_steps(const Quantity& value) {
    if (value.infinite) return MixingTime::no_step();
    if (value.exact) return MixingTime::exactly(numerator(*value.exact));
    MixingTime time;
    time.lower = Integer(std::ceil(value.enclosure.lower()));
    if (value.is_bounded()) time.upper = Integer(std::floor(value.enclosure.upper()));
    return time;
}

std::string value_text(const Quantity& value, const OptimisationOptions& options) {
    return options.goal == WeightGoal::mixing_time ? to_text(as_steps(value)) : to_text(value);
}

Json value_json(const Quantity& value, const OptimisationOptions& options, bool full) {
    return options.goal == WeightGoal::mixing_time ? to_json(as_steps(value)) : to_json(value, full);
}

std::string weights_text(const std::vector<Rational>& weights) {
    std::vector<std::string> list;
    for (const auto& weight : weights) {
        const std::string fraction = to_string(weight);
        list.push_back(fraction.size() <= 16 ? fraction : fmt::format("≈{:.6g}", approximate(weight)));
    }
    return fmt::format("{}", fmt::join(list, ", "));
}

std::string end_text(const WeightSearch& search) {
    switch (search.end) {
        case SearchEnd::narrow:
            return fmt::format("{} cells", search.cells);
        case SearchEnd::budget:
            return fmt::format("ended at its budget of {} cells; --cells takes more", search.cells);
        case SearchEnd::interrupted:
            return fmt::format("interrupted after {} cells", search.cells);
        case SearchEnd::whole_only:
            break;
    }
    return "more than four heads: one bound over all weights, and ascent; the gap is not closed";
}

const char* end_name(SearchEnd end) {
    switch (end) {
        case SearchEnd::narrow:
            return "narrow";
        case SearchEnd::budget:
            return "budget";
        case SearchEnd::interrupted:
            return "interrupted";
        case SearchEnd::whole_only:
            break;
    }
    return "whole simplex only";
}

/// Three significant digits, rounded up.
std::string rounded_up_text(double value) {
    if (value <= 0) return "0";
    const double scale = std::pow(10, std::floor(std::log10(value)) - 2);
    return fmt::format("{:.3g}", std::ceil(value / scale * (1 + 1e-12)) * scale);
}

/// How far `from` may be from the good end of `to`, at most, as a text.
std::string distance_text(const Quantity& from, const Quantity& to, const OptimisationOptions& options) {
    const bool larger = larger_is_better(options.goal);
    if (from.infinite) return to.infinite ? "0" : "an unbounded amount";
    if (from.exact && to.exact && *from.exact == *to.exact) return "0";
    const double most = larger ? to.enclosure.upper() - from.enclosure.lower()
                               : from.enclosure.upper() - to.enclosure.lower();
    if (options.goal == WeightGoal::mixing_time)
        return fmt::format("{:.0f}", std::max(0.0, std::floor(most)));
    return rounded_up_text(most > 0 ? next_up(most) : 0);
}

std::string answer_text(const WeightOptimum& optimum, const OptimisationOptions& options) {
    const Quantity& head = optimum.heads[optimum.best_head];
    const std::string best_head = fmt::format("head {}'s {}", optimum.best_head, value_text(head, options));
    switch (optimum.beats_best_head) {
        case Decision::yes: {
            std::vector<std::string> used;
            for (std::size_t h = 0; h < optimum.best.weights.size(); ++h)
                if (optimum.best.weights[h] > 0) used.push_back(std::to_string(h));
            return fmt::format(
                "Can weights make this layer beat its best head? Yes: {} against {}, by {} at most; the best "
                "weights found use heads {}, not a single one.\n",
                value_text(optimum.best.value, options), best_head,
                distance_text(head, optimum.optimum, options), fmt::join(used, ", "));
        }
        case Decision::no:
            if (optimum.optimum.infinite)
                return fmt::format(
                    "Can weights make this layer beat its best head? No: it is {} under all weights.\n",
                    value_text(optimum.optimum, options));
            if (optimum.single_head_is_best)
                return fmt::format(
                    "Can weights make this layer beat its best head? No, proved in rationals for all "
                    "weights: "
                    "{} is the best.\n",
                    best_head);
            return fmt::format(
                "Can weights make this layer beat its best head? No weights beat {} by more than {}.\n",
                best_head, distance_text(head, optimum.optimum, options));
        case Decision::undecided:
            break;
    }
    return fmt::format(
        "Can weights make this layer beat its best head? Undecided: none found, and none beats {} by more "
        "than {}.\n",
        best_head, distance_text(head, optimum.optimum, options));
}

Json choice_json(const WeightChoice& choice, const OptimisationOptions& options, bool full) {
    Json weights = Json::array();
    for (const auto& weight : choice.weights) weights.push_back(to_json(Quantity::of(weight), full));
    return {{"weights", std::move(weights)}, {"value", value_json(choice.value, options, full)}};
}

}  // namespace

std::string goal_text(const OptimisationOptions& options) {
    const char* start =
        options.convention.start == Start::worst ? "from the worst start" : "mean over starts";
    switch (options.goal) {
        case WeightGoal::minimax_fidelity:
            return "minimax fidelity phi over beta; larger is better, the optimum is a supremum";
        case WeightGoal::mixing_time:
            return fmt::format("T_mix({}) over alpha, {}; fewer steps are better", to_string(options.epsilon),
                               start);
        case WeightGoal::absorption:
            break;
    }
    return fmt::format("expected absorption steps over alpha, {}; fewer are better", start);
}

std::string optimum_text(const OptimisedLayer& layer, const OptimisationOptions& options) {
    const WeightOptimum& optimum = layer.optimum;
    Table table({"weights", "value", ""}, Table::Cells::prose);
    for (std::size_t h = 0; h < optimum.heads.size(); ++h)
        table.add({fmt::format("head {} alone", h), value_text(optimum.heads[h], options),
                   h == optimum.best_head ? "best head" : ""});
    table.add({"uniform", value_text(optimum.uniform.value, options)});
    table.add({weights_text(optimum.own.weights), value_text(optimum.own.value, options), "the layer's own"});
    table.add({weights_text(optimum.best.weights), value_text(optimum.best.value, options), "best found"});
    std::string text = table.text();
    text += fmt::format(
        "optimum over all weights: {} ({})\n",
        optimum.optimum.exact || optimum.optimum.infinite || options.goal == WeightGoal::mixing_time
            ? value_text(optimum.optimum, options)
            : fmt::format("[{}, {}]", decimal_down(optimum.optimum.enclosure.lower()),
                          decimal_up(optimum.optimum.enclosure.upper())),
        end_text(optimum.search));
    text += answer_text(optimum, options);
    text += fmt::format("The layer's own weights are within {} of the optimum.\n",
                        distance_text(optimum.own.value, optimum.optimum, options));
    return text;
}

Json optimum_json(const OptimisedLayer& layer, const OptimisationOptions& options, bool full) {
    const WeightOptimum& optimum = layer.optimum;
    Json heads = Json::array();
    for (const auto& head : optimum.heads) heads.push_back(value_json(head, options, full));
    const char* beats = optimum.beats_best_head == Decision::yes  ? "yes"
                        : optimum.beats_best_head == Decision::no ? "no"
                                                                  : "undecided";
    return {{"heads", std::move(heads)},
            {"best_head", optimum.best_head},
            {"uniform", choice_json(optimum.uniform, options, full)},
            {"own", choice_json(optimum.own, options, full)},
            {"best", choice_json(optimum.best, options, full)},
            {"optimum", value_json(optimum.optimum, options, full)},
            {"beats_best_head", beats},
            {"single_head_proved_best", optimum.single_head_is_best},
            {"search", {{"end", end_name(optimum.search.end)}, {"cells", optimum.search.cells}}}};
}

}  // namespace crosshead
