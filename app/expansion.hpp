// What `crosshead expand` found of one layer, and how it is shown.
#pragma once

#include <crosshead/exact/head_weight_polynomial.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <crosshead/numeric/head_diversity.hpp>
#include <crosshead/numeric/signal_expansion.hpp>
#include <optional>
#include <string>
#include <vector>

#include "json_output.hpp"

namespace crosshead {

struct ExpandedLayer {
    std::size_t index;
    HeadSystem system;
    std::string why_here;  // "the weakest node at its best step", or what was asked for
    SignalExpansion expansion;
    std::vector<HeadPairDiversity> diversity;
    std::optional<HeadWeightPolynomial> polynomial;  // with --symbolic
};

/// Tables for people (expansion_text.cpp).
std::string expansion_text(const ExpandedLayer& layer, bool latex);
/// The keys of one layer in crosshead.expand/1 (expansion_json.cpp).
Json expansion_json(const ExpandedLayer& layer, bool full);
/// The strongest paths as a Graphviz graph: nodes down, steps to the right (expansion_drawing.cpp).
std::string expansion_drawing(const ExpandedLayer& layer);

/// "0 1 1", or "0×12 1×3" for long words.
std::string word_text(const Word& word);

}  // namespace crosshead
