// The finite domains of exhaustive search: what is enumerated, and how much of it there is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/search/sampling.hpp>
#include <crosshead/proofs_check/search/shrink.hpp>
#include <set>

#include "../exact/systems.hpp"
#include "search_helpers.hpp"

namespace crosshead {
namespace {

using testing::heads_on;

TEST(Enumeration, HeadsThatReachTheSink) {
    // ∏ over m = 1..n−1 of 2^m − 1.
    const std::size_t expected[] = {1, 3, 21, 315, 9765, 615195};
    for (int n = 2; n <= 7; ++n) {
        const auto heads = enumerate_heads(heads_on(n, n, 1, 1), n);
        ASSERT_EQ(heads.size(), expected[n - 2]);
        EXPECT_EQ(*closed_form_tuples(heads_on(n, n, 1, 1), n, 1), Integer(expected[n - 2]));
        int edges = 0;
        for (const auto& head : heads) {
            ASSERT_TRUE(reaches_sink(head, n) && has_all_self_loops(head, n));
            ASSERT_GE(edge_count(head, n), edges) << "not in order of edges";
            edges = edge_count(head, n);
        }
    }
}

TEST(Enumeration, HeadsAreDifferentAndAreThoseOfTheDefinition) {
    // A head of weights 0..2 on three nodes, independently: loops over every matrix.
    std::set<std::vector<std::uint32_t>> expected;
    for (int code = 0; code < 729; ++code) {
        std::vector<std::uint32_t> weights;
        for (int rest = code, k = 0; k < 6; ++k, rest /= 3)
            weights.push_back(static_cast<unsigned>(rest % 3));
        const auto at = [&](int i, int j) { return weights[static_cast<std::size_t>(i * (i + 1) / 2 + j)]; };
        const bool loops = at(0, 0) > 0 && at(1, 1) > 0 && at(2, 2) > 0;
        if (loops && at(1, 0) + at(2, 0) > 0 && at(2, 1) > 0) expected.insert(weights);
    }
    Domain domain = heads_on(3, 3, 1, 1);
    domain.max_edge_weight = 2;
    std::set<std::vector<std::uint32_t>> found;
    for (const auto& head : enumerate_heads(domain, 3)) found.insert(IntegerSystem::weights_of(head, 3));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(enumerate_heads(domain, 3).size(), expected.size());
}

TEST(Enumeration, WithoutSelfLoopsEveryNodeStillHasAWayInAndOut) {
    Domain domain = heads_on(3, 3, 1, 1);
    domain.self_loops = false;
    domain.reach = SinkReach::any;
    int expected = 0;  // node 1 alone may miss its loop, where 0 → 1 and 1 → 2 stand
    for (int mask = 0; mask < 16; ++mask) {
        const bool loop = mask & 1, in = mask & 2, out = mask & 4;
        expected += loop || (in && out) ? 1 : 0;
    }
    EXPECT_EQ(enumerate_heads(domain, 3).size(), static_cast<std::size_t>(expected));
    EXPECT_FALSE(closed_form_tuples(domain, 3, 1));
    const auto result = testing::checked(testing::conjecture_of("n == 3"), domain);
    EXPECT_EQ(result.instances[0].search.systems, static_cast<std::uint64_t>(expected));
}

/// Systems that an exhaustive search judges.
std::uint64_t judged(const Domain& domain) {
    return testing::checked(testing::conjecture_of("n >= 2"), domain).instances[0].search.systems;
}

TEST(Enumeration, PairsOfHeads) {
    EXPECT_EQ(*closed_form_systems(heads_on(3, 3)), 3);
    EXPECT_EQ(*closed_form_systems(heads_on(4, 4)), 210);
    EXPECT_EQ(*closed_form_systems(heads_on(5, 5)), 49455);
    EXPECT_EQ(*closed_form_systems(heads_on(6, 6)), 47'672'730);
    EXPECT_EQ(judged(heads_on(2, 2)), 0u);
    EXPECT_EQ(judged(heads_on(3, 3)), 3u);
    EXPECT_EQ(judged(heads_on(4, 4)), 210u);
    EXPECT_EQ(judged(heads_on(5, 5)), 49455u);
    EXPECT_EQ(judged(heads_on(2, 4, 1, 2)), 1u + 0 + 3 + 3 + 21 + 210);
}

/// Tuples by brute force: all ordered tuples of all heads, those that are in the domain.
std::uint64_t brute_force_tuples(const Domain& domain, int nodes, std::size_t heads) {
    Domain any = domain;
    any.reach = SinkReach::any;
    const auto pool = enumerate_heads(any, nodes);
    std::set<std::vector<std::size_t>> seen;
    std::vector<std::size_t> tuple(heads, 0);
    while (true) {
        bool in_domain = true;
        for (int j = 0; j + 1 < nodes; ++j) {
            std::size_t leaving = 0;
            for (const auto k : tuple) {
                int out = 0;
                for (int i = j + 1; i < nodes; ++i) out += pool[k].at(i, j);
                leaving += out > 0 ? 1 : 0;
            }
            if (domain.reach == SinkReach::every) in_domain = in_domain && leaving == heads;
            if (domain.reach == SinkReach::united) in_domain = in_domain && leaving > 0;
        }
        auto key = tuple;
        if (domain.tuples != Tuples::ordered) std::sort(key.begin(), key.end());
        const bool repeats = std::set<std::size_t>(tuple.begin(), tuple.end()).size() < heads;
        if (in_domain && !(domain.tuples == Tuples::distinct && repeats)) seen.insert(key);
        std::size_t place = 0;
        while (place < heads && ++tuple[place] == pool.size()) tuple[place++] = 0;
        if (place == heads) return seen.size();
    }
}

TEST(ClosedForm, IsTheBruteForceCountAndTheNumberOfSystemsJudged) {
    for (const auto reach : {SinkReach::every, SinkReach::united, SinkReach::any})
        for (const auto tuples : {Tuples::distinct, Tuples::multisets, Tuples::ordered})
            for (const int weight : {1, 2})
                for (int nodes = 2; nodes <= 3; ++nodes)
                    for (int heads = 1; heads <= (nodes == 2 || weight == 1 ? 3 : 1); ++heads) {
                        Domain domain = heads_on(nodes, nodes, heads, heads);
                        domain.reach = reach;
                        domain.tuples = tuples;
                        domain.max_edge_weight = weight;
                        const auto expected =
                            brute_force_tuples(domain, nodes, static_cast<std::size_t>(heads));
                        EXPECT_EQ(*closed_form_tuples(domain, nodes, heads), Integer(expected))
                            << domain.description();
                        EXPECT_EQ(judged(domain), expected) << domain.description();
                    }
}

TEST(ClosedForm, HeadWeightsOnAGridAreCompositions) {
    Domain domain = heads_on(3, 3);
    domain.walk_weights.grid = 5;
    domain.diffusion_weights.grid = 3;
    EXPECT_EQ(enumerate_head_scores(domain, 2).size(), 8u);
    EXPECT_EQ(*closed_form_systems(domain), 24);
    EXPECT_EQ(judged(domain), 24u);
    std::set<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> all;
    for (const auto& scores : enumerate_head_scores(domain, 2)) {
        EXPECT_EQ(scores.walk[0] + scores.walk[1], 5u);
        EXPECT_EQ(scores.diffusion[0] + scores.diffusion[1], 3u);
        EXPECT_TRUE(scores.walk[0] * scores.walk[1] * scores.diffusion[0] * scores.diffusion[1] > 0);
        all.emplace(scores.walk, scores.diffusion);
    }
    EXPECT_EQ(all.size(), 8u);
    domain.tied_weights = true;
    EXPECT_EQ(*closed_form_systems(domain), 12);
    for (const auto& scores : enumerate_head_scores(domain, 3)) EXPECT_EQ(scores.walk, scores.diffusion);
    EXPECT_EQ(enumerate_head_scores(domain, 3).size(), 6u);  // C(4, 2)
}

TEST(DomainOptions, EmptyAndUnsearchableRangesAreRefused) {
    const auto refused = [](Domain domain) {
        EXPECT_THROW(domain.validate(), UsageError) << domain.description();
    };
    refused(heads_on(4, 3));
    refused(heads_on(1, 3));
    refused(heads_on(2, 9));
    refused(heads_on(2, 3, 0, 1));
    refused(heads_on(2, 3, 2, 9));
    Domain weights = heads_on(2, 3);
    weights.max_edge_weight = 0;
    refused(weights);
    Domain grid = heads_on(2, 3, 2, 4);
    grid.walk_weights.grid = 3;
    refused(grid);
    EXPECT_NO_THROW(heads_on(2, 8, 1, 8).validate());
    EXPECT_NO_THROW(heads_on(2, 64).validate(max_drawn_nodes));
    EXPECT_THROW(enumerate_heads(heads_on(8, 8, 1, 1), 8), UsageError);  // 78 million
}

TEST(DomainOptions, DescriptionNamesWhatIsSearched) {
    EXPECT_EQ(
        heads_on(2, 5).description(),
        "unordered tuples of distinct heads, 2 heads, on 2..5 nodes, every node of every head reaches the "
        "sink, uniform weights, alpha and beta uniform");
}

RC_GTEST_PROP(Sampling, DrawnSystemsAreInTheirDomain, ()) {
    Domain domain = heads_on(2, 7, 1, 4);
    domain.reach = *rc::gen::element(SinkReach::every, SinkReach::united, SinkReach::any);
    domain.tuples = Tuples::multisets;
    domain.max_edge_weight = *rc::gen::inRange(1, 5);
    domain.self_loops = *rc::gen::arbitrary<bool>();
    domain.walk_weights.grid = *rc::gen::element(0, 7);
    domain.tied_weights = *rc::gen::arbitrary<bool>();
    const IntegerSystem drawn = *systems_of(domain);
    RC_ASSERT(meets_conditions(domain, drawn));
    RC_ASSERT(meets_conditions(domain, drawn.system()));  // the same by the graph library
    RC_ASSERT(drawn.nodes >= 2 && drawn.nodes <= 7 && drawn.heads.size() >= 1 && drawn.heads.size() <= 4);
    for (const auto& head : drawn.heads)
        for (const auto weight : head) RC_ASSERT(weight <= static_cast<unsigned>(domain.max_edge_weight));
    std::uint32_t units = 0;
    for (const auto score : drawn.walk_scores) units += score;
    RC_ASSERT(units == (domain.walk_weights.grid == 0 ? drawn.heads.size() : 7u));
    if (domain.tied_weights) RC_ASSERT(drawn.diffusion_scores == drawn.walk_scores);
}

RC_GTEST_PROP(Sampling, BothChecksOfConditionsAgreeOnAnySystem, ()) {
    Domain any = heads_on(2, 4, 1, 3), domain = any;
    any.reach = SinkReach::any;
    any.self_loops = *rc::gen::arbitrary<bool>();
    any.tuples = Tuples::multisets;
    domain.reach = *rc::gen::element(SinkReach::every, SinkReach::united, SinkReach::any);
    domain.tuples = *rc::gen::element(Tuples::distinct, Tuples::multisets);
    domain.self_loops = *rc::gen::arbitrary<bool>();
    const IntegerSystem drawn = *systems_of(any);
    RC_ASSERT(meets_conditions(domain, drawn) == meets_conditions(domain, drawn.system()));
}

}  // namespace
}  // namespace crosshead
