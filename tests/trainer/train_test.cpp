#include <gtest/gtest.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/trainer/train.hpp>
#include <crosshead/trainer/training_state.hpp>

#include "../scratch_file.hpp"

namespace crosshead {
namespace {

using test::ScratchFile;

/// Three epochs of four steps, in well under a second.
TrainOptions tiny_options() {
    TrainOptions options;
    options.model = {2, 2, 8, 16, 7, 10, 0.1};
    options.seed = 5;
    options.batch = 8;
    options.training_sequences = 30;  // the last batch of an epoch is smaller
    options.held_out_sequences = 6;
    options.epochs = 3;
    options.target_accuracy = 0;
    options.evaluate_every = 5;
    return options;
}

std::vector<double> losses(const TrainOptions& options) {
    std::vector<double> seen;
    train(options, [&](const TrainProgress& now) { seen.push_back(now.loss); });
    return seen;
}

TEST(Train, IsReproducibleToTheBit) {
    const auto first = losses(tiny_options());
    EXPECT_EQ(first.size(), 12u);
    EXPECT_EQ(first, losses(tiny_options()));
    TrainOptions other = tiny_options();
    other.seed = 6;
    EXPECT_NE(first, losses(other));
    other = tiny_options();
    other.model.dropout = 0;
    EXPECT_NE(first, losses(other));
}

TEST(Train, LearnsToCopy) {
    TrainOptions options = tiny_options();
    options.model.embedding = 16;
    options.training_sequences = 160;
    options.epochs = 20;
    options.learning_rate = 0.01;
    options.target_accuracy = 0.95;
    std::vector<double> seen;
    const TrainResult result = train(options, [&](const TrainProgress& now) { seen.push_back(now.loss); });
    EXPECT_NEAR(seen.front(), std::log(7), 2.0);
    EXPECT_LT(seen.back(), 0.5 * seen.front());
    EXPECT_TRUE(result.reached_target);
    EXPECT_GE(result.held_out.accuracy, 0.95);
    EXPECT_LT(result.steps, 400);
    EXPECT_EQ(static_cast<std::size_t>(result.steps), seen.size());
}

TEST(Train, StoppedAndResumedEqualsUninterrupted) {
    const TrainOptions options = tiny_options();
    const TrainResult whole = train(options);
    EXPECT_FALSE(whole.stopped);
    for (const std::int64_t cut : {1, 4, 5, 11}) {
        const ScratchFile file("model.safetensors");
        TrainOptions interrupted = options;
        interrupted.checkpoint = file.path();
        std::atomic<bool> stop{false};
        const auto at_cut = [&](const TrainProgress& now) { stop = now.step == cut; };
        const TrainResult half = train(interrupted, at_cut, &stop);
        EXPECT_TRUE(half.stopped);
        EXPECT_EQ(half.steps, cut);

        const TrainOptions recorded = training_options(file.path());
        EXPECT_EQ(recorded.model, options.model);
        EXPECT_EQ(recorded.seed, options.seed);
        EXPECT_EQ(recorded.checkpoint, file.path());
        const TrainResult rest = resume_training(file.path(), recorded);
        EXPECT_EQ(rest.steps, whole.steps);
        EXPECT_EQ(rest.model.parameters(), whole.model.parameters()) << "stopped after step " << cut;
        EXPECT_EQ(rest.held_out.loss, whole.held_out.loss);
        // The file at the end is the finished model.
        EXPECT_EQ(load_model(file.path()).model.parameters(), whole.model.parameters());
    }
}

TEST(Train, ResumingAfterTheTargetDoesNothing) {
    const ScratchFile file("model.safetensors");
    TrainOptions options = tiny_options();
    options.target_accuracy = 1e-6;
    options.evaluate_every = 1;
    options.checkpoint = file.path();
    const TrainResult first = train(options);
    EXPECT_TRUE(first.reached_target);
    EXPECT_LT(first.steps, 12);
    const TrainResult again = resume_training(file.path(), training_options(file.path()));
    EXPECT_EQ(again.steps, first.steps);
    EXPECT_EQ(again.model.parameters(), first.model.parameters());
    EXPECT_FALSE(again.stopped);
}

TEST(Train, CanGoOnForMoreEpochs) {
    const ScratchFile file("model.safetensors");
    TrainOptions options = tiny_options();
    TrainOptions longer = options;
    longer.epochs = 4;
    options.checkpoint = file.path();
    train(options);
    TrainOptions more = training_options(file.path());
    more.epochs = 4;
    EXPECT_EQ(resume_training(file.path(), more).model.parameters(), train(longer).model.parameters());
}

TEST(Train, ReportsProgress) {
    std::vector<TrainProgress> seen;
    train(tiny_options(), [&](const TrainProgress& now) { seen.push_back(now); });
    for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].step, static_cast<std::int64_t>(i + 1));
        EXPECT_EQ(seen[i].steps, 12);
        EXPECT_EQ(seen[i].epoch, static_cast<std::int64_t>(i / 4 + 1));
        EXPECT_EQ(seen[i].held_out.has_value(), (i + 1) % 5 == 0 || i + 1 == 12);
        EXPECT_GT(seen[i].tokens_per_second, 0);
        EXPECT_GE(seen[i].seconds_left, 0);
    }
}

