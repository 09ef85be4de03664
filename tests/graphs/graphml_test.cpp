#include <crosshead/graphs/families.hpp>
#include <crosshead/graphs/graphml.hpp>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

constexpr const char* weight_key = "<key id='d0' for='edge' attr.name='weight' attr.type='double'/>";

std::string graphml(const std::string& body, const std::string& keys = weight_key,
                    const std::string& directed = "directed") {
    return "<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>\n" + keys + "\n<graph edgedefault='" +
           directed + "'>\n" + body + "\n</graph></graphml>";
}
HeadSystem parse(const std::string& text, bool self_loops = true) {
    return parse_graphml(text, "g.graphml", self_loops);
}
std::string refusal_of(const std::string& text) {
    return refusal([&] { parse(text); });
}
std::string nodes(std::initializer_list<const char*> ids) {
    std::string text;
    for (const auto* id : ids) text += std::string("<node id='") + id + "'/>";
    return text;
}

TEST(Graphml, AFileAsNetworkxWritesIt) {
    const auto system = parse(graphml(nodes({"u", "v", "sink"}) +
                                      "<edge source='u' target='v'><data key='d0'>0.06</data></edge>"
                                      "<edge source='v' target='sink'><data key='d0'> 2/3\n</data></edge>"));
    EXPECT_EQ(system.names(), (std::vector<std::string>{"u", "v", "sink"}));
    EXPECT_EQ(test::edges_of(system.head(0)),
              (std::vector<std::tuple<Node, Node, Rational>>{
                  {0, 0, 1}, {0, 1, Rational(3, 50)}, {1, 1, 1}, {1, 2, Rational(2, 3)}, {2, 2, 1}}));
}

TEST(Graphml, NodesAreOrderedWhereTheFileOrderIsNot) {
    const auto system = parse(graphml(nodes({"sink", "v", "w", "u"}) +
                                      "<edge source='u' target='v'/><edge source='v' target='sink'/>"
                                      "<edge source='u' target='w'/><edge source='w' target='sink'/>"));
    EXPECT_EQ(system.names(), (std::vector<std::string>{"u", "v", "w", "sink"}))
        << "ties keep the file's order";
}

TEST(Graphml, NamesAndDefaultsComeFromKeys) {
    const auto system =
        parse(graphml("<node id='n0'><data key='l'>first one</data></node><node id='n1'/>"
                      "<edge source='n0' target='n1'/>",
                      "<key id='l' for='node' attr.name='name' attr.type='string'/>"
                      "<key id='w' for='edge' attr.name='weight'><default>5</default></key>"));
    EXPECT_EQ(system.names(), (std::vector<std::string>{"first one", "n1"}));
    EXPECT_EQ(system.head(0).weight(1), 5);
    EXPECT_TRUE(parse(graphml(nodes({"0", "1"}) + "<edge source='0' target='1'/>")).names().empty());
}

TEST(Graphml, SelfLoopsAndSinkAsTheFileSays) {
    const std::string keys = std::string(weight_key) +
                             "<key id='s' for='graph' attr.name='sink'/>"
                             "<key id='l' for='graph' attr.name='self_loops'/>";
    const std::string open = nodes({"a", "b", "c"}) +
                             "<edge source='a' target='a'/><edge source='a' target='c'/>"
                             "<edge source='a' target='b'/>";
    EXPECT_TRUE(
        says(refusal_of(graphml(open, keys)), {"2 nodes have no out-edge: b, c", "attribute \"sink\""}));
    const auto system = parse(graphml("<data key='s'>b</data><data key='l'>false</data>" + open, keys));
    EXPECT_EQ(system.names(), (std::vector<std::string>{"a", "c", "b"}));
    EXPECT_EQ(system.head(0).edge_count(), 3u);
    EXPECT_EQ(parse(graphml("<data key='s'>b</data>" + open, keys)).head(0).edge_count(), 5u);
    EXPECT_EQ(parse(graphml("<data key='s'>b</data>" + open, keys), false).head(0).edge_count(), 3u);
    EXPECT_TRUE(
        says(refusal_of(graphml("<data key='s'>x</data>" + open, keys)), {"\"x\" as its sink", "no node"}));
    EXPECT_TRUE(
        says(refusal_of(graphml("<data key='s'>a</data>" + open, keys)), {"\"a\" as its sink", "out-edge"}));
    EXPECT_TRUE(says(refusal_of(graphml("<data key='l'>no</data>" + open, keys)),
                     {"line 4", "self_loops is \"no\""}));
}

TEST(Graphml, DanglingEdgesNameTheIdAndTheLine) {
    EXPECT_TRUE(says(refusal_of(graphml(nodes({"a", "b"}) + "\n<edge source='a' target='c'/>")),
                     {"g.graphml: line 5: edge a -> c", "target \"c\" is no node", "declare it"}));
    EXPECT_TRUE(
        says(refusal_of(graphml(nodes({"a", "b"}) + "<edge source='x' target='b'/>")), {"source \"x\""}));
}

