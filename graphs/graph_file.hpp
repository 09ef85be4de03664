// From a named graph, as GraphML and DOT describe it, to a head: order, sink, self-loops (docs/formats.md).
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

/// A directed graph as a file gives it: nodes in file order, edges by index into `names`.
struct GraphFile {
    struct Edge {
        std::size_t source = 0, destination = 0;
        Rational weight = 1;
        std::size_t line = 0;
    };
    std::vector<std::string> names;
    std::vector<Edge> edges;
    std::optional<std::string> sink;  // the name of the sink, where the file says which node it is
    std::optional<bool> self_loops;   // where the file says whether nodes without one get one, of weight 1
};

/// One head. Nodes keep the file's order where that is topological with the sink last; else Boost.Graph's
/// topological sort orders them, breaking ties by file order. Names that are just 0..n-1 in that order are
/// dropped. `self_loops` counts where the file does not say.
/// Throws InputError opening with `place`: no node, a name given twice, a cycle (printed node by node),
/// several sinks and none named, a named sink that is unknown or has an out-edge, an edge given twice, a
/// negative weight.
HeadSystem head_from_graph_file(GraphFile file, bool self_loops, const std::string& place);

/// "true" or "false", for the self_loops attribute of a graph file. Throws InputError for anything else.
bool parse_self_loops(const std::string& text, const std::string& place);

}  // namespace crosshead
