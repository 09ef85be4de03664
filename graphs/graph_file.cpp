#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/topological_sort.hpp>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/graph_file.hpp>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace crosshead {
namespace {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Longest list of node names that a message prints.
constexpr std::size_t max_shown = 100;

std::string shown_list(const std::vector<std::string>& names, const char* separator) {
    if (names.size() <= max_shown) return fmt::format("{}", fmt::join(names, separator));
    return fmt::format("{}{}… ({} in all)", fmt::join(names.begin(), names.begin() + max_shown, separator),
                       separator, names.size());
}

/// Throws the first cycle that depth-first search closes, as vertices from its start to its start.
class CycleFinder : public boost::default_dfs_visitor {
  public:
    struct Found {
        std::vector<std::size_t> vertices;
    };
    explicit CycleFinder(std::vector<std::size_t>& parent) : parent_(parent) {}

    template <class Edge>
    void tree_edge(const Edge& edge, const BoostGraph& graph) {
        parent_[target(edge, graph)] = source(edge, graph);
    }
    template <class Edge>
    void back_edge(const Edge& edge, const BoostGraph& graph) {
        const std::size_t start = target(edge, graph);
        Found found{{start}};
        for (std::size_t v = source(edge, graph); v != start; v = parent_[v]) found.vertices.push_back(v);
        found.vertices.push_back(start);
        std::reverse(found.vertices.begin(), found.vertices.end());
        throw found;
    }

  private:
    std::vector<std::size_t>& parent_;
};

[[noreturn]] void refuse_cycle(const BoostGraph& graph, const GraphFile& file, const std::string& place) {
    std::vector<std::size_t> parent(file.names.size(), 0);
    try {
        boost::depth_first_search(graph, boost::visitor(CycleFinder(parent)));
    } catch (const CycleFinder::Found& cycle) {
        // Begun at the node that the file names first: the highest vertex.
        auto vertices = cycle.vertices;
        vertices.pop_back();
        std::ranges::rotate(vertices, std::ranges::max_element(vertices));
        vertices.push_back(vertices.front());
        std::vector<std::string> names;
        for (const auto vertex : vertices) names.push_back(file.names[file.names.size() - 1 - vertex]);
        throw InputError(
            fmt::format("{}: the graph has a cycle: {}; a head is a feedforward graph, so remove or "
                        "turn one of these edges",
                        place, shown_list(names, " -> ")));
    }
    throw InputError(place + ": the graph has a cycle");  // unreachable: topological_sort saw a back edge
}

/// Nodes of the file in topological order. Vertex v of the Boost graph is node n-1-v and out-edges ascend:
/// depth-first search then meets what the file names last first, which puts it last among equals.
std::vector<std::size_t> topological_order(const GraphFile& file, const std::string& place) {
    const std::size_t n = file.names.size();
    BoostGraph graph(n);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const auto& edge : file.edges)
        if (edge.source != edge.destination)
            pairs.emplace_back(n - 1 - edge.source, n - 1 - edge.destination);
    std::ranges::sort(pairs);
    for (const auto& [source, destination] : pairs) add_edge(source, destination, graph);
    std::vector<std::size_t> order;
    order.reserve(n);
    try {
        boost::topological_sort(graph, std::back_inserter(order));
    } catch (const boost::not_a_dag&) {
        refuse_cycle(graph, file, place);
    }
    std::reverse(order.begin(), order.end());
    for (auto& vertex : order) vertex = n - 1 - vertex;
    return order;
}

