#include <crosshead/graphs/families.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <crosshead/graphs/strict_json.hpp>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

HeadSystem parse(const std::string& text) {
    return parse_head_system(text, "g.json");
}
std::string refusal_of(const std::string& text) {
    return refusal([&] { parse(text); });
}
std::string with_edges(const std::string& edges, const std::string& more = "") {
    return "{\"nodes\": 3, \"heads\": [{\"edges\": [" + edges + "]}]" + more + "}";
}

TEST(HeadSystemJson, ThePapersSecondExample) {
    const auto system =
        parse(R"({"schema": "crosshead.head_system/1", "nodes": 4, "names": ["u", "v", "w", "sink"],
        "heads": [{"edges": [[0, 1], ["v", "w", "2/3"], [2, 3, 0.06]]}, {"edges": [["u", "w"], [1, 1, 3]]}],
        "walk_weights": ["1/4", 0.75], "diffusion_weights": [1, 0]})");
    EXPECT_EQ(system.name(3), "sink");
    EXPECT_EQ(test::edges_of(system.head(0)),
              (std::vector<std::tuple<Node, Node, Rational>>{{0, 0, 1},
                                                             {0, 1, 1},
                                                             {1, 1, 1},
                                                             {1, 2, Rational(2, 3)},
                                                             {2, 2, 1},
                                                             {2, 3, Rational(3, 50)},
                                                             {3, 3, 1}}));
    EXPECT_EQ(system.head(1).weight(2), 3) << "a self-loop of its own keeps its weight";
    EXPECT_EQ(system.walk_weights()[1], Rational(3, 4));
    EXPECT_EQ(system.diffusion_weights()[0], 1);
}

TEST(HeadSystemJson, NumbersAreNeverRoundedThroughADouble) {
    const auto weight = [](const std::string& text) {
        return parse(with_edges("[0, 1, " + text + "]")).head(0).weight(1);
    };
    EXPECT_EQ(weight("0.06"), Rational(3, 50));
    EXPECT_EQ(weight("1e-5"), Rational(1, 100000));
    EXPECT_EQ(weight("0.1000000000000000055511151231257827"),
              parse_rational("0.1000000000000000055511151231257827", ""));
    EXPECT_EQ(weight("123456789012345678901234567890"), parse_rational("123456789012345678901234567890", ""));
    EXPECT_EQ(weight("1e-400"), parse_rational("1e-400", ""));
    EXPECT_EQ(weight("\"1e-400\""), parse_rational("1e-400", ""));
    EXPECT_TRUE(says(refusal_of(with_edges("[0, 1, 1e999]")), {"g.json", "number overflow", "as a string"}));
}

TEST(HeadSystemJson, SelfLoopsAsTheFileSays) {
    EXPECT_EQ(parse(with_edges("[0, 1], [1, 2]")).head(0).edge_count(), 5u);
    EXPECT_EQ(parse(with_edges("[0, 1], [1, 2], [1, 1, 0]")).head(0).edge_count(), 4u)
        << "weight 0 says none";
    const std::string none = ", \"self_loops\": false";
    EXPECT_EQ(parse(with_edges("[0, 0], [0, 1], [1, 2]", none)).head(0).edge_count(), 3u);
    EXPECT_TRUE(says(refusal_of(with_edges("[0, 1], [1, 2]", none)),
                     {"g.json: heads[0]", "node 0 has no in-weight"}));
    EXPECT_EQ(parse_head_system(with_edges("[0, 0], [0, 1], [1, 2]"), "g", false).head(0).edge_count(), 3u);
}

TEST(HeadSystemJson, EdgesAreRefusedWithTheirPlace) {
    const std::string place = "g.json: heads[0].edges[1]: ";
    const auto second = [](const std::string& edge) { return refusal_of(with_edges("[0, 1], " + edge)); };
    EXPECT_TRUE(says(second("[1, 3]"), {place, "names node 3", "0..2"}));
    EXPECT_TRUE(says(second("[-1, 1]"), {place, "names node -1"}));
    EXPECT_TRUE(says(second("[1.0, 2]"), {place, "1.0 is not a node"}));
    EXPECT_TRUE(says(second("[1, 99999999999999999999]"), {place, "is not a node"}));
    EXPECT_TRUE(says(second("[\"v\", 2]"), {place, "\"v\"", "does not list"}));
    EXPECT_TRUE(says(second("[2, 1]"), {place, "edge 2 -> 1 goes backward"}));
    EXPECT_TRUE(says(second("[1, 2, -1]"), {place, "-1 is negative"}));
    EXPECT_TRUE(says(second("[1, 2, \"1/0\"]"), {place, "denominator is zero"}));
    EXPECT_TRUE(says(second("[1, 2, true]"), {place, "true is not a number"}));
    EXPECT_TRUE(says(second("[1, 2, null]"), {place, "null is not a number"}));
    EXPECT_TRUE(says(second("[0, 1, 2]"), {place, "edge 0 -> 1 was given as edges[0]"}));
    EXPECT_TRUE(says(second("[1]"), {place, "an array of 1", "[source, destination, weight]"}));
    EXPECT_TRUE(says(second("[1, 2, 3, 4]"), {place, "an array of 4"}));
    EXPECT_TRUE(says(second("7"), {place, "is 7"}));
}

