#include <algorithm>
#include <crosshead/exact/mixture.hpp>
#include <crosshead/proofs_check/more_heads.hpp>
#include <map>

namespace crosshead {
namespace {

/// p_h = min over non-sink j of (what leaves j) / (what leaves or stays).
Rational forward_probability(const SmallHead& head, int nodes) {
    Rational least = 1;
    for (int j = 0; j + 1 < nodes; ++j) {
        int leaving = 0;
        for (int i = j + 1; i < nodes; ++i) leaving += head.at(i, j);
        least = std::min(least, Rational(leaving, leaving + head.at(j, j)));
    }
    return least;
}

}  // namespace

MoreHeadsResult more_heads_better_best(const Domain& domain, int nodes, int most_heads) {
    MoreHeadsResult result;
    result.nodes = nodes;
    std::map<Rational, std::uint64_t> counts;
    for (const auto& head : enumerate_heads(domain, nodes)) {
        ++counts[forward_probability(head, nodes)];
        ++result.heads;
    }
    result.distribution.assign(counts.begin(), counts.end());
    // P(max of H >= x) = 1 − P(p < x)^H at each value x.
    bool never_falls = true, rises = false;
    Integer below = 0;
    for (const auto& [value, count] : result.distribution) {
        const Rational miss(below, Integer(result.heads));
        Rational power = miss;
        for (int h = 2; h <= most_heads; ++h) {
            const Rational next = power * miss;
            never_falls = never_falls && next <= power;
            rises = rises || next < power;
            power = next;
        }
        below += count;
    }
    if (!result.distribution.empty()) {
        const Rational miss = 1 - Rational(Integer(result.distribution.back().second), Integer(result.heads));
        Rational power = 1;
        for (int h = 1; h <= most_heads; ++h) {
            power *= miss;
            result.best_reached.push_back(1 - power);
        }
    }
    result.verdict = !never_falls ? Verdict::refuted : rises ? Verdict::exhausted : Verdict::vacuous;
    return result;
}

}  // namespace crosshead
