#include <crosshead/graphs/families.hpp>
#include <crosshead/graphs/head_system.hpp>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

TEST(ConvexWeights, SumToExactlyOne) {
    EXPECT_EQ(ConvexWeights({Rational(1, 3), Rational(2, 3)}, "w")[1], Rational(2, 3));
    EXPECT_EQ(ConvexWeights::uniform(3)[0], Rational(1, 3));
    EXPECT_EQ(ConvexWeights::from_scores({3, 0, 1}, "w")[0], Rational(3, 4));
    EXPECT_TRUE(says(refusal([] {
                         ConvexWeights({Rational(1, 2), Rational(49, 100)}, "alpha");
                     }),
                     {"alpha: ", "sum to 99/100, not 1"}));
    EXPECT_TRUE(says(refusal([] { ConvexWeights({2, -1}, "alpha"); }), {"weight 1 is -1", "not negative"}));
    EXPECT_TRUE(says(refusal([] { ConvexWeights({}, "alpha"); }), {"no weights"}));
    EXPECT_TRUE(says(refusal([] {
                         ConvexWeights::from_scores({0, 0}, "alpha");
                     }),
                     {"every head weight is zero"}));
}

TEST(ConvexWeights, ASumWithinABillionthIsDividedOutAndSaysSo) {
    const Rational off(1, 1'000'000'000);
    const auto weights = ConvexWeights::nearly({Rational(1, 2), Rational(1, 2) + off}, "w");
    EXPECT_TRUE(weights.was_normalised());
    EXPECT_EQ(weights.given_sum(), 1 + off);
    EXPECT_EQ(Rational(weights[0] + weights[1]), 1);
    EXPECT_FALSE(ConvexWeights::nearly({1}, "w").was_normalised());
    EXPECT_TRUE(says(refusal([&] { ConvexWeights::nearly({1 + 2 * off}, "w"); }), {"sum to", "not 1"}));
}

TEST(HeadSystem, HeadsShareNodesAndWeightsMatchHeads) {
    const auto two = ConvexWeights::uniform(2), one = ConvexWeights::uniform(1);
    EXPECT_TRUE(says(refusal([] { HeadSystem(std::vector<HeadDag>{}); }), {"no heads"}));
    EXPECT_TRUE(says(refusal([&] {
                         HeadSystem({line_head(2), line_head(3)}, two, two);
                     }),
                     {"head 1: 3 nodes, but head 0 has 2"}));
    EXPECT_TRUE(says(refusal([&] { HeadSystem({line_head(2)}, two, one); }),
                     {"walk_weights: 2 weights for 1 heads"}));
    EXPECT_TRUE(says(refusal([&] { HeadSystem({line_head(2)}, one, two); }), {"diffusion_weights"}));
    EXPECT_TRUE(says(refusal([&] { HeadSystem({line_head(2)}, one, one, {"u"}); }), {"1 names for 2 nodes"}));
    EXPECT_TRUE(says(refusal([&] {
                         HeadSystem({line_head(2)}, one, one, {"u", "u"});
                     }),
                     {"\"u\" names two nodes"}));
}

TEST(HeadSystem, PartsKeepTheirNames) {
    const HeadSystem system({line_head(2), full_causal_head(2)}, ConvexWeights::uniform(2),
                            ConvexWeights::uniform(2), {"u", "sink"});
    EXPECT_EQ(system.single_head(1).name(1), "sink");
    EXPECT_EQ(system.single_head(1).head_count(), 1u);
    EXPECT_EQ(system.with_weights(ConvexWeights({1, 0}, "w"), ConvexWeights::uniform(2)).walk_weights()[0],
              1);
    EXPECT_EQ(HeadSystem({line_head(2)}).name(1), "1");
}

}  // namespace
}  // namespace crosshead
