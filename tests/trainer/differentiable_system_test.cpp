// Against a naive computation in double, against finite differences, and on what must come out of a climb.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/differentiable_system.hpp>
#include <numeric>
#include <stdexcept>

#include "naive_quantities.hpp"

namespace crosshead {
namespace {

using Q = DifferentiableQuantity;
using namespace test;

std::size_t triangle(std::size_t i, std::size_t j) {
    return i * (i + 1) / 2 + j;
}

GradientOptions random_options(std::uint64_t seed) {
    GradientOptions options;
    options.nodes = 3 + static_cast<int>(seed % 4);
    options.heads = 1 + static_cast<int>(seed % 3);
    options.seed = seed;
    options.uniform_edges = seed % 2 == 0;
    options.max_edge_weight = 3;
    options.learn_walk_weights = options.learn_diffusion_weights = true;
    options.tied_weights = seed % 5 == 0;
    options.every_head_reaches = seed % 3 == 0;
    return options;
}

/// Every quantity of the mixture and of head 0, where it exists.
std::vector<QuantityRequest> every_request(int nodes) {
    std::vector<QuantityRequest> requests;
    for (int q = 0; q <= static_cast<int>(Q::node_fidelity); ++q)
        for (int head = -1; head <= 0; ++head) {
            const auto quantity = static_cast<Q>(q);
            if (head < 0 && (quantity == Q::walk_weight || quantity == Q::diffusion_weight)) continue;
            for (int node = 0; node < nodes; node += nodes - 2)
                requests.push_back({quantity, head, 0.13, 3, node});
        }
    return requests;
}

std::string name(const QuantityRequest& r, std::uint64_t seed) {
    return "quantity " + std::to_string(static_cast<int>(r.quantity)) + " head " + std::to_string(r.head) +
           " node " + std::to_string(r.node) + " seed " + std::to_string(seed);
}

TEST(DifferentiableSystem, ValuesAreThoseOfItsWeights) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        DifferentiableSystem system(random_options(seed));
        const auto requests = every_request(system.weights().nodes);
        const auto values = system.values(requests);
        for (std::size_t k = 0; k < requests.size(); ++k) {
            if (is_time(requests[k].quantity)) {
                const int time = expected_time(system.weights(), requests[k]);
                EXPECT_LE(values[k], time) << name(requests[k], seed);
                EXPECT_GE(values[k], time - 1) << name(requests[k], seed);
            } else {
                EXPECT_NEAR(values[k], expected(system.weights(), requests[k]), 1e-9)
                    << name(requests[k], seed);
            }
        }
    }
}

/// Central differences of the values along parameter p, [request].
std::vector<double> slopes(DifferentiableSystem& system, const std::vector<QuantityRequest>& requests,
                           const std::vector<double>& start, std::size_t p) {
    constexpr double h = 1e-6;
    std::vector<double> slope(requests.size(), 0.0);
    for (const double side : {h, -h}) {
        auto moved = start;
        moved[p] += side;
        system.set_parameters(moved);
        const auto values = system.values(requests);
        for (std::size_t k = 0; k < slope.size(); ++k) slope[k] += values[k] / (2 * side);
    }
    return slope;
}

TEST(DifferentiableSystem, GradientsAreThoseOfFiniteDifferences) {
    std::vector<bool> moves(static_cast<std::size_t>(Q::node_fidelity) + 1, false);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        DifferentiableSystem system(random_options(seed));
        const auto requests = every_request(system.weights().nodes);
        const auto start = system.parameters();
        std::vector<std::vector<double>> numeric;
        for (std::size_t p = 0; p < start.size(); ++p) numeric.push_back(slopes(system, requests, start, p));
        system.set_parameters(start);
        system.values(requests);
        for (std::size_t k = 0; k < requests.size(); ++k) {
            std::vector<double> one(requests.size(), 0.0);
            one[k] = 1;
            const auto gradient = system.gradient(one);
            ASSERT_EQ(gradient.size(), start.size());
            for (std::size_t p = 0; p < start.size(); ++p) {
                EXPECT_NEAR(gradient[p], numeric[p][k], 1e-4 * std::max(std::abs(numeric[p][k]), 1e-3))
                    << name(requests[k], seed) << " parameter " << p;
                if (std::abs(gradient[p]) > 1e-3)
                    moves[static_cast<std::size_t>(requests[k].quantity)] = true;
            }
        }
    }
    for (std::size_t q = 0; q < moves.size(); ++q) EXPECT_TRUE(moves[q]) << "quantity " << q;
}

