// Head systems as JSON: the schema crosshead.head_system/1 (docs/formats.md).
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace crosshead {

inline constexpr std::string_view head_system_schema = "crosshead.head_system/1";

/// Most nodes of a head system, and most nodes times heads, that a file may ask for.
inline constexpr std::int64_t max_nodes = 1'000'000;
inline constexpr std::int64_t max_nodes_times_heads = 4'000'000;

/// Reads a head system. Decimals are taken from their text: 0.06 is 3/50. `place` names the file;
/// `self_loops` is the value of that field where the file does not give it.
/// Throws InputError with the JSON place ("g.json: heads[0].edges[2]: …"): not JSON, an unknown or repeated
/// field, a wrong type, an unknown node, a backward edge, an edge given twice, a negative weight, head
/// weights that are not convex, and what HeadDag and HeadSystem refuse.
HeadSystem parse_head_system(std::string_view json, const std::string& place, bool self_loops = true);

/// The canonical form: parse_head_system gives the same system back, exactly. "self_loops" is true where
/// every node of every head has one (those of weight 1 are then left out), else false.
nlohmann::ordered_json head_system_json(const HeadSystem& system);

/// head_system_json as text, one head a line. `origin`, where not empty, becomes the field of that name: free
/// text, such as the command that made the system; reading ignores it.
std::string format_head_system(const HeadSystem& system, const std::string& origin = {});

}  // namespace crosshead
