#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <crosshead/graphs/strict_json.hpp>
#include <map>
#include <set>
#include <utility>

namespace crosshead {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
    throw InputError(fmt::format("{}: {}", place, why));
}

const json& require_array(const json& value, const std::string& place, const char* of_what) {
    if (!value.is_array())
        refuse(place, fmt::format("is {}, not an array of {}", shown_json(value), of_what));
    return value;
}

void require_known_fields(const json& object, const std::set<std::string>& known, const std::string& place) {
    for (const auto& [key, value] : object.items())
        if (!known.contains(key))
            refuse(place, fmt::format("unknown field {}; the fields are: {}", shown_json(key),
                                      fmt::join(known, ", ")));
}

/// A number: JSON integer, JSON decimal (from its text) or string.
Rational read_rational(const json& value, const std::string& place) {
    if (value.is_string()) return parse_rational(value.get_ref<const std::string&>(), place);
    if (is_decimal_text(value)) return parse_rational(decimal_text(value), place);
    if (value.is_number_integer()) return parse_rational(value.dump(), place);
    refuse(place, fmt::format("{} is not a number; write 3, 0.06 or \"3/16\"", shown_json(value)));
}

/// What the edges of a file refer to.
class NodeNames {
  public:
    NodeNames(int nodes, std::vector<std::string> names, const std::string& place)
        : nodes_(nodes), names_(std::move(names)) {
        if (names_.empty()) return;
        if (names_.size() != static_cast<std::size_t>(nodes))
            refuse(place, fmt::format("{} names for {} nodes; give one for each node, or leave names out",
                                      names_.size(), nodes));
        for (int node = 0; node < nodes; ++node) {
            const auto& name = names_[static_cast<std::size_t>(node)];
            if (!by_name_.emplace(name, node).second)
                refuse(place, fmt::format("{} names two nodes; give each its own", shown_json(name)));
        }
    }

    Node resolve(const json& end, const std::string& place) const {
        if (end.is_string()) {
            const auto found = by_name_.find(end.get_ref<const std::string&>());
            if (found == by_name_.end())
                refuse(place,
                       fmt::format("names node {}, which \"names\" does not list; use a listed name or "
                                   "a number from 0 to {}",
                                   shown_json(end), nodes_ - 1));
            return found->second;
        }
        if (!end.is_number_integer())
            refuse(place, fmt::format("{} is not a node; use a number from 0 to {} or a listed name",
                                      shown_json(end), nodes_ - 1));
        if (end.is_number_unsigned() && end.get<std::uint64_t>() < static_cast<std::uint64_t>(nodes_))
            return end.get<Node>();
        refuse(place, fmt::format("names node {}, but the nodes are 0..{}", shown_json(end), nodes_ - 1));
    }

    std::string shown(Node node) const {
        return names_.empty() ? std::to_string(node) : names_[static_cast<std::size_t>(node)];
    }
    int nodes() const { return nodes_; }
    std::vector<std::string> take() { return std::move(names_); }

  private:
    int nodes_;
    std::vector<std::string> names_;
    std::map<std::string, Node> by_name_;
};

WeightedEdge read_edge(const json& value, const NodeNames& names, const std::string& place) {
    if (!value.is_array() || value.size() < 2 || value.size() > 3)
        refuse(place, fmt::format("is {}; an edge is [source, destination] or [source, destination, weight]",
                                  shown_json(value)));
    WeightedEdge edge{names.resolve(value[0], place), names.resolve(value[1], place), 1};
    if (value.size() == 3) edge.weight = read_rational(value[2], place);
    if (edge.source > edge.destination)
        refuse(place,
               fmt::format("edge {} -> {} goes backward: nodes stand in topological order, the sink last; "
                           "reorder the nodes, or swap the ends",
                           names.shown(edge.source), names.shown(edge.destination)));
    if (edge.weight < 0)
        refuse(place, fmt::format("weight {} is negative; weights are 0 or more", to_string(edge.weight)));
    return edge;
}

