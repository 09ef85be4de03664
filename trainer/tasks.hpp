// The two tasks of arXiv 2507.02944, and the sequences that they are trained and judged on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crosshead {

enum class Task {
    copy,   // target = input
    cycle,  // target = input rolled by one: target[t] = input[t-1], target[0] = input[T-1]
};

/// "copy" or "cycle". task_named throws UsageError for any other name.
std::string to_string(Task task);
Task task_named(const std::string& name);

/// Sequences of one length, back to back: tokens[s * length + t].
struct Sequences {
    std::int64_t length = 0;
    std::vector<std::int64_t> tokens;

    std::int64_t count() const { return length == 0 ? 0 : static_cast<std::int64_t>(tokens.size()) / length; }
};

/// Sets drawn from one seed for different purposes are independent of each other.
enum class SequenceSet { training, held_out, analysis };

/// `count` sequences of independent uniform tokens 0..vocabulary-1; the same on every platform.
Sequences generate_sequences(std::uint64_t seed, SequenceSet set, std::int64_t count, std::int64_t length,
                             std::int64_t vocabulary);

/// The targets of the inputs, in the same layout.
Sequences targets_of(Task task, const Sequences& inputs);

/// The largest accuracy that a causal model can be expected to reach: 1 for copy. Under cycle position 0
/// would need the last token, which it cannot see: (T-1)/T, and guessing adds 1/vocabulary of the rest.
double accuracy_ceiling(Task task, std::int64_t length);

}  // namespace crosshead
