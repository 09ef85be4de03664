// One head in the DOT language of Graphviz (docs/formats.md).
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <string>
#include <string_view>

namespace crosshead {

/// Reads a digraph; `self_loops` counts where the file does not say. Throws InputError naming `place` and the
/// line: a syntax error, an undirected graph, several graphs, an edge to a node that the file does not
/// declare although it declares others, a weight that is not a number, several heads in one file, and what
/// head_from_graph_file refuses.
HeadSystem parse_dot(std::string_view bytes, const std::string& place, bool self_loops = true);

/// A digraph, weights as labels. For one head, parse_dot gives the same system back, exactly. Several heads
/// become one picture, an edge of its own colour for each head, which is not read back.
/// Throws InputError for a name that DOT cannot quote.
std::string format_dot(const HeadSystem& system);

}  // namespace crosshead
