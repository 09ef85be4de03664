// The node sequences that carry most of (Δ̄^t)[τ][j].
#pragma once

#include <algorithm>
#include <crosshead/exact/words.hpp>
#include <vector>

namespace crosshead {

/// One node sequence and the product of the mixture's entries along it, over step_denominator^t.
template <class Scalar>
struct PathShare {
    std::vector<Node> nodes;  // v_0 … v_t
    Scalar share = Scalar(0);
};

/// The `count` strongest paths of t edges from the source into the sink, strongest first (where shares tie,
/// the lexicographically first). Best first, bounded by the best completion itself, so that no prefix is
/// expanded in vain: O(count · t · indegree) prefixes beside the table of completions, O(t · edges).
template <class Scalar>
std::vector<PathShare<Scalar>> strongest_paths(const TransitionMatrix<Scalar>& mixture, Node source,
                                               std::size_t steps, std::size_t count) {
    const auto n = static_cast<std::size_t>(mixture.nodes);
    const auto by_source = transposed(mixture);
    std::vector<std::vector<Scalar>> best{unit_vector<Scalar>(mixture.nodes, mixture.nodes - 1)};
    for (std::size_t s = 1; s <= steps; ++s) {
        std::vector<Scalar> row(n, Scalar(0));
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t e = by_source.row_begin[j]; e < by_source.row_begin[j + 1]; ++e)
                row[j] = larger_of(
                    row[j],
                    Scalar(by_source.entry[e] * best[s - 1][static_cast<std::size_t>(by_source.column[e])]));
        best.push_back(std::move(row));
    }
    struct Prefix {
        std::vector<Node> nodes;
        Scalar share, bound;
    };
    const auto later = [](const Prefix& a, const Prefix& b) {
        if (larger_share(b.bound, a.bound)) return true;
        if (larger_share(a.bound, b.bound)) return false;
        return b.nodes < a.nodes;
    };
    std::vector<Prefix> open;  // a heap
    const auto push = [&](std::vector<Node> nodes, const Scalar& share) {
        const Scalar bound = share * best[steps + 1 - nodes.size()][static_cast<std::size_t>(nodes.back())];
        if (bound == 0) return;
        open.push_back({std::move(nodes), share, bound});
        std::push_heap(open.begin(), open.end(), later);
    };
    std::vector<PathShare<Scalar>> result;
    push({source}, Scalar(1));
    while (!open.empty() && result.size() < count) {
        std::pop_heap(open.begin(), open.end(), later);
        const Prefix prefix = std::move(open.back());
        open.pop_back();
        if (prefix.nodes.size() == steps + 1) {
            result.push_back({prefix.nodes, prefix.share});
            continue;
        }
        const auto from = static_cast<std::size_t>(prefix.nodes.back());
        for (std::size_t e = by_source.row_begin[from]; e < by_source.row_begin[from + 1]; ++e) {
            auto nodes = prefix.nodes;
            nodes.push_back(by_source.column[e]);
            push(std::move(nodes), Scalar(prefix.share * by_source.entry[e]));
        }
    }
    return result;
}

}  // namespace crosshead
