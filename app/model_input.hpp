// Attention to validate: taken from a file, or computed by a model on token sequences.
#pragma once

#include <crosshead/graphs/attention.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "context.hpp"
#include "json_output.hpp"

namespace crosshead {

/// Which sequences a model is run on.
struct TokenOptions {
    std::optional<std::int64_t> heads;  // where the file does not record them
    std::string tokens;                 // .npy of int64 (T) or (K, T); empty: generated
    std::string task;                   // "copy", "cycle" or empty
    std::int64_t inputs = 1;            // sequences generated
    std::uint64_t seed = 1;
    int threads = 1;
};

/// A model's attention: one array a sequence.
struct ModelAttention {
    std::vector<AttentionArray> inputs;
    std::vector<std::vector<double>> out_proj_norms;  // [layer][head]
    Json configuration;
    std::string description;         // "2 sequences of the copy task, seed 1"
    std::optional<double> accuracy;  // where the task is known
};

/// True for a PyTorch checkpoint, or a safetensors file with a model's tensors. Throws InputError for a file
/// that cannot be read.
bool holds_model(const std::string& file);

/// Throws InputError, UsageError. The program without LibTorch goes on as crosshead-torch instead
/// (torch_program.hpp).
ModelAttention run_model(const std::string& file, const TokenOptions& options, const Context& context);

}  // namespace crosshead
