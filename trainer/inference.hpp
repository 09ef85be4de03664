// What a model computes: attention, predictions, accuracy. Evaluation mode: no dropout, no gradients.
#pragma once

#include <crosshead/graphs/attention.hpp>
#include <crosshead/trainer/model.hpp>
#include <crosshead/trainer/tasks.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crosshead {

/// Attention of every layer on one sequence of T tokens, T ≤ length: layers × heads × T × T, float32 values
/// exactly; zero above the diagonal. Throws InputError opened by `place` for an empty or too long sequence
/// and for a token outside the vocabulary (its position and value).
AttentionArray extract_attention(const Model& model, std::span<const std::int64_t> tokens,
                                 const std::string& place);

/// The most likely token at each of the T positions. Throws as extract_attention does.
std::vector<std::int64_t> predict(const Model& model, std::span<const std::int64_t> tokens,
                                  const std::string& place);

struct Evaluation {
    double loss = 0;      // mean cross-entropy, nats a token
    double accuracy = 0;  // share of positions predicted right
};

/// Over all positions of all sequences, in batches. Throws InputError as extract_attention does.
Evaluation evaluate(const Model& model, Task task, const Sequences& inputs, const std::string& place);

/// Threads that the arithmetic uses from now on, in this process: LibTorch's own and OpenBLAS's.
void set_threads(int threads);

}  // namespace crosshead