HeadDag read_head(const json& value, const NodeNames& names, bool self_loops, const std::string& place) {
    if (!value.is_object())
        refuse(place, fmt::format("is {}, not an object with \"edges\"", shown_json(value)));
    require_known_fields(value, {"edges"}, place);
    if (!value.contains("edges")) refuse(place, "has no \"edges\"; give a list of [source, destination]");
    const json& list = require_array(value["edges"], place + ".edges", "edges");
    std::vector<WeightedEdge> edges;
    std::map<std::pair<Node, Node>, std::size_t> first;
    for (std::size_t e = 0; e < list.size(); ++e) {
        const std::string edge_place = fmt::format("{}.edges[{}]", place, e);
        edges.push_back(read_edge(list[e], names, edge_place));
        const auto [known, is_new] = first.emplace(std::pair(edges[e].source, edges[e].destination), e);
        if (!is_new)
            refuse(
                edge_place,
                fmt::format("edge {} -> {} was given as edges[{}]; give it once, with the weight "
                            "that it has",
                            names.shown(edges[e].source), names.shown(edges[e].destination), known->second));
    }
    if (self_loops)
        for (Node node = 0; node < names.nodes(); ++node)
            if (!first.contains({node, node})) edges.push_back({node, node, 1});
    return HeadDag(names.nodes(), std::move(edges), place);
}

ConvexWeights read_weights(const json& file, const char* field, std::size_t heads, const std::string& place) {
    if (!file.contains(field)) return ConvexWeights::uniform(heads);
    const std::string field_place = fmt::format("{}: {}", place, field);
    const json& list = require_array(file[field], field_place, "numbers");
    if (list.size() != heads)
        refuse(field_place,
               fmt::format("{} weights for {} heads; give one for each head", list.size(), heads));
    std::vector<Rational> weights;
    for (std::size_t h = 0; h < list.size(); ++h)
        weights.push_back(read_rational(list[h], fmt::format("{}[{}]", field_place, h)));
    return ConvexWeights::nearly(std::move(weights), field_place);
}

int read_node_count(const json& file, const std::string& place) {
    if (!file.contains("nodes")) refuse(place, "has no \"nodes\"; give the number of nodes");
    const json& value = file["nodes"];
    if (!value.is_number_unsigned() || value == 0u || value.get<std::uint64_t>() > max_nodes)
        refuse(place, fmt::format("nodes is {}; give an integer from 1 to {}", shown_json(value), max_nodes));
    return value.get<int>();
}

std::vector<std::string> read_names(const json& file, const std::string& place) {
    std::vector<std::string> names;
    if (!file.contains("names")) return names;
    const json& list = require_array(file["names"], place + ": names", "strings");
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (!list[node].is_string())
            refuse(fmt::format("{}: names[{}]", place, node),
                   fmt::format("is {}, not a string; put it in quotes", shown_json(list[node])));
        names.push_back(list[node]);
    }
    if (names.empty()) refuse(place + ": names", "is empty; give one for each node, or leave names out");
    return names;
}

void require_schema(const json& file, const std::string& place) {
    if (!file.is_object())
        refuse(place, fmt::format("is {}, not an object with \"nodes\" and \"heads\"", shown_json(file)));
    require_known_fields(
        file,
        {"schema", "nodes", "names", "heads", "self_loops", "walk_weights", "diffusion_weights", "origin"},
        place);
    if (file.contains("schema") && file["schema"] != head_system_schema)
        refuse(place, fmt::format("schema is {}; this program reads \"{}\"", shown_json(file["schema"]),
                                  head_system_schema));
    if (file.contains("origin") && !file["origin"].is_string())
        refuse(place, fmt::format("origin is {}, not a string", shown_json(file["origin"])));
}

/// JSON integers up to 2^53 are the same number for every reader; beyond, and for fractions, text.
ordered_json number_json(const Rational& value) {
    static const Integer safe = Integer(1) << 53;
    if (denominator(value) == 1 && numerator(value) <= safe)
        return static_cast<std::int64_t>(numerator(value));
    return to_string(value);
}

