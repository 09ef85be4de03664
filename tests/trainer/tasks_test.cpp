#include <gtest/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/random.hpp>
#include <crosshead/trainer/tasks.hpp>

namespace crosshead {
namespace {

TEST(Tasks, CycleRollsByOne) {
    const Sequences inputs{3, {1, 2, 3, 4, 5, 6}};
    EXPECT_EQ(targets_of(Task::copy, inputs).tokens, inputs.tokens);
    EXPECT_EQ(targets_of(Task::cycle, inputs).tokens, (std::vector<std::int64_t>{3, 1, 2, 6, 4, 5}));
    EXPECT_EQ(accuracy_ceiling(Task::copy, 100), 1.0);
    EXPECT_EQ(accuracy_ceiling(Task::cycle, 100), 0.99);
}

TEST(Tasks, NamesRoundTrip) {
    for (const Task task : {Task::copy, Task::cycle}) EXPECT_EQ(task_named(to_string(task)), task);
    EXPECT_THROW(task_named("reverse"), UsageError);
}

TEST(Tasks, SequencesFollowFromTheSeed) {
    const auto make = [](std::uint64_t seed, SequenceSet set) {
        return generate_sequences(seed, set, 20, 50, 256).tokens;
    };
    EXPECT_EQ(make(1, SequenceSet::training), make(1, SequenceSet::training));
    EXPECT_NE(make(1, SequenceSet::training), make(2, SequenceSet::training));
    EXPECT_NE(make(1, SequenceSet::training), make(1, SequenceSet::held_out));
    EXPECT_NE(make(1, SequenceSet::analysis), make(1, SequenceSet::held_out));
    // A longer set begins with the shorter one.
    const auto longer = generate_sequences(1, SequenceSet::training, 21, 50, 256).tokens;
    EXPECT_TRUE(std::equal(longer.begin(), longer.begin() + 1000, make(1, SequenceSet::training).begin()));
    EXPECT_THROW(generate_sequences(1, SequenceSet::training, 0, 50, 256), UsageError);
}

TEST(Tasks, TokensAreUniform) {
    const auto tokens = generate_sequences(3, SequenceSet::training, 100, 100, 5).tokens;
    std::vector<int> counts(5);
    for (const std::int64_t token : tokens) ++counts.at(static_cast<std::size_t>(token));
    // 10,000 draws, p = 1/5: standard deviation 40; five of them.
    for (const int count : counts) EXPECT_NEAR(count, 2000, 200);
}

TEST(Tasks, NumbersAreTheSameEverywhere) {
    // SplitMix64 from state 0, as its author publishes it.
    EXPECT_EQ(scatter(0), 0xe220a8397b1dcdafu);
    RandomSource random(1);
    double sum = 0, squares = 0;
    for (int i = 0; i < 10'000; ++i) {
        const double draw = normal(random);
        sum += draw;
        squares += draw * draw;
    }
    EXPECT_NEAR(sum / 10'000, 0, 0.05);
    EXPECT_NEAR(squares / 10'000, 1, 0.07);
}

}  // namespace
}  // namespace crosshead
