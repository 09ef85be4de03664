#include <cmath>
#include <crosshead/graphs/attention.hpp>
#include <limits>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

std::string refusal_of(std::vector<double> values, const AttentionOptions& options = {}) {
    const std::size_t heads = values.size() / 4;
    return refusal([&] { heads_from_attention({heads, 2, values}, options, "w.npy: layer 2"); });
}

TEST(Attention, RowsAreRescaledExactlyAndTheLargestResidualIsRecorded) {
    const AttentionLayer layer{2, 2, {1, 0, 0.5, 0.5, 1, 0, 0.25, 0.75005}};
    const auto [system, residual] = heads_from_attention(layer, {}, "w");
    EXPECT_NEAR(residual.largest, 5e-5, 1e-9);
    EXPECT_EQ(residual.head, 1u);
    EXPECT_EQ(residual.row, 1u);
    for (const auto& head : system.heads()) EXPECT_EQ(Rational(head.weight(1) + head.weight(2)), 1);
}

TEST(Attention, ARowFurtherOffIsRefusedUnlessAskedFor) {
    const std::vector<double> values = {1, 0, 0.5, 0.5, 1, 0, 0.3, 0.53};
    EXPECT_TRUE(says(refusal_of(values),
                     {"w.npy: layer 2 head 1 row 1 sums to 0.83 (tolerance 0.0001)", "--renormalise"}));
    EXPECT_EQ(refusal_of(values, {1e-4, true}), "accepted");
    EXPECT_EQ(refusal_of(values, {0.2, false}), "accepted");
    EXPECT_TRUE(says(refusal_of({1, 0, 0, 0}, {1e-4, true}), {"head 0", "node 1 has no in-weight"}));
}

TEST(Attention, TheFirstOffendingEntryIsNamed) {
    EXPECT_TRUE(says(refusal_of({0.5, 0.5, 0.5, 0.5}),
                     {"w.npy: layer 2 head 0 row 0 column 1 is 0.5", "causal", "later position"}));
    EXPECT_TRUE(says(refusal_of({1, 0, 1.5, -0.5}), {"row 1 column 1 is -0.5", "softmax"}));
    EXPECT_TRUE(says(refusal_of({1, 0, std::nan(""), 1}), {"row 1 column 0 is nan", "finite"}));
    EXPECT_TRUE(says(refusal_of({1, std::nan(""), 0, 1}), {"row 0 column 1 is nan"}));
    EXPECT_TRUE(says(refusal_of({HUGE_VAL, 0, 0, 1}), {"row 0 column 0 is inf"}));
    EXPECT_TRUE(says(refusal_of({}), {"no heads"}));
}

/// Masked entries that underflowed to a denormal are weights like any other; exact zeros are no edges.
TEST(Attention, DenormalsStay) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    const auto [system, residual] = heads_from_attention({1, 2, {1, 0, tiny, 1}}, {}, "w");
    EXPECT_EQ(system.head(0).edge_count(), 3u);
    EXPECT_EQ(Rational(system.head(0).weight(1) / system.head(0).weight(2)), rational_from_dyadic(tiny));
}

}  // namespace
}  // namespace crosshead
