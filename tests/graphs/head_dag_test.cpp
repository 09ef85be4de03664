#include <cmath>
#include <crosshead/graphs/head_dag.hpp>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

std::string refusal_of(int nodes, std::vector<WeightedEdge> edges) {
    return refusal([&] { HeadDag(nodes, std::move(edges), "head 2"); });
}

TEST(HeadDag, EdgesStandInOrderWithTheirWeights) {
    const HeadDag head(3, {{1, 2, Rational(2, 3)}, {0, 0, 1}, {0, 1, 5}, {2, 2, 0}});
    EXPECT_EQ(head.sink(), 2);
    ASSERT_EQ(head.edge_count(), 3u) << "an edge of weight 0 is none";
    EXPECT_EQ(test::edges_of(head),
              (std::vector<std::tuple<Node, Node, Rational>>{{0, 0, 1}, {0, 1, 5}, {1, 2, Rational(2, 3)}}));
    EXPECT_FALSE(head.is_uniform());
    EXPECT_TRUE(head.has_out_weight(1));
    EXPECT_FALSE(head.has_out_weight(2));
    EXPECT_EQ(boost::num_vertices(head.graph()), 3u);
    EXPECT_EQ(boost::num_edges(head.graph()), 3u);
}

TEST(HeadDag, WhatIsNoHeadIsRefused) {
    EXPECT_TRUE(says(refusal_of(0, {}), {"head 2: ", "0 nodes"}));
    EXPECT_TRUE(says(refusal_of(2, {{0, 2, 1}}), {"head 2: ", "node 2", "0..1"}));
    EXPECT_TRUE(says(refusal_of(2, {{-1, 1, 1}}), {"node -1"}));
    EXPECT_TRUE(says(refusal_of(2, {{1, 0, 1}}), {"edge 1 -> 0 goes backward", "swap"}));
    EXPECT_TRUE(says(refusal_of(2, {{0, 1, Rational(-1, 2)}}), {"edge 0 -> 1", "-1/2", "not negative"}));
    EXPECT_TRUE(says(refusal_of(2, {{0, 0, 1}, {0, 1, 1}, {0, 1, 2}}), {"edge 0 -> 1 is given twice"}));
    EXPECT_TRUE(says(refusal_of(2, {{0, 1, 1}}), {"node 0 has no in-weight", "self-loop"}));
    EXPECT_TRUE(says(refusal_of(1, {{0, 0, 0}}), {"node 0 has no in-weight"}));
}

TEST(HeadDag, DenseAttentionIsTakenExactly) {
    const std::vector<double> attention = {0.5, 0, 0.1, 0.3};
    const auto as_given = HeadDag::from_dense(2, attention, HeadDag::Rows::as_given);
    EXPECT_EQ(as_given.weight(0), Rational(1, 2));
    EXPECT_EQ(as_given.weight(1), rational_from_dyadic(0.1));
    const auto divided = HeadDag::from_dense(2, attention, HeadDag::Rows::divided_by_their_sum);
    EXPECT_EQ(divided.weight(0), 1);
    EXPECT_EQ(Rational(divided.weight(1) + divided.weight(2)), 1) << "rows sum to exactly 1";
    EXPECT_TRUE(
        HeadDag::from_dense(2, std::vector<double>{1, 0, 1, 1}, HeadDag::Rows::as_given).is_uniform());
}

TEST(HeadDag, DenseAttentionIsCheckedEntryByEntry) {
    const auto refused = [](std::vector<double> attention) {
        return refusal([&] { HeadDag::from_dense(2, attention, HeadDag::Rows::as_given, "layer 1 head 2"); });
    };
    EXPECT_TRUE(says(refused({1, 0, std::nan(""), 1}), {"layer 1 head 2", "row 1 column 0 is nan"}));
    EXPECT_TRUE(says(refused({1, 0, HUGE_VAL, 1}), {"row 1 column 0 is inf"}));
    EXPECT_TRUE(says(refused({1, 0, -0.25, 1}), {"row 1 column 0 is -0.25"}));
    EXPECT_TRUE(says(refused({1, 0.5, 0, 1}), {"row 0 column 1 is 0.5", "causal"}));
    EXPECT_TRUE(says(refused({1, 0, 0, 0}), {"node 1 has no in-weight"}));
    EXPECT_TRUE(says(refused({1, 0, 0}), {"3 numbers for a 2x2 matrix"}));
}

}  // namespace
}  // namespace crosshead
