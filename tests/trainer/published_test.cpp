// The published checkpoints against arrays that an independent PyTorch computed from them.
#include <gtest/gtest.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/npy.hpp>
#include <crosshead/trainer/inference.hpp>
#include <filesystem>
#include <tuple>

namespace crosshead {
namespace {

const std::filesystem::path data = CROSSHEAD_SHARED_DATA;

class Published : public testing::TestWithParam<std::tuple<int, Task>> {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(data / "published"))
            GTEST_SKIP() << data / "published"
                         << " is not here: the authors' checkpoints are not part of the project";
    }
    int heads() const { return std::get<0>(GetParam()); }
    Task task() const { return std::get<1>(GetParam()); }
    Model model() const {
        return load_model(
                   data / "published" / (std::to_string(heads()) + "_heads_" + to_string(task()) + ".pt"),
                   heads())
            .model;
    }
    static Sequences tokens() {
        const NpyArray array = read_npy(data / "published/tokens.npy");
        return {array.shape.at(1), array.integers};
    }
};

TEST_P(Published, AttentionEqualsTheArrays) {
    const NpyArray expected =
        read_npy(data / "attention" / ("attn_" + std::to_string(heads()) + "_" + to_string(task()) + ".npy"));
    const Sequences inputs = tokens();
    const AttentionArray attention = extract_attention(
        model(), std::span(inputs.tokens).first(static_cast<std::size_t>(inputs.length)), "tokens.npy");
    ASSERT_EQ(expected.shape, (std::vector<std::int64_t>{4, heads(), 100, 100}));
    ASSERT_EQ(attention.size(), 4u);
    double largest = 0;
    std::size_t at = 0;
    for (const AttentionLayer& layer : attention)
        for (const double value : layer.values)
            largest = std::max(largest, std::abs(value - expected.floating[at++]));
    EXPECT_EQ(at, expected.floating.size());
    EXPECT_LE(largest, 1e-5);
}

TEST_P(Published, AccuracyIsThatOfThePaper) {
    const Evaluation seen = evaluate(model(), task(), tokens(), "tokens.npy");
    EXPECT_DOUBLE_EQ(seen.accuracy, accuracy_ceiling(task(), 100));
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, Published,
                         testing::Combine(testing::Values(1, 4), testing::Values(Task::copy, Task::cycle)),
                         [](const auto& instance) {
                             return std::to_string(std::get<0>(instance.param)) + "Heads" +
                                    to_string(std::get<1>(instance.param));
                         });

TEST(PublishedRejects, AnotherArchitectureIsNamed) {
    const auto path = data / "reject/bidirectional_transformerlens.pt";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    try {
        load_model(path, 4);
        FAIL() << "accepted";
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("token_emb.weight"), std::string::npos) << message;  // expected
        EXPECT_NE(message.find("blocks.0.attn"), std::string::npos) << message;     // found
    }
}

}  // namespace
}  // namespace crosshead
