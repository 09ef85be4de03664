// more-heads-better-best (arXiv 2507.02944): with more independent heads, the best of them is better. We read
// it as: for heads drawn independently and evenly from a domain, P(max over H heads of p_h >= x) does not
// fall with H, for any x, and rises for some x. Exact, from the distribution of p_h over all heads of the
// domain.
#pragma once

#include <crosshead/proofs_check/search/domain.hpp>
#include <crosshead/proofs_check/verdict.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace crosshead {

/// Heads up to which commands compare.
inline constexpr int most_heads_compared = 6;

struct MoreHeadsResult {
    int nodes = 0;
    std::uint64_t heads = 0;                                       // heads of the domain on that many nodes
    std::vector<std::pair<Rational, std::uint64_t>> distribution;  // value of p_h, how many heads; ascending
    /// P(max of H >= x) at the largest x, for H = 1, 2, …
    std::vector<Rational> best_reached;
    /// exhausted; vacuous where p_h takes one value; refuted never, short of an error.
    Verdict verdict = Verdict::vacuous;
};

/// For one number of nodes and H = 1..most_heads. Throws as enumerate_heads.
MoreHeadsResult more_heads_better_best(const Domain& domain, int nodes, int most_heads);

}  // namespace crosshead
