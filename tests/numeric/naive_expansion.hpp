// Every field of a signal expansion against naive enumeration.
#pragma once

#include <array>
#include <crosshead/numeric/signal_expansion.hpp>

#include "../exact/naive_words.hpp"
#include "quantities.hpp"

namespace crosshead::testing {

inline const Rational above = 1 + narrow, below = 1 - narrow;

/// What naive enumeration knows of one source.
struct Truth {
    const HeadSystem& system;
    Operator kind;
    Node source;
    std::size_t steps;
    std::vector<naive::Matrix> heads = naive::weighted_matrices(system, kind);
    std::vector<naive::Product<Rational>> words = naive::all_words(heads, steps);
    std::vector<std::pair<naive::Letters, Rational>> ranked = naive::ranked(words, source);
    Rational total = naive::power(naive::sum(heads), steps).back()[static_cast<std::size_t>(source)];

    template <class Chosen>
    Rational where(const Chosen& chosen) const {
        return naive::sum_where(words, source, chosen);
    }
};

inline void expect_distributions(const SignalExpansion& found, const Truth& truth) {
    const std::size_t heads = truth.heads.size(), steps = truth.steps;
    ASSERT_TRUE(holds(found.total, truth.total, found.exact));
    const Rational cross = truth.where([](const auto& word) { return naive::switches(word) > 0; });
    ASSERT_TRUE(holds(found.cross_head, cross, found.exact));
    // A total that enclosures cannot tell from zero divides nothing.
    const bool divisible = truth.total != 0 && (found.exact || found.total.enclosure.lower() > 0);
    ASSERT_EQ(found.switches.size(), steps);
    Rational mean_switches = 0;
    for (std::size_t s = 0; s < steps; ++s) {
        const Rational share = truth.where([&](const auto& word) { return naive::switches(word) == s; });
        ASSERT_TRUE(holds(found.switches[s], share, found.exact));
        mean_switches += static_cast<int>(s) * share;
    }
    ASSERT_EQ(found.uses.size(), heads);
    ASSERT_EQ(found.pure.size(), heads);
    ASSERT_EQ(found.first_last.size(), heads);
    for (std::size_t h = 0; h < heads; ++h) {
        ASSERT_EQ(found.uses[h].size(), steps + 1);
        Rational mean_uses = 0;
        for (std::size_t c = 0; c <= steps; ++c) {
            const Rational share = truth.where([&](const auto& word) { return naive::uses(word, h) == c; });
            ASSERT_TRUE(holds(found.uses[h][c], share, found.exact));
            mean_uses += static_cast<int>(c) * share;
        }
        const auto mean = mean_of(found.uses[h], found.total);
        ASSERT_EQ(mean.has_value(), divisible);
        if (mean) {
            ASSERT_TRUE(holds(*mean, mean_uses / truth.total, found.exact));
        }
        ASSERT_TRUE(holds(found.pure[h],
                          truth.where([&](const auto& word) { return naive::uses(word, h) == steps; }),
                          found.exact));
        ASSERT_EQ(found.first_last[h].size(), heads);
        for (std::size_t l = 0; l < heads; ++l) {
            const Rational share =
                truth.where([&](const auto& word) { return word.front() == h && word.back() == l; });
            ASSERT_TRUE(holds(found.first_last[h][l], share, found.exact));
        }
    }
    const auto fraction = fraction_of(found.cross_head, found.total);
    const auto mean = mean_of(found.switches, found.total);
    ASSERT_EQ(fraction.has_value(), divisible);
    ASSERT_EQ(mean.has_value(), divisible);
    if (!divisible) return;
    ASSERT_TRUE(holds(*fraction, Rational(cross / truth.total), found.exact));
    ASSERT_LE(fraction->enclosure.upper(), 1);
    ASSERT_TRUE(holds(*mean, Rational(mean_switches / truth.total), found.exact));
}

inline void expect_words(const SignalExpansion& found, const Truth& truth) {
    const auto& words = found.words;
    const std::size_t top = words.top.size();
    ASSERT_EQ(words.count, Integer(truth.ranked.size()));
    ASSERT_EQ(words.enumerated, truth.ranked.size() <= found.options.budget);
    ASSERT_EQ(words.top_complete, top == std::min(found.options.top, truth.ranked.size()));
    ASSERT_TRUE(words.top_complete || !words.enumerated);
    ASSERT_TRUE(words.order_certain || !found.exact);

    auto others = truth.ranked;
    Rational listed = 0, before = 1;
    for (std::size_t k = 0; k < top; ++k) {
        const auto place = std::find_if(others.begin(), others.end(),
                                        [&](const auto& one) { return one.first == words.top[k].word; });
        ASSERT_NE(place, others.end()) << "listed twice, or carries nothing";
        if (found.exact) {
            ASSERT_EQ(place, others.begin());  // the order of all words, ties included
        }
        ASSERT_TRUE(holds(words.top[k].share, place->second, found.exact));
        ASSERT_LE(place->second, words.order_certain ? before : before * above);
        listed += before = place->second;
        others.erase(place);
    }
    ASSERT_TRUE(holds(words.listed, listed, found.exact));
    ASSERT_TRUE(holds(words.not_listed, truth.total - listed, found.exact, truth.total));
    const Rational bound = words.others_at_most.exact
                               ? *words.others_at_most.exact
                               : rational_from_dyadic(words.others_at_most.enclosure.upper());
    for (const auto& [word, share] : others) ASSERT_LE(share, bound);
    const Rational next = others.empty() ? Rational(0) : others.front().second;
    if (words.enumerated) {
        ASSERT_TRUE(holds(words.others_at_most, next, found.exact));
    }
    if (words.order_certain && top > 0) {
        ASSERT_LE(next, before);
    }
}

inline void expect_paths(const SignalExpansion& found, const Truth& truth) {
    const auto& weights =
        truth.kind == Operator::walk ? truth.system.walk_weights() : truth.system.diffusion_weights();
    for (const bool self_loops : {false, true}) {
        const auto& counts = self_loops ? found.paths : found.paths_without_self_loops;
        ASSERT_TRUE(counts.only_across_heads.has_value());
        ASSERT_EQ((naive::Paths{counts.in_head, counts.in_union, *counts.only_across_heads}),
                  naive::count_paths(truth.system, weights, truth.source, truth.steps, self_loops));
    }
    const auto ranked = naive::ranked_paths(naive::sum(truth.heads), truth.source, truth.steps);
    ASSERT_EQ(found.strongest_paths.size(), std::min(found.options.top, ranked.size()));
    for (std::size_t k = 0; k < found.strongest_paths.size(); ++k) {
        const auto& path = found.strongest_paths[k];
        const auto place = std::find_if(ranked.begin(), ranked.end(),
                                        [&](const auto& one) { return one.first == path.nodes; });
        ASSERT_NE(place, ranked.end());
        if (found.exact) {
            ASSERT_EQ(static_cast<std::size_t>(place - ranked.begin()), k);
        }
        ASSERT_TRUE(holds(path.share, place->second, found.exact));
        ASSERT_GE(place->second, ranked[k].second * below);
        ASSERT_EQ(path.leading_head.size(), truth.steps);
        for (std::size_t step = 0; step < truth.steps; ++step) {
            std::size_t leader = 0;
            const auto entry = [&](std::size_t h) {
                return truth.heads[h][static_cast<std::size_t>(path.nodes[step + 1])]
                                  [static_cast<std::size_t>(path.nodes[step])];
            };
            for (std::size_t h = 1; h < truth.heads.size(); ++h)
                if (entry(h) > entry(leader)) leader = h;
            if (found.exact) {
                ASSERT_EQ(path.leading_head[step], leader);
            }
            ASSERT_GE(entry(path.leading_head[step]), entry(leader) * below);
        }
    }
}

/// Every field, for several budgets and lengths of the lists, exactly and as enclosures.
inline void expect_naive_expansion(const HeadSystem& system, Operator kind, Node source, std::size_t steps) {
    const Truth truth{system, kind, source, steps};
    ExpansionOptions options;
    options.kind = kind;
    options.source = source;
    options.steps = steps;
    for (const double exact_bits : {options.exact_bits, 0.0})
        for (const std::uint64_t budget : std::array<std::uint64_t, 4>{1u << 20, 0, 2, 7})
            for (const std::size_t top : {3, 0, 1000}) {
                options.exact_bits = exact_bits;
                options.budget = budget;
                options.top = top;
                const auto found = expand_signal(system, options);
                ASSERT_TRUE(found.exact || exact_bits == 0);
                expect_words(found, truth);
                if (budget == 2 && top == 3) {
                    expect_distributions(found, truth);
                    expect_paths(found, truth);
                }
                if (::testing::Test::HasFatalFailure()) return;
            }
    const auto signals = signals_at(system, kind, steps);
    const auto direct = naive::power(naive::sum(truth.heads), steps).back();
    ASSERT_EQ(signals.size(), direct.size());
    for (std::size_t j = 0; j < direct.size(); ++j) ASSERT_TRUE(holds(signals[j], direct[j], false));
}

}  // namespace crosshead::testing
