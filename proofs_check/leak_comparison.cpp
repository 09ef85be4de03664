#include <algorithm>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/proofs_check/leak_comparison.hpp>
#include <limits>

namespace crosshead {
namespace {

std::vector<Node> least_leak_candidates(const HeadSystem& single_head) {
    const auto walk = enclosure_matrix(float_matrix(single_head, Operator::walk, entry_bits));
    const auto n = static_cast<std::size_t>(walk.nodes);
    std::vector<Enclosure> leak(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = walk.row_begin[i]; e < walk.row_begin[i + 1]; ++e)
            if (const auto j = static_cast<std::size_t>(walk.column[e]); j != i) leak[j] += walk.entry[e];
    double least_upper = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j + 1 < n; ++j) least_upper = std::min(least_upper, leak[j].upper());
    std::vector<Node> candidates;
    for (std::size_t j = 0; j + 1 < n; ++j)
        if (leak[j].lower() <= least_upper) candidates.push_back(static_cast<Node>(j));
    return candidates;
}

}  // namespace

Rational exact_leak(const HeadDag& head, Node node) {
    Rational others = 0, loop = 0;
    const auto [begin, end] = head.edges_from(node);
    for (std::size_t e = begin; e < end; ++e)
        (head.destinations()[e] == node ? loop : others) += head.weight(e);
    return others / (others + loop);
}

LeakComparison::LeakComparison(const HeadSystem& system)
    : system_(system), forward_probability_(system.head_count()) {
    for (std::size_t h = 0; h < system.head_count(); ++h)
        candidates_.push_back(least_leak_candidates(system.single_head(h)));
}

const Rational& LeakComparison::forward_probability(std::size_t h) {
    auto& least = forward_probability_[h];
    if (!least)
        for (const Node candidate : candidates_[h]) {
            const Rational leak = exact_leak(system_.head(h), candidate);
            if (!least || leak < *least) least = leak;
        }
    return *least;
}

bool LeakComparison::reaches_bound(Node node) {
    Rational surplus = 0;
    for (std::size_t h = 0; h < system_.head_count(); ++h) {
        const Rational& alpha = system_.walk_weights()[h];
        const bool attains = candidates_[h].size() == 1 && candidates_[h].front() == node;
        if (alpha != 0 && !attains)
            surplus += alpha * (exact_leak(system_.head(h), node) - forward_probability(h));
    }
    return surplus >= 0;
}

}  // namespace crosshead