TEST(DifferentiableSystem, MixingTimesAreContinuousBetweenSteps) {
    DifferentiableSystem system(random_options(4));
    const double d5 = 2 * largest(Naive(system.weights(), -1).forward(5));
    const auto at = [&](double epsilon) {
        return system.values(std::vector<QuantityRequest>{{Q::mixing_time, -1, epsilon}})[0];
    };
    EXPECT_NEAR(at(d5 * (1 + 1e-10)), 5, 1e-6);
    EXPECT_NEAR(at(d5 * (1 - 1e-10)), 5, 1e-6);
    EXPECT_EQ(at(2.5), 0);
    EXPECT_GT(at(1.999), 0);
}

TEST(DifferentiableSystem, TimesBeyondTheHorizonStayFiniteAndPointTheWay) {
    GradientOptions options;
    options.nodes = 3;
    options.heads = 1;
    DifferentiableSystem system(options);
    auto parameters = system.parameters();
    for (double& x : parameters) x = -9;
    system.set_parameters(parameters);
    const std::vector<QuantityRequest> requests = {{Q::mixing_time, -1, 0.01},
                                                   {Q::reverse_mixing_time, 0, 0.01}};
    for (const double value : system.values(requests)) {
        EXPECT_GT(value, 64 * 3);
        EXPECT_TRUE(std::isfinite(value));
    }
    const auto gradient = system.gradient(std::vector<double>{1, 0});
    EXPECT_LT(gradient[triangle(2, 1)], 0);  // a heavier edge mixes faster
    for (double& x : parameters) x = -1e9;   // clipped
    system.set_parameters(parameters);
    for (const double value : system.values(every_request(3))) EXPECT_TRUE(std::isfinite(value));
}

/// A uniform system of one head on three nodes, next to one with gates of 0 and 1.
DifferentiableSystem near_integers(bool edge01, bool edge02, bool edge12) {
    GradientOptions options;
    options.nodes = 3;
    options.heads = 1;
    DifferentiableSystem system(options);
    const auto logit = [](bool open) { return open ? 20.0 : -20.0; };
    system.set_parameters(std::vector<double>{0, logit(edge01), 0, logit(edge02), logit(edge12), 0});
    return system;
}

TEST(DifferentiableSystem, FidelitiesOfNearIntegersAreThoseOfIntegers) {
    const std::vector<QuantityRequest> requests = {{Q::node_fidelity, -1, 0, 0, 0},
                                                   {Q::node_fidelity, -1, 0, 0, 1},
                                                   {Q::node_fidelity, -1, 0, 0, 2},
                                                   {Q::fidelity}};
    // Two sources that share the sink: both are limits.
    auto values = near_integers(false, true, true).values(requests);
    EXPECT_NEAR(values[0], 0.5, 1e-6);
    EXPECT_NEAR(values[1], 0.5, 1e-6);
    EXPECT_NEAR(values[2], 1.0 / 3, 1e-6);
    EXPECT_NEAR(values[3], 1.0 / 3, 1e-6);
    // The line: row τ of Δ^t holds t/2^t of the middle.
    values = near_integers(true, false, true).values(requests);
    EXPECT_NEAR(values[0], 1, 1e-6);
    EXPECT_NEAR(values[1], 0.5, 1e-6);
    EXPECT_NEAR(values[2], 0.5, 1e-6);
    // Node 1 does not reach the sink.
    values = near_integers(true, true, false).values(requests);
    EXPECT_NEAR(values[1], 0, 1e-6);
}

TEST(DifferentiableSystem, FidelitiesOfSlowHeadsAreFollowedFarEnough) {
    GradientOptions options;
    options.nodes = 3;
    options.heads = 1;
    options.uniform_edges = false;
    options.max_edge_weight = 1000;
    DifferentiableSystem system(options);
    // The sink lets go of 1/1001 a step, to node 1, which keeps it (almost) for ever.
    system.set_parameters(std::vector<double>{20, -20, 20, -20, -std::log(999.0), 20});
    EXPECT_NEAR(system.values(std::vector<QuantityRequest>{{Q::node_fidelity, -1, 0, 0, 1}})[0], 1, 1e-4);
}

