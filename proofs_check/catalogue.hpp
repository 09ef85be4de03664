// Sources and domains that several claims of the catalogue share. Included by the files of the catalogue
// alone.
#pragma once

#include <crosshead/proofs_check/claims.hpp>

namespace crosshead::catalogue {

inline constexpr std::string_view paper = "arXiv 2507.02944";
inline constexpr std::string_view theorem = "arXiv 2507.02944, Theorem 2.9";
inline constexpr std::string_view proof = "proof of arXiv 2507.02944, Theorem 2.9";
inline constexpr std::string_view section_3 = "arXiv 2507.02944, section 3";
inline constexpr std::string_view feedforward = "arXiv 2502.06751";

inline Domain heads_on(int nodes_from, int nodes_to, int heads_from, int heads_to) {
    Domain domain;
    domain.nodes_from = nodes_from;
    domain.nodes_to = nodes_to;
    domain.heads_from = heads_from;
    domain.heads_to = heads_to;
    return domain;
}
inline Domain pairs(int nodes_to) {
    return heads_on(2, nodes_to, 2, 2);
}
inline Domain single(int nodes_to) {
    return heads_on(2, nodes_to, 1, 1);
}
/// Small systems of every kind that the options know: weights on edges and heads, sinks reached together
/// only.
inline Domain weighted_pairs(int nodes_to, int most, int grid) {
    Domain domain = pairs(nodes_to);
    domain.max_edge_weight = most;
    domain.walk_weights.grid = domain.diffusion_weights.grid = grid;
    domain.tied_weights = true;
    return domain;
}
inline Domain united_pairs(int nodes_to) {
    Domain domain = pairs(nodes_to);
    domain.reach = SinkReach::united;
    return domain;
}
/// Diffusion weights on a grid of the simplex, its boundary left out.
inline Domain with_beta_grid(Domain domain, int grid) {
    domain.diffusion_weights.grid = grid;
    return domain;
}
inline Domain with_edge_weights(Domain domain, int most) {
    domain.max_edge_weight = most;
    return domain;
}
inline Domain family(Family family, int nodes_from, int nodes_to) {
    Domain domain = heads_on(nodes_from, nodes_to, 1, 1);
    domain.family = family;
    return domain;
}
inline Domain two_step_pairs() {
    Domain domain = heads_on(3, 3, 2, 2);
    domain.reach = SinkReach::any;
    domain.tuples = Tuples::ordered;
    domain.diffusion_weights.grid = 6;
    return domain;
}

/// The part of the catalogue about words, fidelity and horizons (fidelity_claims.cpp).
std::vector<Claim> fidelity_claims();

}  // namespace crosshead::catalogue
