// Leaks 1 − W[j][j] against the bound p, where equality is the rule: with one head, or heads that share their
// slowest node, leak and p are the same number, which enclosures can never tell.
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <optional>
#include <vector>

namespace crosshead {

/// 1 − W^(h)[j][j] of one head, exactly. A long number for attention (every row brings its own denominator).
/// Requires an out-weight at `node`.
Rational exact_leak(const HeadDag& head, Node node);

/// Decides Σ_h α_h (leak_h(j) − p_h) ≥ 0 exactly. Enclosures first narrow down which nodes can attain each
/// p_h; a node that is the only candidate has the difference 0 without any arithmetic.
class LeakComparison {
  public:
    /// Requires n ≥ 2 and defined walk matrices.
    explicit LeakComparison(const HeadSystem& system);
    /// Does the mixture leave `node` with probability at least p = Σ_h α_h p_h?
    bool reaches_bound(Node node);

  private:
    const Rational& forward_probability(std::size_t h);

    const HeadSystem& system_;
    std::vector<std::vector<Node>> candidates_;  // per head: the nodes whose leak may be the smallest
    std::vector<std::optional<Rational>> forward_probability_;
};

}  // namespace crosshead
