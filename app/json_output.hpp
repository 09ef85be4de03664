// Measurements as JSON: the number forms of design §4, and the layers of crosshead.measure/1
// (docs/formats.md).
#pragma once

#include <crosshead/numeric/measure.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace crosshead {

using Json = nlohmann::ordered_json;

/// Exact values with more characters than this are given as an enclosure and their bit length.
inline constexpr std::size_t longest_exact_text = 4096;

/// {"exact": "3/16", "approx": 0.1875}, {"lower": "…", "upper": "…", "approx": …} or "infinite".
Json to_json(const Quantity& quantity, bool full);
/// An integer, "never", or {"lower": "…", "upper": "…"} ("upper" null where no bound is known).
Json to_json(const MixingTime& time);
/// 3, "limit", or {"lower": "…", "upper": "…"}.
Json attained_json(const FidelityMeasure& fidelity);
/// {"norm": "l1", "strict": true, "start": "worst", …}.
Json to_json(const Convention& convention);

/// "heads", "mixture" and "synergy" of one layer.
Json layer_json(const SystemMeasure& measure, const MeasureOptions& options, bool full);
/// "nodes", "heads", "sink", "names", "walk_weights", "diffusion_weights".
Json system_json(const HeadSystem& system);
/// A document as text for stdout or a file, ending in a newline.
std::string document_text(const Json& document);

}  // namespace crosshead