TEST(Train, RefusesOptionsThatMakeNoSense) {
    const auto refused = [](auto change) {
        TrainOptions options = tiny_options();
        change(options);
        EXPECT_THROW(train(options), UsageError);
    };
    refused([](auto& o) { o.batch = 0; });
    refused([](auto& o) { o.epochs = -1; });
    refused([](auto& o) { o.learning_rate = 0; });
    refused([](auto& o) { o.learning_rate = std::nan(""); });
    refused([](auto& o) { o.target_accuracy = 1.5; });
    refused([](auto& o) { o.threads = 0; });
    refused([](auto& o) { o.model.heads = 3; });
    refused([](auto& o) { o.evaluate_every = 0; });
}

TEST(Train, RefusesCheckpointsItCannotResume) {
    const ScratchFile file("model.safetensors");
    TrainOptions options = tiny_options();
    options.checkpoint = file.path();
    train(options);
    TrainOptions other = training_options(file.path());
    other.model.heads = 4;
    EXPECT_THROW(resume_training(file.path(), other), InputError);

    const SafeTensors good = read_safetensors(file.path());
    const auto refused = [&](auto change) {
        SafeTensors damaged = good;
        change(damaged);
        const ScratchFile copy("damaged.safetensors");
        write_safetensors(copy.path(), damaged);
        EXPECT_THROW(resume_training(copy.path(), training_options(copy.path())), InputError);
    };
    refused([](SafeTensors& file_) { file_.metadata.erase("crosshead.training"); });
    refused([](SafeTensors& file_) { file_.metadata["crosshead.training"] = "{}"; });
    refused([](SafeTensors& file_) { file_.metadata["crosshead.schema"] = "crosshead.checkpoint/9"; });
    refused([](SafeTensors& file_) { file_.tensors.erase("adam.first_moment.out_proj.bias"); });
    refused([](SafeTensors& file_) { file_.tensors["adam.second_moment.out_proj.bias"].shape = {1, 7}; });
    refused([](SafeTensors& file_) { file_.tensors.erase("out_proj.bias"); });
    const ScratchFile plain("plain.safetensors");
    save_model(plain.path(), Model(options.model, 1));
    EXPECT_THROW(training_options(plain.path()), InputError);
}

TEST(Train, ReportsACheckpointThatCannotBeWritten) {
    TrainOptions options = tiny_options();
    options.checkpoint = "no/such/folder/model.safetensors";
    EXPECT_THROW(train(options), InputError);
}

TEST(Inference, AttentionIsCausalAndStochastic) {
    const Model model({2, 2, 8, 16, 7, 10, 0.1}, 3);
    const std::vector<std::int64_t> tokens = {1, 0, 6, 2, 2};
    const AttentionArray attention = extract_attention(model, tokens, "tokens");
    ASSERT_EQ(attention.size(), 2u);
    for (const AttentionLayer& layer : attention) {
        ASSERT_EQ(layer.heads, 2u);
        ASSERT_EQ(layer.nodes, 5u);
        for (std::size_t row = 0; row < 10; ++row) {
            double sum = 0;
            for (std::size_t column = 0; column < 5; ++column) {
                const double value = layer.values[row * 5 + column];
                if (column > row % 5) {
                    EXPECT_EQ(value, 0.0);
                }
                sum += value;
            }
            EXPECT_NEAR(sum, 1, 1e-6);
        }
    }
    // Causality of the whole: a later token changes nothing before it.
    std::vector<std::int64_t> changed = tokens;
    changed.back() = 5;
    const auto before = predict(model, tokens, "tokens"), after = predict(model, changed, "tokens");
    EXPECT_TRUE(std::equal(before.begin(), before.end() - 1, after.begin()));
}

TEST(Inference, RefusesTokensThatDoNotFit) {
    const Model model({1, 1, 4, 4, 7, 3, 0}, 3);
    const auto refusal = [&](const std::vector<std::int64_t>& tokens) -> std::string {
        try {
            extract_attention(model, tokens, "t.npy: row 0");
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal({1, 2, 6}), "accepted");
    EXPECT_NE(refusal({1, 7, 6}).find("t.npy: row 0: token 1 is 7"), std::string::npos);
    EXPECT_NE(refusal({-1}).find("token 0 is -1"), std::string::npos);
    EXPECT_NE(refusal({1, 2, 3, 4}).find("4 tokens, but the model has 3 positions"), std::string::npos);
    EXPECT_NE(refusal({}).find("no tokens"), std::string::npos);
}

}  // namespace
}  // namespace crosshead
