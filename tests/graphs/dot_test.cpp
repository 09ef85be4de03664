#include <crosshead/graphs/dot.hpp>
#include <crosshead/graphs/families.hpp>
#include <set>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

HeadSystem parse(const std::string& text, bool self_loops = true) {
    return parse_dot(text, "g.dot", self_loops);
}
std::string refusal_of(const std::string& text) {
    return refusal([&] { parse(text); });
}
using Edges = std::vector<std::tuple<Node, Node, Rational>>;

TEST(Dot, AFileByHand) {
    const auto system = parse(R"(// the paper's second example, head 2
# a line for the preprocessor
strict digraph "head 2" {
    rankdir=LR; node [shape=box, color="#ff0000"]
    edge [weight=2]
    u -> w -> τ [label="x"]   /* a chain */
    v -> {w τ} [weight="1/3"];
    subgraph cluster_a { edge [weight=5]; u:port:n -> v }
    u -> τ [weight=0.06, style=dashed]
    u -> w
})");
    EXPECT_EQ(system.names(), (std::vector<std::string>{"u", "v", "w", "τ"}));
    EXPECT_EQ(test::edges_of(system.head(0)), (Edges{{0, 0, 1},
                                                     {0, 1, 5},
                                                     {0, 2, 2},
                                                     {0, 3, Rational(3, 50)},
                                                     {1, 1, 1},
                                                     {1, 2, Rational(1, 3)},
                                                     {1, 3, Rational(1, 3)},
                                                     {2, 2, 1},
                                                     {2, 3, 2},
                                                     {3, 3, 1}}));
}

TEST(Dot, NamesAsGraphvizReadsThem) {
    const auto system = parse(
        "digraph{ \"a\\\"b\" -> \"c\\\\d\" -> \"one \" + \"two\" -> -1.5 -> <<b>x</b>> -> \"joi\\\nned\" }");
    EXPECT_EQ(system.names(),
              (std::vector<std::string>{"a\"b", "c\\\\d", "one two", "-1.5", "<<b>x</b>>", "joined"}));
    EXPECT_TRUE(parse("digraph { 0 -> 1 -> 2 }").names().empty());
}

TEST(Dot, SelfLoopsUnlessTheFileGivesItsOwn) {
    EXPECT_EQ(parse("digraph { a -> b; a -> a [weight=3] }").head(0).weight(0), 3);
    EXPECT_EQ(parse("digraph { a -> b; a -> a [weight=3] }").head(0).edge_count(), 3u);
    EXPECT_EQ(parse("digraph { a -> b -> c; b -> b [weight=0] }").head(0).edge_count(), 4u)
        << "weight 0 says none";
}

