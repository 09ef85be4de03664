#include <crosshead/graphs/families.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <map>
#include <set>

#include "helpers.hpp"

namespace crosshead {
namespace {

using Pairs = std::set<std::pair<Node, Node>>;

/// The edges that are no self-loops; every family has every self-loop.
Pairs pairs_of(const HeadDag& head) {
    Pairs pairs;
    int loops = 0;
    for (std::size_t e = 0; e < head.edge_count(); ++e)
        if (head.sources()[e] == head.destinations()[e])
            ++loops;
        else
            pairs.emplace(head.sources()[e], head.destinations()[e]);
    EXPECT_EQ(loops, head.nodes());
    return pairs;
}

template <class Action>
std::string usage_error(Action action) {
    try {
        action();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

bool every_node_reaches_the_sink(const HeadDag& head) {
    std::vector<bool> reaches(static_cast<std::size_t>(head.nodes()), false);
    reaches.back() = true;
    for (Node j = head.sink(); j-- > 0;)
        for (std::size_t e = 0; e < head.edge_count(); ++e)
            if (head.sources()[e] == j && reaches[static_cast<std::size_t>(head.destinations()[e])])
                reaches[static_cast<std::size_t>(j)] = true;
    return std::find(reaches.begin(), reaches.end(), false) == reaches.end();
}

TEST(Families, TheFixedOnesEdgeByEdge) {
    EXPECT_EQ(pairs_of(line_head(4)), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_EQ(pairs_of(full_causal_head(3)), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
    EXPECT_EQ(pairs_of(sliding_window_head(4, 2)), (Pairs{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(pairs_of(dilated_window_head(6, 2, 2)),
              (Pairs{{0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 4}, {3, 5}}));
    EXPECT_EQ(pairs_of(dilated_window_head(4, 1, 2, Reach::sink)), (Pairs{{0, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(pairs_of(line_head(1)), Pairs{});
    EXPECT_TRUE(full_causal_head(5).is_uniform());
}

TEST(Families, ExtremeProbabilitiesAreCertain) {
    RandomSource random(1);
    EXPECT_EQ(pairs_of(erdos_renyi_head(5, 1, random)), pairs_of(full_causal_head(5)));
    EXPECT_EQ(pairs_of(erdos_renyi_head(5, 0, random)), Pairs{});
    EXPECT_EQ(pairs_of(erdos_renyi_head(5, 0, random, Reach::sink)), pairs_of(line_head(5)));
    EXPECT_EQ(pairs_of(look_back_head(5, 0, 2, random)), pairs_of(sliding_window_head(5, 2)));
    EXPECT_EQ(pairs_of(look_back_head(5, 1, 2, random)), Pairs{});
}

/// Pinned: a seed means the same system with every compiler and in every later version.
TEST(Families, SeedsReproduce) {
    RandomSource random(5489);
    for (int draw = 1; draw < 10000; ++draw) random.bits();
    EXPECT_EQ(random.bits(), 9981545732273789042u) << "the value that the C++ standard gives";
    const auto system =
        generate_system({.family = Family::random_weighted, .nodes = 4, .heads = 2, .seed = 0});
    EXPECT_EQ(head_system_json(system)["heads"].dump(),
              R"([{"edges":[[0,1,"9/14"],[0,2,"2/3"],[0,3,"3/8"],[1,1,"5/14"],[2,2,"1/3"],[3,3,"5/8"]]},)"
              R"({"edges":[[0,1,"2/5"],[0,2,"3/13"],[1,1,"3/5"],[1,2,"5/13"],[2,2,"5/13"]]}])");
    const auto more = generate_system({.family = Family::random_weighted, .nodes = 4, .heads = 3, .seed = 0});
    EXPECT_EQ(test::edges_of(more.head(1)), test::edges_of(system.head(1)))
        << "more heads leave the first alone";
}

TEST(Families, BoundedSamplingIsUniform) {
    RandomSource random(3);
    std::map<std::uint64_t, int> counts;
    for (int draw = 0; draw < 30000; ++draw) ++counts[random.below(3)];
    ASSERT_EQ(counts.size(), 3u);
    for (const auto& [value, count] : counts)
        EXPECT_NEAR(count, 10000, 400) << value;  // five standard deviations
    EXPECT_EQ(random.below(1), 0u);
    int hits = 0;
    for (int draw = 0; draw < 30000; ++draw) hits += random.chance(Rational(1, 3));
    EXPECT_NEAR(hits, 10000, 400);
    EXPECT_FALSE(random.chance(Rational(Integer(1), Integer(1) << 300)));
    EXPECT_TRUE(random.chance(1 - Rational(Integer(1), Integer(1) << 300)));
}

TEST(Families, ParametersOutOfRangeAreRefused) {
    RandomSource random(1);
    using test::says;
    EXPECT_TRUE(says(usage_error([] { line_head(0); }), {"number of nodes is 0", "at least 1"}));
    EXPECT_TRUE(says(usage_error([] { sliding_window_head(3, 0); }), {"window is 0"}));
    EXPECT_TRUE(says(usage_error([] { dilated_window_head(3, 1, 0); }), {"dilation is 0"}));
    EXPECT_TRUE(
        says(usage_error([&] { erdos_renyi_head(3, Rational(3, 2), random); }), {"probability is 3/2"}));
    EXPECT_TRUE(says(usage_error([&] { look_back_head(3, 0, 0, random); }), {"budget is 0"}));
    EXPECT_TRUE(says(usage_error([&] { random_weighted_head(3, 0, 0, random); }), {"largest weight is 0"}));
    EXPECT_TRUE(says(usage_error([] { generate_system({.nodes = 1'000'000'000}); }), {"at most"}));
    EXPECT_TRUE(says(usage_error([] { generate_system({.heads = 0}); }), {"number of heads is 0"}));
    EXPECT_TRUE(says(usage_error([] { family_named("ring"); }), {"\"ring\" is no family", "look-back"}));
}

TEST(Families, TheCommandLineNamesWhatTheFamilyUses) {
    EXPECT_EQ(generate_command_line({.family = Family::line, .nodes = 3, .seed = 9}),
              "crosshead generate line --nodes 3 --heads 1");
    EXPECT_EQ(generate_command_line({.family = Family::look_back, .reach = Reach::sink, .seed = 9}),
              "crosshead generate look-back --nodes 8 --heads 1 --probability 1/2 --budget 2 --reach-sink "
              "--seed 9");
    for (const auto& info : families()) EXPECT_EQ(family_named(info.name).family, info.family);
}

RC_GTEST_PROP(FamiliesProperty, HypothesesHoldByConstruction, ()) {
    FamilySpec spec;
    spec.family = (*rc::gen::elementOf(std::vector<FamilyInfo>(families().begin(), families().end()))).family;
    spec.nodes = *rc::gen::inRange(1, 10);
    spec.heads = *rc::gen::inRange(1, 4);
    spec.window = *rc::gen::inRange(1, 4);
    spec.dilation = *rc::gen::inRange(1, 4);
    spec.budget = *rc::gen::inRange(1, 4);
    spec.probability = Rational(*rc::gen::inRange(0, 8), 7);
    spec.random_head_weights = *rc::gen::arbitrary<bool>();
    spec.reach = Reach::sink;
    spec.seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto system = generate_system(spec);
    RC_ASSERT(test::same(system, generate_system(spec)));
    for (const auto& head : system.heads()) {
        RC_ASSERT(every_node_reaches_the_sink(head));
        std::vector<int> in_edges(static_cast<std::size_t>(spec.nodes), 0);
        std::vector<Rational> row_sums(in_edges.size(), Rational(0));
        for (const auto& [source, destination, weight] : test::edges_of(head)) {
            in_edges[static_cast<std::size_t>(destination)] += source != destination;
            row_sums[static_cast<std::size_t>(destination)] += weight;
        }
        for (std::size_t i = 0; i < row_sums.size(); ++i) {
            if (spec.family == Family::random_weighted) RC_ASSERT(row_sums[i] == 1);
            if (spec.family == Family::look_back)
                RC_ASSERT(in_edges[i] <= spec.budget + 1);  // + 1: the reach edge
        }
    }
}

}  // namespace
}  // namespace crosshead