TEST(Graphml, CyclesArePrintedNodeByNode) {
    EXPECT_TRUE(says(refusal_of(graphml(nodes({"a", "b", "c", "sink"}) +
                                        "<edge source='a' target='b'/><edge source='b' target='c'/>"
                                        "<edge source='c' target='a'/><edge source='c' target='sink'/>")),
                     {"g.graphml: the graph has a cycle: ", "a -> b -> c", "feedforward"}));
}

TEST(Graphml, WhatIsNoHeadIsRefused) {
    EXPECT_TRUE(says(refusal_of(graphml(nodes({"a"}), weight_key, "undirected")),
                     {"line 3", "edgedefault=\"undirected\"", "directed"}));
    EXPECT_TRUE(says(refusal_of("<graphml><graph><node id='a'/></graph></graphml>"), {"no edgedefault"}));
    EXPECT_TRUE(
        says(refusal_of(graphml(nodes({"a", "b"}) + "<edge source='a' target='b' directed='false'/>")),
             {"directed=\"false\""}));
    EXPECT_TRUE(says(refusal_of(graphml("")), {"no nodes"}));
    EXPECT_TRUE(says(refusal_of(graphml(nodes({"a", "a"}))), {"line 4", "node id \"a\" is given twice"}));
    EXPECT_TRUE(says(refusal_of(graphml("<node/>")), {"<node> has no id"}));
    EXPECT_TRUE(says(refusal_of(graphml(nodes({"a"}) + "<edge source='a'/>")), {"<edge> has no target"}));
    EXPECT_TRUE(says(refusal_of(graphml("<hyperedge/>")), {"hyperedge"}));
    EXPECT_TRUE(
        says(refusal_of(graphml("<node id='a'><graph edgedefault='directed'/></node>")), {"inside a node"}));
    EXPECT_TRUE(
        says(refusal_of("<graphml><graph edgedefault='directed'/><graph edgedefault='directed'/></graphml>"),
             {"second <graph>", "one head a file"}));
    EXPECT_TRUE(says(refusal_of("<graphml/>"), {"no <graph>"}));
    EXPECT_TRUE(says(refusal_of("<svg/>"), {"<svg> instead of <graphml>"}));
    const std::string edge = "<edge source='a' target='b'>";
    EXPECT_TRUE(says(refusal_of(graphml(nodes({"a", "b"}) + edge + "</edge>" + edge + "</edge>")),
                     {"edge a -> b was given on line 4"}));
}

TEST(Graphml, WeightsAreReadStrictly) {
    const auto weight = [](const std::string& data) {
        return refusal_of(graphml(nodes({"a", "b"}) + "<edge source='a' target='b'>" + data + "</edge>"));
    };
    EXPECT_TRUE(says(weight("<data key='d0'>heavy</data>"),
                     {"line 4: edge a -> b: weight: \"heavy\" is not a number"}));
    EXPECT_TRUE(says(weight("<data key='d0'/>"), {"is not a number"}));
    EXPECT_TRUE(says(weight("<data key='d0'>-1</data>"), {"line 4: edge a -> b has weight -1"}));
    EXPECT_TRUE(says(weight("<data key='d0'>1</data><data key='d0'>1</data>"), {"two weights"}));
    EXPECT_TRUE(says(weight("<data key='zz'>1</data>"), {"key \"zz\"", "declare"}));
    EXPECT_TRUE(says(refusal_of(graphml("", std::string(weight_key) + weight_key)),
                     {"key \"d0\" is declared twice"}));
    EXPECT_TRUE(
        says(refusal_of(graphml("<node id='a'><data key='d0'>1</data></node>")), {"which is for \"edge\""}));
}

TEST(Graphml, BadXmlAndEntitiesAreRefused) {
    EXPECT_TRUE(says(refusal_of("<graphml><graph"), {"g.graphml: line 1: not XML"}));
    EXPECT_TRUE(says(refusal_of(graphml(nodes({"a"})) + "<more/>"), {"not XML"}));
    EXPECT_TRUE(
        says(refusal_of("<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><graphml>&b;</graphml>"),
             {"line 1: a document type declaration", "remove it"}));
    std::string deep = "<graphml>";
    for (int level = 0; level < 100000; ++level) deep += "<a>";
    EXPECT_TRUE(says(refusal_of(deep), {"nested deeper than 64"}));
}

TEST(Graphml, WhatItCannotHoldIsNotWritten) {
    const auto one = ConvexWeights::uniform(1);
    EXPECT_TRUE(says(refusal([] {
                         format_graphml(HeadSystem({line_head(2), line_head(2)}));
                     }),
                     {"2 heads", "one head"}));
    EXPECT_TRUE(says(refusal([&] { format_graphml(HeadSystem({line_head(1)}, one, one, {"\x01"})); }),
                     {"control character 1"}));
}

RC_GTEST_PROP(GraphmlProperty, RoundTrips, ()) {
    const auto system = test::random_system(1);
    const std::string text = format_graphml(system);
    RC_ASSERT(test::same(parse(text), system));
    RC_ASSERT(format_graphml(parse(text)) == text);
}

}  // namespace
}  // namespace crosshead
