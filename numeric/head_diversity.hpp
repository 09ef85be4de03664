// How different two heads are: the measures that the theory's "head-diversity condition" might mean, each
// named and defined (docs/definitions.md).
#pragma once

#include <crosshead/exact/mixture.hpp>
#include <crosshead/numeric/quantity.hpp>
#include <vector>

namespace crosshead {

/// Two heads g < h under one operator M (Δ, or W).
struct HeadPairDiversity {
    std::size_t first = 0, second = 0;
    /// Largest |entry| of the commutator M^(g)M^(h) − M^(h)M^(g), and where it stands (destination, source);
    /// zero exactly where the heads commute.
    Quantity commutator;
    Node commutator_row = 0, commutator_column = 0;
    bool commutator_place_decided = true;  // false: enclosures leave other places possible
    /// Edges in both heads over edges in either, self-loops not counted; 1 where neither has any.
    Quantity jaccard;
    /// ½ Σ_j |Δ^(g)[i][j] − Δ^(h)[i][j]| of a row (diffusion) or the same of a column (walk): the largest,
    /// the node that has it, and the mean over all n nodes.
    Quantity largest_distance, mean_distance;
    Node largest_distance_node = 0;
};

/// Every two heads, in the order (0,1), (0,2), …, (1,2), …. Exact where the system is small in bits,
/// certified enclosures otherwise; a commutator that an enclosure cannot tell from zero is settled exactly.
/// Throws UndefinedQuantity as walk_matrix does, for any head. O(H²·n·edges).
std::vector<HeadPairDiversity> head_diversity(const HeadSystem& system, Operator kind);

}  // namespace crosshead
