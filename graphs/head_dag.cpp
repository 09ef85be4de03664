#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/head_dag.hpp>
#include <utility>

namespace crosshead {
namespace {

void require_node_count(int nodes, const std::string& place) {
    if (nodes < 1) throw InputError(fmt::format("{}: {} nodes; a head needs at least one", place, nodes));
}

void require_forward(int nodes, const WeightedEdge& edge, const std::string& place) {
    for (const Node node : {edge.source, edge.destination})
        if (node < 0 || node >= nodes)
            throw InputError(fmt::format("{}: edge {} -> {} names node {}, but the nodes are 0..{}", place,
                                         edge.source, edge.destination, node, nodes - 1));
    if (edge.source > edge.destination)
        throw InputError(
            fmt::format("{}: edge {} -> {} goes backward; nodes are in topological order, so an edge goes "
                        "from a smaller to a larger number (renumber the nodes, or swap the ends)",
                        place, edge.source, edge.destination));
    if (edge.weight < 0)
        throw InputError(fmt::format("{}: edge {} -> {} has weight {}; weights are not negative", place,
                                     edge.source, edge.destination, to_string(edge.weight)));
}

}  // namespace

HeadDag::HeadDag(int nodes, std::vector<WeightedEdge> edges, const std::string& place) {
    require_node_count(nodes, place);
    for (const auto& edge : edges) require_forward(nodes, edge, place);
    std::sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
        return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
    });
    for (std::size_t e = 1; e < edges.size(); ++e)
        if (edges[e - 1].source == edges[e].source && edges[e - 1].destination == edges[e].destination)
            throw InputError(
                fmt::format("{}: edge {} -> {} is given twice; give it once, with the weight that it has",
                            place, edges[e].source, edges[e].destination));
    std::erase_if(edges, [](const WeightedEdge& edge) { return edge.weight == 0; });

    nodes_ = nodes;
    for (auto& edge : edges) {
        sources_.push_back(edge.source);
        destinations_.push_back(edge.destination);
        rational_.push_back(std::move(edge.weight));
    }
    is_uniform_ =
        std::all_of(rational_.begin(), rational_.end(), [](const Rational& weight) { return weight == 1; });
    finish(place);
}

HeadDag HeadDag::from_dense(int nodes, std::span<const double> attention, Rows rows,
                            const std::string& place) {
    require_node_count(nodes, place);
    const auto n = static_cast<std::size_t>(nodes);
    if (attention.size() != n * n)
        throw InputError(
            fmt::format("{}: {} numbers for a {}x{} matrix", place, attention.size(), nodes, nodes));
    HeadDag head;
    head.nodes_ = nodes;
    for (std::size_t source = 0; source < n; ++source)
        for (std::size_t destination = 0; destination < n; ++destination) {
            const double weight = attention[destination * n + source];
            if (!std::isfinite(weight) || weight < 0)
                throw InputError(
                    fmt::format("{}: row {} column {} is {}; weights are finite and not negative", place,
                                destination, source, weight));
            if (weight == 0) continue;
            if (source > destination)
                throw InputError(fmt::format(
                    "{}: row {} column {} is {}, so query {} attends to the later position {}; a head "
                    "is causal (apply the causal mask before exporting)",
                    place, destination, source, weight, destination, source));
            head.sources_.push_back(static_cast<Node>(source));
            head.destinations_.push_back(static_cast<Node>(destination));
            head.dyadic_.push_back(weight);
        }
    head.is_uniform_ = rows == Rows::as_given && std::all_of(head.dyadic_.begin(), head.dyadic_.end(),
                                                             [](double weight) { return weight == 1; });
    head.finish(place);
    if (rows == Rows::divided_by_their_sum) {
        head.row_divisors_.assign(n, Rational(0));
        for (std::size_t e = 0; e < head.edge_count(); ++e)
            head.row_divisors_[static_cast<std::size_t>(head.destinations_[e])] +=
                rational_from_dyadic(head.dyadic_[e]);
    }
    return head;
}

Rational HeadDag::weight(std::size_t edge) const {
    if (dyadic_.empty()) return rational_[edge];
    const Rational raw = rational_from_dyadic(dyadic_[edge]);
    return row_divisors_.empty()
               ? raw
               : Rational(raw / row_divisors_[static_cast<std::size_t>(destinations_[edge])]);
}

void HeadDag::finish(const std::string& place) {
    const auto n = static_cast<std::size_t>(nodes_);
    first_out_.assign(n + 1, 0);
    std::vector<bool> has_in_weight(n, false);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    pairs.reserve(edge_count());
    for (std::size_t e = 0; e < edge_count(); ++e) {
        const auto source = static_cast<std::size_t>(sources_[e]),
                   destination = static_cast<std::size_t>(destinations_[e]);
        ++first_out_[source + 1];
        has_in_weight[destination] = true;
        pairs.emplace_back(source, destination);
    }
    for (std::size_t j = 0; j < n; ++j) {
        first_out_[j + 1] += first_out_[j];
        if (!has_in_weight[j])
            throw InputError(fmt::format(
                "{}: node {} has no in-weight, so its row of the diffusion matrix is undefined; give "
                "it a self-loop or an in-edge",
                place, j));
    }
    graph_ = Graph(boost::edges_are_unsorted_multi_pass, pairs.begin(), pairs.end(), n);
}

}  // namespace crosshead
