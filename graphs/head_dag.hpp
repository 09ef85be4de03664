// A head: a feedforward graph with exact non-negative weights, its sink last (design §1).
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <crosshead/graphs/rational.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crosshead {

using Node = int;

/// One weighted edge source → destination with source ≤ destination; equal ends make a self-loop.
struct WeightedEdge {
    Node source = 0;
    Node destination = 0;
    Rational weight = 1;
};

/// One head. Nodes 0..n-1 stand in topological order, the sink τ = n-1. An object that exists is valid:
/// every edge goes forward (or is a self-loop), every stored weight is > 0, no edge occurs twice, and every
/// row (in-weights of a node) has a positive sum, so that the diffusion matrix is defined.
class HeadDag {
  public:
    /// Compressed sparse rows by source, edge e = position in (source, destination) order;
    /// in_edges() gives the same numbering. Boost.Graph algorithms run on it directly.
    using Graph =
        boost::compressed_sparse_row_graph<boost::bidirectionalS, boost::no_property, boost::no_property>;

    /// Builds a head on `nodes` nodes; edges may come in any order; zero weights are dropped.
    /// `place` opens error messages ("head 2"). Throws InputError: unknown node, backward edge, negative
    /// weight, edge given twice, a node without any in-weight.
    HeadDag(int nodes, std::vector<WeightedEdge> edges, const std::string& place = "head");

    /// Dense attention, row-major n×n (destination × source), of finite non-negative doubles taken exactly.
    enum class Rows { as_given, divided_by_their_sum };
    /// With divided_by_their_sum every row is rescaled exactly to sum 1; eight bytes an edge either way.
    /// Throws InputError for a size mismatch and what the other constructor refuses.
    static HeadDag from_dense(int nodes, std::span<const double> attention, Rows rows,
                              const std::string& place = "head");

    int nodes() const { return nodes_; }
    Node sink() const { return nodes_ - 1; }
    std::size_t edge_count() const { return sources_.size(); }
    const Graph& graph() const { return graph_; }
    /// True when every weight is 1.
    bool is_uniform() const { return is_uniform_; }

    /// Edges in (source, destination) order: sources()[e] → destinations()[e] with weight(e).
    std::span<const Node> sources() const { return sources_; }
    std::span<const Node> destinations() const { return destinations_; }
    Rational weight(std::size_t edge) const;
    /// The edges of one source: [first, second).
    std::pair<std::size_t, std::size_t> edges_from(Node source) const {
        return {first_out_[static_cast<std::size_t>(source)], first_out_[static_cast<std::size_t>(source) + 1]};
    }
    /// For a head from dense attention: weight(e) = dyadic_weights()[e] / row_divisors()[destination], where
    /// no row divisors means 1. Empty for a head built from rational edges.
    std::span<const double> dyadic_weights() const { return dyadic_; }
    std::span<const Rational> row_divisors() const { return row_divisors_; }

    /// True where node j has no out-weight at all, so that column j of W is undefined.
    bool has_out_weight(Node node) const { return first_out_[node] < first_out_[node + 1]; }

  private:
    HeadDag() = default;
    /// Offsets, graph and the check that every node has an in-weight, once the edges are in place.
    void finish(const std::string& place);

    int nodes_ = 0;
    std::vector<Node> sources_, destinations_;
    std::vector<std::size_t> first_out_;  // n+1 offsets into the edges, by source
    std::vector<Rational> rational_;      // one of these two holds the weights
    std::vector<double> dyadic_;
    std::vector<Rational> row_divisors_;
    bool is_uniform_ = false;
    Graph graph_;
};

}  // namespace crosshead