std::size_t find_sink(const GraphFile& file, const std::string& place) {
    std::vector<bool> has_out_edge(file.names.size(), false);
    for (const auto& edge : file.edges)
        if (edge.source != edge.destination) has_out_edge[edge.source] = true;
    if (file.sink) {
        const auto found = std::ranges::find(file.names, *file.sink);
        if (found == file.names.end())
            throw InputError(
                fmt::format("{}: the graph names \"{}\" as its sink, which is no node of it; name a node",
                            place, *file.sink));
        const auto sink = static_cast<std::size_t>(found - file.names.begin());
        if (has_out_edge[sink])
            throw InputError(
                fmt::format("{}: the graph names \"{}\" as its sink, but it has an out-edge; the sink has "
                            "none but its self-loop",
                            place, *file.sink));
        return sink;
    }
    std::vector<std::string> sinks;
    std::size_t sink = 0;
    for (std::size_t node = 0; node < file.names.size(); ++node)
        if (!has_out_edge[node]) {
            sink = node;
            sinks.push_back(file.names[node]);
        }
    if (sinks.size() > 1)
        throw InputError(
            fmt::format("{}: {} nodes have no out-edge: {}; a head has one sink, so join them to it, or "
                        "name it with the graph attribute \"sink\"",
                        place, sinks.size(), shown_list(sinks, ", ")));
    return sink;
}

void require_edges_once(const GraphFile& file, const std::string& place) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> first;
    for (const auto& edge : file.edges) {
        const std::string shown = fmt::format("{}: line {}: edge {} -> {}", place, edge.line,
                                              file.names[edge.source], file.names[edge.destination]);
        if (edge.weight < 0)
            throw InputError(
                fmt::format("{} has weight {}; weights are not negative", shown, to_string(edge.weight)));
        const auto [known, is_new] = first.emplace(std::pair(edge.source, edge.destination), edge.line);
        if (!is_new)
            throw InputError(fmt::format("{} was given on line {}; give it once, with the weight that it has",
                                         shown, known->second));
    }
}

void require_good_names(const GraphFile& file, const std::string& place) {
    std::set<std::string_view> seen;
    for (const auto& name : file.names) {
        if (!seen.insert(name).second)
            throw InputError(fmt::format("{}: \"{}\" names two nodes; give each its own", place, name));
        try {
            nlohmann::json(name).dump();
        } catch (const nlohmann::json::type_error&) {
            throw InputError(fmt::format("{}: node {}'s name is not UTF-8; convert the file to UTF-8", place,
                                         seen.size() - 1));
        }
    }
}

}  // namespace

bool parse_self_loops(const std::string& text, const std::string& place) {
    if (text == "true") return true;
    if (text == "false") return false;
    throw InputError(fmt::format("{}: self_loops is \"{}\"; give true or false", place, text));
}

HeadSystem head_from_graph_file(GraphFile file, bool self_loops, const std::string& place) {
    const std::size_t n = file.names.size();
    if (n == 0) throw InputError(fmt::format("{}: the graph has no nodes; a head needs at least one", place));
    require_good_names(file, place);
    require_edges_once(file, place);
    // A self-loop of weight 0 says that the node has none; other edges of weight 0 are no edges.
    std::vector<bool> own_loop(n, false);
    for (const auto& edge : file.edges)
        if (edge.source == edge.destination) own_loop[edge.source] = true;
    std::erase_if(file.edges, [](const auto& edge) { return edge.weight == 0; });

    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (std::ranges::any_of(file.edges, [](const auto& edge) { return edge.source > edge.destination; }))
        order = topological_order(file, place);
    const std::size_t sink = find_sink(file, place);
    std::erase(order, sink);  // the last of its kind already, unless several nodes have no out-edge
    order.push_back(sink);
    std::vector<Node> position(n);
    std::vector<std::string> names(n);
    bool numbered = true;
    for (std::size_t p = 0; p < n; ++p) {
        position[order[p]] = static_cast<Node>(p);
        names[p] = file.names[order[p]];
        numbered = numbered && names[p] == std::to_string(p);
    }
    std::vector<WeightedEdge> edges;
    for (auto& edge : file.edges)
        edges.push_back({position[edge.source], position[edge.destination], std::move(edge.weight)});
    if (file.self_loops.value_or(self_loops))
        for (std::size_t node = 0; node < n; ++node)
            if (!own_loop[node]) edges.push_back({position[node], position[node], 1});
    std::vector<HeadDag> heads;
    heads.emplace_back(static_cast<int>(n), std::move(edges), place);
    return HeadSystem(std::move(heads), ConvexWeights::uniform(1), ConvexWeights::uniform(1),
                      numbered ? std::vector<std::string>{} : std::move(names));
}

}  // namespace crosshead