TEST(DifferentiableSystem, AscendingAbsorptionRaisesItUntilTheLineIsLeft) {
    GradientOptions options;
    options.nodes = 5;
    options.heads = 1;
    options.every_head_reaches = true;
    options.seed = 3;
    DifferentiableSystem system(options);
    const std::vector<QuantityRequest> request = {{Q::absorption_mean}};
    const std::vector<double> uphill = {1}, downhill = {-1};
    const double start = system.values(request)[0];
    system.ascend(uphill);
    double last = system.values(request)[0];
    EXPECT_GT(last, start);
    system.ascend(uphill);
    for (int step = 0; step < 400; ++step) {
        last = system.values(request)[0];
        system.ascend(uphill);
    }
    EXPECT_GT(last, 3.9);  // 2·(4+3+2+1)/5 = 4 is the most that uniform edges allow
    EXPECT_LE(last, 4 + 1e-9);
    std::vector<std::uint32_t> line(15, 0);
    for (std::size_t i = 0; i < 5; ++i) {
        line[triangle(i, i)] = 1;
        if (i > 0) line[triangle(i, i - 1)] = 1;
    }
    EXPECT_EQ(system.rounded().heads[0], line);
    for (int step = 0; step < 30; ++step) {
        const double before = system.values(request)[0];
        system.ascend(downhill);
        if (step > 20) {
            EXPECT_LT(system.values(request)[0], before);
        }
    }
}

TEST(DifferentiableSystem, RoundingKeepsLoopsReachAndRange) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        GradientOptions options = random_options(seed);
        options.every_head_reaches = true;
        DifferentiableSystem system(options);
        auto parameters = system.parameters();
        for (double& x : parameters) x = 6 * x - 4;  // most edges vanish
        system.set_parameters(parameters);
        const RelaxedSystem relaxed = system.weights();
        const RoundedSystem rounded = system.rounded();
        ASSERT_EQ(rounded.heads.size(), static_cast<std::size_t>(options.heads));
        const auto n = static_cast<std::size_t>(options.nodes);
        for (std::size_t h = 0; h < rounded.heads.size(); ++h) {
            ASSERT_EQ(rounded.heads[h].size(), n * (n + 1) / 2);
            for (std::size_t j = 0; j < n; ++j) {
                std::uint32_t out = 0;
                double relaxed_out = 0;
                for (std::size_t i = j + 1; i < n; ++i) {
                    out += rounded.heads[h][triangle(i, j)];
                    relaxed_out += relaxed.heads[h][triangle(i, j)];
                }
                EXPECT_GE(rounded.heads[h][triangle(j, j)], 1u);
                if (j + 1 < n) {
                    EXPECT_GE(out, 1u) << "seed " << seed;
                    EXPECT_GE(relaxed_out, 1 - 1e-12) << "seed " << seed;
                }
            }
            for (const std::uint32_t weight : rounded.heads[h])
                EXPECT_LE(weight, options.uniform_edges ? 1u : 3u);
        }
        for (const auto& scores : {rounded.walk_scores, rounded.diffusion_scores}) {
            ASSERT_EQ(scores.size(), rounded.heads.size());
            EXPECT_EQ(std::accumulate(scores.begin(), scores.end(), 0u), 12u);
            EXPECT_GE(*std::min_element(scores.begin(), scores.end()), 1u);
        }
        if (options.tied_weights) {
            EXPECT_EQ(rounded.walk_scores, rounded.diffusion_scores);
        }
    }
}

TEST(DifferentiableSystem, EdgesMayVanishWhereNothingHoldsThem) {
    EXPECT_EQ(near_integers(true, false, false).rounded().heads[0],
              (std::vector<std::uint32_t>{1, 1, 1, 0, 0, 1}));
}

TEST(NearestIntegers, ScalesAHeadAndSharesOutWeights) {
    GradientOptions options;
    options.nodes = 2;
    options.heads = 2;
    options.uniform_edges = false;
    options.max_edge_weight = 6;
    options.learn_walk_weights = true;
    options.head_weight_grid = 10;
    const RelaxedSystem relaxed{2, {{0.5, 0.75, 0.25}, {6, 5, 4.05}}, {0.71, 0.29}, {0.5, 0.5}};
    const RoundedSystem rounded = nearest_integers(relaxed, options);
    EXPECT_EQ(rounded.heads[0], (std::vector<std::uint32_t>{2, 3, 1}));
    EXPECT_EQ(rounded.heads[1], (std::vector<std::uint32_t>{6, 5, 4}));
    EXPECT_EQ(rounded.walk_scores, (std::vector<std::uint32_t>{7, 3}));
    EXPECT_EQ(rounded.diffusion_scores, (std::vector<std::uint32_t>{1, 1}));
}