bool has_every_self_loop(const HeadDag& head) {
    int loops = 0;
    for (std::size_t e = 0; e < head.edge_count(); ++e) loops += head.sources()[e] == head.destinations()[e];
    return loops == head.nodes();
}

ordered_json weights_json(const ConvexWeights& weights) {
    auto list = ordered_json::array();
    for (const auto& weight : weights.values()) list.push_back(number_json(weight));
    return list;
}

}  // namespace

HeadSystem parse_head_system(std::string_view text, const std::string& place, bool self_loops) {
    const json file = parse_strict_json(text, place, Decimals::as_text);
    require_schema(file, place);
    const int nodes = read_node_count(file, place);
    NodeNames names(nodes, read_names(file, place), place + ": names");
    if (file.contains("self_loops")) {
        if (!file["self_loops"].is_boolean())
            refuse(place,
                   fmt::format("self_loops is {}; give true or false", shown_json(file["self_loops"])));
        self_loops = file["self_loops"];
    }
    if (!file.contains("heads")) refuse(place, "has no \"heads\"; give a list of {\"edges\": […]}");
    const json& list = require_array(file["heads"], place + ": heads", "heads");
    if (list.empty()) refuse(place, "heads is empty; give at least one head");
    if (static_cast<std::int64_t>(list.size()) * nodes > max_nodes_times_heads)
        refuse(place, fmt::format("{} heads on {} nodes; at most {} nodes times heads are read", list.size(),
                                  nodes, max_nodes_times_heads));
    std::vector<HeadDag> heads;
    for (std::size_t h = 0; h < list.size(); ++h)
        heads.push_back(read_head(list[h], names, self_loops, fmt::format("{}: heads[{}]", place, h)));
    auto walk = read_weights(file, "walk_weights", heads.size(), place);
    auto diffusion = read_weights(file, "diffusion_weights", heads.size(), place);
    return HeadSystem(std::move(heads), std::move(walk), std::move(diffusion), names.take());
}

ordered_json head_system_json(const HeadSystem& system) {
    ordered_json file;
    file["schema"] = head_system_schema;
    file["nodes"] = system.nodes();
    if (!system.names().empty()) file["names"] = system.names();
    const bool self_loops = std::all_of(system.heads().begin(), system.heads().end(), has_every_self_loop);
    file["self_loops"] = self_loops;
    auto heads = ordered_json::array();
    for (const auto& head : system.heads()) {
        auto edges = ordered_json::array();
        for (std::size_t e = 0; e < head.edge_count(); ++e) {
            const Rational weight = head.weight(e);
            if (self_loops && weight == 1 && head.sources()[e] == head.destinations()[e]) continue;
            ordered_json edge{head.sources()[e], head.destinations()[e]};
            if (weight != 1) edge.push_back(number_json(weight));
            edges.push_back(std::move(edge));
        }
        heads.push_back(ordered_json{{"edges", std::move(edges)}});
    }
    file["heads"] = std::move(heads);
    file["walk_weights"] = weights_json(system.walk_weights());
    file["diffusion_weights"] = weights_json(system.diffusion_weights());
    return file;
}

std::string format_head_system(const HeadSystem& system, const std::string& origin) try {
    ordered_json file = head_system_json(system);
    if (!origin.empty()) file["origin"] = origin;
    std::string text = "{";
    for (const auto& [key, value] : file.items()) {
        text += fmt::format("{}\n  {}: ", text.size() > 1 ? "," : "", ordered_json(key).dump());
        if (key != "heads") {
            text += value.dump();
            continue;
        }
        for (std::size_t h = 0; h < value.size(); ++h)
            text += fmt::format("{}\n    {}", h ? "," : "[", value[h].dump());
        text += "\n  ]";
    }
    return text + "\n}\n";
} catch (const nlohmann::detail::type_error&) {
    throw InputError("a node name or the origin is not UTF-8, which JSON needs; rename it");
}

}  // namespace crosshead
