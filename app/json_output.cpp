#include "json_output.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace crosshead {
namespace {

Json number_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const std::optional<Quantity>& quantity, bool full) {
    return quantity ? to_json(*quantity, full) : Json(nullptr);
}

std::uint64_t bit_length(const Integer& value) {
    return value == 0 ? 1 : msb(abs(value)) + 1;
}

Json times_json(const std::vector<MixingTime>& times, const MeasureOptions& options) {
    Json result = Json::object();
    for (std::size_t k = 0; k < times.size(); ++k) result[to_string(options.epsilons[k])] = to_json(times[k]);
    return result;
}

Json fidelity_json(const FidelityMeasure& fidelity, bool full) {
    return {{"value", to_json(fidelity.value, full)}, {"attained_at", attained_json(fidelity)}};
}

Json minimax_json(const MinimaxFidelity& minimax, bool full) {
    return {{"value", to_json(minimax.fidelity.value, full)},
            {"node", minimax.node},
            {"node_decided", minimax.node_decided},
            {"attained_at", attained_json(minimax.fidelity)}};
}

/// Adds what one operator (head or mixture) was measured to be.
void add_operator(Json& object, const OperatorMeasure& measure, const MeasureOptions& options, bool full) {
    if (measure.walk) {
        const WalkMeasure& walk = *measure.walk;
        object["forward_probability"] = to_json(walk.forward_probability, full);
        object["mixing_time"] = times_json(walk.mixing_times, options);
        object["absorption"] = {{"mean", to_json(walk.absorption_mean, full)},
                                {"worst", to_json(walk.absorption_worst, full)},
                                {"worst_start", walk.worst_start}};
    } else {
        for (const char* key : {"forward_probability", "mixing_time", "absorption"}) object[key] = nullptr;
        object["walk_undefined"] = measure.walk_undefined_because;
    }
    object["reverse_mixing_time"] = times_json(measure.reverse_mixing_times, options);
    object["fidelity"] = Json::array();
    for (const auto& fidelity : measure.fidelity) object["fidelity"].push_back(fidelity_json(fidelity, full));
    object["minimax_fidelity"] = minimax_json(measure.minimax, full);
    object["minimax_fidelity_without_sink"] =
        measure.minimax_without_sink ? minimax_json(*measure.minimax_without_sink, full) : Json(nullptr);
}

Json weights_json(const ConvexWeights& weights, bool full) {
    Json list = Json::array();
    for (const auto& weight : weights.values()) list.push_back(to_json(Quantity::of(weight), full));
    return list;
}

}  // namespace

Json to_json(const Quantity& quantity, bool full) {
    if (quantity.infinite) return "infinite";
    if (quantity.exact) {
        std::string text = to_string(*quantity.exact);
        if (full || text.size() <= longest_exact_text)
            return {{"exact", std::move(text)}, {"approx", number_or_null(approximate(*quantity.exact))}};
    }
    Json result = {{"lower", decimal_down(quantity.enclosure.lower())},
                   {"upper", decimal_up(quantity.enclosure.upper())},
                   {"approx", number_or_null(quantity.approximation())}};
    if (quantity.exact)
        result["exact_bits"] =
            bit_length(numerator(*quantity.exact)) + bit_length(denominator(*quantity.exact));
    return result;
}

Json to_json(const MixingTime& time) {
    if (time.never) return "never";
    if (time.is_exact() && time.lower <= std::numeric_limits<std::int64_t>::max())
        return time.lower.convert_to<std::int64_t>();
    return {{"lower", time.lower.str()}, {"upper", time.upper ? Json(time.upper->str()) : Json(nullptr)}};
}

Json attained_json(const FidelityMeasure& fidelity) {
    if (fidelity.kind == FidelityKind::limit) return "limit";
    return to_json(MixingTime{false, fidelity.attained_from, fidelity.attained_to});
}

Json to_json(const Convention& convention) {
    return {{"distance", convention.start == Start::worst
                             ? "d(t) = max over starts j of ||W^t e_j - e_sink||"
                             : "d(t) = mean over all n starts j of ||W^t e_j - e_sink||"},
            {"reverse_mixing_time",
             "the same distance for the walk down the diffusion matrix, absorbed in node 0"},
            {"norm", convention.norm == Norm::l1 ? "l1" : "total-variation"},
            {"strict", convention.strict},
            {"start", convention.start == Start::worst ? "worst" : "mean"},
            {"absorption_mean", "over all n starts, the sink counted as 0"},
            {"fidelity", "supremum over t >= 1"},
            {"minimax_fidelity", "minimum over all nodes, the sink included"}};
}

Json layer_json(const SystemMeasure& measure, const MeasureOptions& options, bool full) {
    Json layer;
    layer["heads"] = Json::array();
    for (std::size_t h = 0; h < measure.heads.size(); ++h) {
        Json head = {{"index", h}};
        add_operator(head, measure.heads[h], options, full);
        layer["heads"].push_back(std::move(head));
    }
    layer["mixture"] = Json::object();
    add_operator(layer["mixture"], measure.mixture, options, full);
    layer["mixture"]["forward_probability_bound"] = to_json(measure.forward_probability_bound, full);
    Json gains = Json::object();
    for (std::size_t k = 0; k < measure.mixing_gain.size(); ++k)
        gains[to_string(options.epsilons[k])] = to_json(measure.mixing_gain[k], full);
    layer["synergy"] = {{"fidelity_gain", to_json(measure.fidelity_gain, full)},
                        {"mixing_gain", std::move(gains)}};
    return layer;
}

Json system_json(const HeadSystem& system) {
    Json result = {{"nodes", system.nodes()}, {"heads", system.head_count()}, {"sink", system.sink()}};
    if (!system.names().empty()) result["names"] = system.names();
    result["walk_weights"] = weights_json(system.walk_weights(), false);
    result["diffusion_weights"] = weights_json(system.diffusion_weights(), false);
    return result;
}

std::string document_text(const Json& document) {
    // A name in a file may hold bytes that are not UTF-8; they are replaced rather than thrown over.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace crosshead