TEST(NearestIntegers, KeepsSelfLoopsAndTheHeaviestEdge) {
    GradientOptions options;
    options.nodes = 2;
    options.heads = 2;
    options.uniform_edges = false;
    options.max_edge_weight = 3;
    const RelaxedSystem relaxed{2, {{1, 20, 1}, {3, 0.2, 3}}, {0.5, 0.5}, {0.5, 0.5}};
    EXPECT_EQ(nearest_integers(relaxed, options).heads[0], (std::vector<std::uint32_t>{1, 3, 1}));
    EXPECT_EQ(nearest_integers(relaxed, options).heads[1], (std::vector<std::uint32_t>{1, 0, 1}));
    options.every_head_reaches = true;
    EXPECT_EQ(nearest_integers(relaxed, options).heads[1], (std::vector<std::uint32_t>{3, 1, 3}));
}

TEST(DifferentiableSystem, TheSameSeedGivesTheSameResult) {
    const auto run = [](std::uint64_t seed) {
        GradientOptions options = random_options(7);
        options.seed = seed;
        DifferentiableSystem system(options);
        const std::vector<QuantityRequest> requests = {
            {Q::fidelity}, {Q::mixing_time, 0, 0.1}, {Q::absorption_mean}};
        for (int step = 0; step < 20; ++step) {
            system.values(requests);
            system.ascend(std::vector<double>{1, -0.1, 0.2});
        }
        return system.parameters();
    };
    EXPECT_EQ(run(7), run(7));
    EXPECT_NE(run(7), run(8));
}

TEST(DifferentiableSystem, WeightsAreLearnedOnlyWhereAsked) {
    GradientOptions options;
    options.heads = 3;
    options.learn_diffusion_weights = true;
    DifferentiableSystem system(options);
    EXPECT_EQ(system.weights().walk_weights, std::vector<double>(3, 1.0 / 3));
    EXPECT_NE(system.weights().diffusion_weights, std::vector<double>(3, 1.0 / 3));
    EXPECT_EQ(system.parameters().size(), 3u * 10 + 3);
    system.values(std::vector<QuantityRequest>{{Q::walk_weight, 1}});
    for (const double slope : system.gradient(std::vector<double>{1})) EXPECT_EQ(slope, 0);
    options.tied_weights = true;
    const RelaxedSystem tied = DifferentiableSystem(options).weights();
    EXPECT_EQ(tied.walk_weights, tied.diffusion_weights);
    EXPECT_NE(tied.walk_weights, std::vector<double>(3, 1.0 / 3));
}

TEST(DifferentiableSystem, RefusesWhatItDoesNotHave) {
    DifferentiableSystem system(GradientOptions{});
    const auto refused = [&](const QuantityRequest& request) {
        EXPECT_THROW(system.values(std::vector<QuantityRequest>{request}), std::invalid_argument);
    };
    refused({Q::fidelity, 2});
    refused({Q::fidelity, -2});
    refused({Q::walk_weight, -1});
    refused({Q::signal, -1, 0, -1, 0});
    refused({Q::signal, -1, 0, 1, 4});
    refused({Q::mixing_time, -1, 0});
    refused({Q::mixing_time, -1, std::nan("")});
    EXPECT_THROW(system.ascend(std::vector<double>{1}), std::invalid_argument);
    system.values(std::vector<QuantityRequest>{{Q::fidelity}});
    EXPECT_THROW(system.ascend(std::vector<double>{std::nan("")}), std::invalid_argument);
    EXPECT_THROW(system.ascend(std::vector<double>{1, 2}), std::invalid_argument);
    EXPECT_NO_THROW(system.ascend(std::vector<double>{1}));
    EXPECT_THROW(system.ascend(std::vector<double>{1}), std::invalid_argument);  // values are forgotten
    EXPECT_THROW(system.set_parameters(std::vector<double>{1}), std::invalid_argument);
    const auto invalid = [](auto change) {
        GradientOptions options;
        change(options);
        EXPECT_THROW(DifferentiableSystem{options}, UsageError);
    };
    invalid([](auto& o) { o.nodes = 1; });
    invalid([](auto& o) { o.heads = 0; });
    invalid([](auto& o) { o.learning_rate = 0; });
    invalid([](auto& o) { o.uniform_edges = false, o.max_edge_weight = 0; });
    invalid([](auto& o) { o.learn_walk_weights = true, o.head_weight_grid = 1; });
}

}  // namespace
}  // namespace crosshead
