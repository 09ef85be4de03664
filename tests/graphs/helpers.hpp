// What the tests of graphs/ share: refusals as text, random heads.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <string>
#include <utility>
#include <vector>

namespace crosshead::test {

/// The message of the InputError that `action` throws, "accepted" if it throws nothing.
template <class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

/// True where every part occurs in the message; for EXPECT_TRUE, which then prints the message.
inline testing::AssertionResult says(const std::string& message,
                                     std::initializer_list<std::string_view> parts) {
    for (const auto part : parts)
        if (message.find(part) == message.npos)
            return testing::AssertionFailure() << "no \"" << part << "\" in: " << message;
    return testing::AssertionSuccess();
}

/// Every edge of a head, for comparing.
inline std::vector<std::tuple<Node, Node, Rational>> edges_of(const HeadDag& head) {
    std::vector<std::tuple<Node, Node, Rational>> edges;
    for (std::size_t e = 0; e < head.edge_count(); ++e)
        edges.emplace_back(head.sources()[e], head.destinations()[e], head.weight(e));
    return edges;
}

inline bool same(const HeadSystem& a, const HeadSystem& b) {
    bool equal = a.nodes() == b.nodes() && a.head_count() == b.head_count() && a.names() == b.names() &&
                 a.walk_weights().values() == b.walk_weights().values() &&
                 a.diffusion_weights().values() == b.diffusion_weights().values();
    for (std::size_t h = 0; equal && h < a.head_count(); ++h)
        equal = edges_of(a.head(h)) == edges_of(b.head(h));
    return equal;
}

/// A positive rational, now and then with long terms.
inline rc::Gen<Rational> positive_rational() {
    return rc::gen::apply(
        [](unsigned numerator, unsigned denominator, bool is_long) {
            Rational value(1 + numerator, 1 + denominator);
            return is_long ? Rational(value * value * value * value * value) : value;
        },
        rc::gen::arbitrary<unsigned>(), rc::gen::arbitrary<unsigned>(), rc::gen::arbitrary<bool>());
}

/// A head on n nodes: any edges, any weights; a node without in-edges gets a self-loop, so it is always
/// valid.
inline HeadDag random_head(int nodes) {
    std::vector<WeightedEdge> edges;
    for (Node i = 0; i < nodes; ++i) {
        bool has_in_weight = false;
        for (Node j = 0; j <= i; ++j) {
            const int kind = *rc::gen::inRange(0, 3);  // no edge, weight 1, any weight
            if (kind == 0 && (j < i || has_in_weight)) continue;
            has_in_weight = true;
            edges.push_back({j, i, kind == 2 ? *positive_rational() : Rational(1)});
        }
    }
    return HeadDag(nodes, std::move(edges));
}

/// Integers over their sum.
inline ConvexWeights random_weights(std::size_t count) {
    std::vector<Rational> scores;
    for (std::size_t h = 0; h < count; ++h) scores.emplace_back(*rc::gen::inRange(h ? 0 : 1, 1000));
    return ConvexWeights::from_scores(std::move(scores), "weights");
}

/// Distinct names with every kind of character that a format has to quote.
inline std::vector<std::string> awkward_names(int nodes) {
    static const std::vector<std::string> pool = {
        "u",   "a b",       "\"quoted\"", "<tag>&amp;", "naïve",       "-> x",  "digraph", "// no",
        "1e5", "tab\there", "C:\\x y",    "",           "line\nbreak", "{[;]}", "'",       "3"};
    std::vector<std::string> names(pool);
    for (std::size_t i = names.size(); i > 1; --i)
        std::swap(names[i - 1], names[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(i)))]);
    names.resize(static_cast<std::size_t>(nodes));
    return names;
}

inline HeadSystem random_system(std::size_t heads) {
    const int nodes = *rc::gen::inRange(1, 9);
    std::vector<HeadDag> list;
    for (std::size_t h = 0; h < heads; ++h) list.push_back(random_head(nodes));
    return HeadSystem(std::move(list), random_weights(heads), random_weights(heads),
                      *rc::gen::arbitrary<bool>() ? awkward_names(nodes) : std::vector<std::string>{});
}

}  // namespace crosshead::test
