// The published models' attention against metrics that somebody else computed (../shared/data): mixing times
// equal, other numbers to 1e-9; where the reference gives up (null) or stops at a horizon, ours is certified.
#include <gtest/gtest.h>

#include <crosshead/graphs/input.hpp>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/numeric/measure.hpp>
#include <crosshead/numeric/published_proxy.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace crosshead {
namespace {

using nlohmann::json;

const std::filesystem::path data = CROSSHEAD_SHARED_DATA;

class ReferenceMetrics : public ::testing::TestWithParam<const char*> {};

/// Ours and the reference within 1e-9; ours as an enclosure, itself no wider than that.
void expect_close(const Quantity& ours, double reference) {
    EXPECT_NEAR(ours.approximation() / reference, 1, 1e-9);
    EXPECT_LE(ours.enclosure.upper(), ours.enclosure.lower() * (1 + 1e-9));
}

void expect_mixing(const OperatorMeasure& measure, const json& reference, const MeasureOptions& options) {
    const char* keys[] = {"0.5", "0.25", "0.1", "0.01"};
    for (std::size_t k = 0; k < options.epsilons.size(); ++k) {
        const auto& time = measure.walk->mixing_times[k];
        const auto& expected = reference.at("mixing_time").at(keys[k]);
        ASSERT_TRUE(time.upper.has_value());
        if (expected.is_null()) {
            EXPECT_GT(time.lower, 200'000);
            EXPECT_TRUE(time.is_exact() ||
                        Rational(*time.upper - time.lower, time.lower) < Rational(1, 1'000'000));
        } else {
            EXPECT_TRUE(time.is_exact());
            EXPECT_EQ(time.lower, expected.get<long>());
        }
    }
}

void expect_operator(const OperatorMeasure& measure, const json& reference, const MeasureOptions& options) {
    expect_mixing(measure, reference, options);
    expect_close(measure.walk->absorption_mean, reference.at("absorption_mean").get<double>());
    expect_close(measure.walk->forward_probability, reference.at("forward_probability").get<double>());
    // The reference is the maximum over 20,000 steps: a lower bound, and equal where the maximum came
    // earlier.
    const auto& minimax = measure.minimax.fidelity;
    const double bound = reference.at("minimax_fidelity_t20000").get<double>();
    ASSERT_TRUE(minimax.attained_to.has_value());
    if (minimax.kind == FidelityKind::attained && *minimax.attained_to <= 20'000)
        expect_close(minimax.value, bound);
    else
        EXPECT_GE(minimax.value.enclosure.upper(), bound * (1 - 1e-9));
    EXPECT_LE(minimax.value.enclosure.upper(), minimax.value.enclosure.lower() * (1 + 1e-9));
}

TEST_P(ReferenceMetrics, AreReproduced) {
    const std::string model = GetParam();  // "4_copy"
    const auto file = data / "attention" / ("attn_" + model + ".npy");
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << file << " is not here; the published attention is not part of the project";
    const json reference = json::parse(std::ifstream(data / "published" / "reference_metrics.json"))
                               .at(model.substr(0, 1) + "_heads" + model.substr(1));
    const auto input = load_input(file);
    ASSERT_EQ(input.layers.size(), reference.size());
    const MeasureOptions options;
    for (std::size_t l = 0; l < reference.size(); ++l) {
        SCOPED_TRACE("layer " + std::to_string(l));
        std::vector<Rational> scores;
        for (const auto& weight : reference[l].at("weights"))
            scores.push_back(rational_from_dyadic(weight.get<double>()));
        const auto weights = ConvexWeights::from_scores(scores, "weights");
        const HeadSystem system = input.layers[l].with_weights(weights, weights);
        const auto measure = measure_system(system, options);
        expect_operator(measure.mixture, reference[l], options);
        expect_close(measure.mixture.walk->absorption_worst, reference[l].at("absorption_max").get<double>());
        expect_close(*measure.forward_probability_bound,
                     reference[l].at("forward_probability_bound").get<double>());
        for (std::size_t h = 0; h < measure.heads.size(); ++h)
            expect_operator(measure.heads[h], reference[l].at("heads")[h], options);
        const double proxy =
            published_mixing_proxy(double_matrix(float_matrix(system, Operator::diffusion, entry_bits)));
        EXPECT_NEAR(proxy / reference[l].at("published_mixing_proxy").get<double>(), 1, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Published, ReferenceMetrics,
                         ::testing::Values("1_copy", "1_cycle", "4_copy", "4_cycle"),
                         [](const auto& model) { return "model_" + std::string(model.param); });

}  // namespace
}  // namespace crosshead
