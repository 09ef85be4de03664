#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/random.hpp>
#include <crosshead/trainer/tasks.hpp>

namespace crosshead {

std::string to_string(Task task) {
    return task == Task::copy ? "copy" : "cycle";
}

Task task_named(const std::string& name) {
    if (name == "copy") return Task::copy;
    if (name == "cycle") return Task::cycle;
    throw UsageError(fmt::format("task \"{}\" is not known; give copy or cycle", name));
}

Sequences generate_sequences(std::uint64_t seed, SequenceSet set, std::int64_t count, std::int64_t length,
                             std::int64_t vocabulary) {
    if (count < 1 || length < 1 || vocabulary < 1)
        throw UsageError(fmt::format("{} sequences of {} tokens out of {}: give numbers from 1", count,
                                     length, vocabulary));
    RandomSource random(derived_seed(seed, SeedPurpose::sequences, static_cast<std::uint64_t>(set)));
    Sequences sequences{length, std::vector<std::int64_t>(static_cast<std::size_t>(count * length))};
    for (std::int64_t& token : sequences.tokens)
        token = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(vocabulary)));
    return sequences;
}

Sequences targets_of(Task task, const Sequences& inputs) {
    Sequences targets = inputs;
    if (task == Task::cycle)
        for (auto begin = targets.tokens.begin(); begin != targets.tokens.end(); begin += inputs.length)
            std::rotate(begin, begin + inputs.length - 1, begin + inputs.length);
    return targets;
}

double accuracy_ceiling(Task task, std::int64_t length) {
    return task == Task::copy ? 1.0 : static_cast<double>(length - 1) / static_cast<double>(length);
}

}  // namespace crosshead