TEST(HeadSystemJson, FieldsAreRefusedByName) {
    EXPECT_TRUE(
        says(refusal_of(with_edges("", ", \"color\": 1")), {"unknown field \"color\"", "walk_weights"}));
    EXPECT_TRUE(says(refusal_of(R"({"nodes": 1, "heads": [{"edges": [], "weight": 1}]})"),
                     {"heads[0]: unknown field \"weight\""}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"schema\": \"crosshead.head_system/2\"")),
                     {"head_system/2", "reads"}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"self_loops\": 1")), {"self_loops is 1"}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"origin\": 1")), {"origin is 1"}));
    EXPECT_TRUE(says(refusal_of("{\"nodes\": 3}"), {"no \"heads\""}));
    EXPECT_TRUE(says(refusal_of("{\"heads\": []}"), {"no \"nodes\""}));
    EXPECT_TRUE(says(refusal_of("{\"nodes\": 3, \"heads\": []}"), {"heads is empty"}));
    EXPECT_TRUE(says(refusal_of("{\"nodes\": 3, \"heads\": [{}]}"), {"heads[0]", "no \"edges\""}));
    EXPECT_TRUE(says(refusal_of("{\"nodes\": 3, \"heads\": [[]]}"), {"heads[0]", "not an object"}));
    for (const char* nodes : {"0", "-1", "1.5", "\"3\"", "null", "1000001"})
        EXPECT_TRUE(
            says(refusal_of(std::string("{\"nodes\": ") + nodes + ", \"heads\": []}"), {"g.json: nodes is"}))
            << nodes;
    std::string heads = "{\"edges\": []}";
    for (int h = 0; h < 4; ++h) heads += ", {\"edges\": []}";
    EXPECT_TRUE(
        says(refusal_of("{\"nodes\": 1000000, \"heads\": [" + heads + "]}"), {"5 heads on 1000000 nodes"}));
    EXPECT_TRUE(says(refusal_of("[]"), {"g.json: is an array"}));
}

TEST(HeadSystemJson, NamesAndHeadWeights) {
    EXPECT_TRUE(
        says(refusal_of(with_edges("", ", \"names\": [\"a\", \"b\"]")), {"names: 2 names for 3 nodes"}));
    EXPECT_TRUE(
        says(refusal_of(with_edges("", ", \"names\": [\"a\", \"b\", \"a\"]")), {"\"a\" names two nodes"}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"names\": [\"a\", \"b\", 3]")), {"names[2]", "is 3"}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"names\": []")), {"names: is empty"}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"walk_weights\": [\"99/100\"]")),
                     {"g.json: walk_weights", "99/100"}));
    EXPECT_TRUE(
        says(refusal_of(with_edges("", ", \"walk_weights\": [0.5, 0.5]")), {"2 weights for 1 heads"}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"diffusion_weights\": [\"x\"]")),
                     {"diffusion_weights[0]", "\"x\""}));
    EXPECT_TRUE(says(refusal_of(with_edges("", ", \"diffusion_weights\": 1")), {"diffusion_weights: is 1"}));
    const auto nearly = parse(with_edges("", ", \"walk_weights\": [0.9999999999]"));
    EXPECT_TRUE(nearly.walk_weights().was_normalised());
    EXPECT_EQ(nearly.walk_weights()[0], 1);
}

TEST(StrictJson, WhatIsNotJsonIsRefusedWithLineAndColumn) {
    EXPECT_TRUE(says(refusal_of("{\n  \"nodes\": 3,\n}"), {"g.json: not JSON: line 3, column 1"}));
    EXPECT_TRUE(says(refusal_of("{\"nodes\": NaN}"), {"not JSON", "no NaN"}));
    EXPECT_TRUE(says(refusal_of("{\"nodes\": 3"), {"not JSON"}));
    EXPECT_TRUE(says(refusal_of(with_edges("") + "x"), {"not JSON"}));
    EXPECT_TRUE(says(refusal_of("{\"names\": [\"\xff\"]}"), {"not JSON", "UTF-8"}));
    EXPECT_TRUE(says(refusal_of(R"({"nodes": 3, "nodes": 3})"), {"g.json: key \"nodes\" is given twice"}));
    EXPECT_TRUE(says(refusal_of(R"({"heads": [{}, {"edges": [], "edges": []}]})"),
                     {"g.json: heads[1]: key \"edges\" is given twice"}));
    EXPECT_TRUE(says(refusal_of(std::string(100000, '[')), {"nested deeper than 64"}));
    EXPECT_EQ(refusal_of("\xEF\xBB\xBF" + with_edges("")), "accepted");
}

TEST(HeadSystemJson, CanonicalText) {
    const auto system = generate_system({.family = Family::line, .nodes = 3, .heads = 2});
    EXPECT_EQ(format_head_system(system, "by hand"), R"({
  "schema": "crosshead.head_system/1",
  "nodes": 3,
  "self_loops": true,
  "heads": [
    {"edges":[[0,1],[1,2]]},
    {"edges":[[0,1],[1,2]]}
  ],
  "walk_weights": ["1/2","1/2"],
  "diffusion_weights": ["1/2","1/2"],
  "origin": "by hand"
}
)");
    EXPECT_TRUE(says(refusal([&] { format_head_system(system, "\xff"); }), {"not UTF-8"}));
}

RC_GTEST_PROP(HeadSystemJsonProperty, RoundTrips, ()) {
    const auto system = test::random_system(*rc::gen::inRange<std::size_t>(1, 4));
    const std::string text = format_head_system(system);
    RC_ASSERT(test::same(parse(text), system));
    RC_ASSERT(test::same(parse(head_system_json(system).dump()), system));
    RC_ASSERT(format_head_system(parse(text)) == text);
}

}  // namespace
}  // namespace crosshead
