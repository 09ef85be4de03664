// One head as GraphML (docs/formats.md).
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <string>
#include <string_view>

namespace crosshead {

/// Reads a directed GraphML graph; `self_loops` counts where the file does not say. Throws InputError naming
/// `place` and the line: not XML, a document type declaration (entities are never expanded), not GraphML,
/// undirected, several or nested graphs, hyperedges, an id given twice, an edge to an undeclared node, a
/// weight that is not a number, and what head_from_graph_file refuses.
HeadSystem parse_graphml(std::string_view bytes, const std::string& place, bool self_loops = true);

/// The only head of `system`; parse_graphml gives the same system back, exactly. Throws InputError for a
/// system of several heads and for a name with characters that XML cannot hold.
std::string format_graphml(const HeadSystem& system);

}  // namespace crosshead