TEST(Dot, TheGraphsOwnSettings) {
    EXPECT_EQ(parse("digraph { self_loops=false; a -> a -> b }").head(0).edge_count(), 2u);
    EXPECT_EQ(parse("digraph { graph [self_loops=true, sink=c]; a -> b; a -> c }", false).names(),
              (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(
        says(refusal_of("digraph { a -> b; a -> c }"), {"2 nodes have no out-edge: b, c", "\"sink\""}));
    EXPECT_TRUE(
        says(refusal_of("digraph {\n self_loops=maybe }"), {"g.dot: line 2: self_loops is \"maybe\""}));
    EXPECT_EQ(parse("digraph { subgraph x { sink=nobody } a -> b }").nodes(), 2)
        << "a subgraph's settings are about drawing";
}

TEST(Dot, AnEdgeToAnUndeclaredNodeIsRefusedWhereOthersAreDeclared) {
    EXPECT_TRUE(says(refusal_of("digraph {\n a; b;\n a -> b;\n a -> x;\n}"),
                     {"g.dot: line 4: an edge names \"x\"", "no statement declares", "\"x\";"}));
    EXPECT_EQ(refusal_of("digraph { a -> b }"), "accepted")
        << "a file without node statements declares by edges";
}

TEST(Dot, CyclesArePrintedNodeByNode) {
    EXPECT_TRUE(says(refusal_of("digraph { a -> b -> c -> a; c -> d }"), {"cycle: a -> b -> c -> a"}));
    std::string ring = "digraph { 0";
    for (int node = 1; node < 1000; ++node) ring += " -> " + std::to_string(node);
    EXPECT_TRUE(says(refusal_of(ring + " -> 0 }"), {"cycle: 0 -> 1 -> ", "(1001 in all)"}));
}

TEST(Dot, ALongChainOutOfOrderIsSortedWithoutRecursion) {
    std::string text = "digraph {";
    constexpr int last = 50'000;
    for (int node = last; node-- > 0;) text += std::to_string(node) + " -> " + std::to_string(node + 1) + ";";
    const auto system = parse(text + "}");
    EXPECT_EQ(system.nodes(), last + 1);
    EXPECT_TRUE(system.names().empty()) << "sorted, the numbers count up";
}

TEST(Dot, WhatIsNoHeadIsRefused) {
    EXPECT_TRUE(says(refusal_of("graph { a -- b }"), {"g.dot: line 1", "undirected", "digraph"}));
    EXPECT_TRUE(says(refusal_of("digraph {\n a -- b }"), {"line 2", "\"--\"", "\"->\""}));
    EXPECT_TRUE(says(refusal_of("digraph { a -> b; a -> b }"), {"edge a -> b was given on line 1"}));
    EXPECT_TRUE(says(refusal_of("digraph { a -> b [weight=heavy] }"), {"edge a -> b: weight: \"heavy\""}));
    EXPECT_TRUE(says(refusal_of("digraph { a -> b [weight=-1] }"), {"edge a -> b has weight -1"}));
    EXPECT_TRUE(says(refusal_of("digraph { a -> b } digraph { c }"), {"one head a file"}));
    EXPECT_TRUE(says(refusal_of("digraph { }"), {"no nodes"}));
    EXPECT_TRUE(says(refusal_of("digraph { \"\xff\" -> b }"), {"not UTF-8"}));
}

TEST(Dot, SyntaxErrorsNameTheLine) {
    for (const std::string text : {"digraph",
                                   "digraph {",
                                   "digraph { a ->",
                                   "digraph { a -> }",
                                   "digraph { a [",
                                   "digraph { [a] }",
                                   "digraph { a = }",
                                   "digraph { \"a }",
                                   "digraph { /* a }",
                                   "digraph { <a }",
                                   "digraph { a $ }",
                                   "digraph { 1a }",
                                   "digraph { - }",
                                   "digraph { node }",
                                   "digraph { \"a\" + b }",
                                   "digraph { a: }",
                                   "digraph a b {}",
                                   "hello",
                                   "digraph { subgraph }",
                                   "digraph { a -> [x=1] }"})
        EXPECT_TRUE(says(refusal_of(text), {"g.dot: line 1: "})) << text;
    EXPECT_TRUE(says(refusal_of("digraph " + std::string(100000, '{')), {"nested deeper than 64"}));
    EXPECT_TRUE(says(refusal_of(std::string("digraph { a\0 }", 14)), {"byte 0 is not DOT"}));
}

TEST(Dot, SeveralHeadsAreAPictureOnly) {
    const std::string text = format_dot(HeadSystem({line_head(2), full_causal_head(2)}));
    EXPECT_TRUE(says(text, {"// head 1", "head=1, color="}));
    EXPECT_TRUE(says(refusal_of(text), {"belongs to head 1", "head-system JSON"}));
}

TEST(Dot, NamesThatItCannotQuoteAreNotWritten) {
    const auto one = ConvexWeights::uniform(1);
    for (const std::string name : {"ends in \\", "\\\"", "\\\n"})
        EXPECT_TRUE(says(refusal([&] { format_dot(HeadSystem({line_head(1)}, one, one, {name})); }),
                         {"cannot quote"}))
            << name;
}

RC_GTEST_PROP(DotProperty, RoundTrips, ()) {
    const auto system = test::random_system(1);
    const std::string text = format_dot(system);
    RC_ASSERT(test::same(parse(text), system));
    RC_ASSERT(format_dot(parse(text)) == text);
}

/// The edges of a system of one head, by name.
std::set<std::tuple<std::string, std::string, Rational>> named_edges(const HeadSystem& system) {
    std::set<std::tuple<std::string, std::string, Rational>> edges;
    for (const auto& [source, destination, weight] : test::edges_of(system.head(0)))
        edges.emplace(system.name(source), system.name(destination), weight);
    return edges;
}

RC_GTEST_PROP(DotProperty, AnyOrderOfNodesAndEdgesGivesTheSameGraph, ()) {
    const auto drawn = generate_system({.family = Family::random_weighted,
                                        .nodes = *rc::gen::inRange(1, 9),
                                        .reach = Reach::sink,
                                        .seed = *rc::gen::arbitrary<std::uint64_t>()});
    std::vector<std::string> statements;
    for (const auto& [source, destination, weight] : named_edges(drawn))
        statements.push_back(source + " -> " + destination + " [weight=\"" + to_string(weight) + "\"];");
    RandomSource random(*rc::gen::arbitrary<std::uint64_t>());
    for (std::size_t k = statements.size(); k > 1; --k)
        std::swap(statements[k - 1], statements[random.below(k)]);
    std::string text = "digraph {";
    for (const auto& statement : statements) text += statement;
    const auto read = parse(text + "}");
    RC_ASSERT(named_edges(read) == named_edges(drawn));
    RC_ASSERT(read.name(read.sink()) == drawn.name(drawn.sink()));
}

}  // namespace
}  // namespace crosshead
