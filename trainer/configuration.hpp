// The shape of the published decoder, and the names and shapes of its tensors.
//
// The architecture is the one of arXiv 2507.02944 (its published checkpoints): for L layers
//
//     x = token_emb[tokens] + pos_emb[0..T-1]
//     x = x + attn(ln1(x));  x = x + mlp(ln2(x))          in each layer
//     logits = x · out_proj.weightᵀ + out_proj.bias        (no norm before it)
//
// with RMSNorm ln(x) = x / sqrt(mean(x²) + ε) · weight, causal softmax attention scaled by 1/√(E/H), and
// mlp = Linear(E→M), ReLU, Linear(M→E). Head h owns columns h·d … (h+1)·d of out_proj, d = E/H.
// Dropout, in training only, on the attention weights and after the MLP.
#pragma once

#include <crosshead/trainer/state_dict.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

struct ModelConfiguration {
    std::int64_t layers = 4;
    std::int64_t heads = 4;
    std::int64_t embedding = 64;  // E
    std::int64_t mlp = 128;       // M
    std::int64_t vocabulary = 256;
    std::int64_t length = 100;  // positions that can be embedded
    double dropout = 0.1;

    /// Throws UsageError unless every size is at least 1 and at most 65,536 (layers and heads: 1,024), heads
    /// divide the embedding, dropout lies in [0, 1), and the parameters number at most 2^30.
    void validate() const;
    std::int64_t head_width() const { return embedding / heads; }
    friend bool operator==(const ModelConfiguration&, const ModelConfiguration&) = default;
};

/// A published tensor: name, shape, and where it starts in the flat parameter array (in elements).
struct ParameterSlot {
    std::string name;
    std::vector<std::int64_t> shape;
    std::size_t offset = 0;
    std::size_t size = 0;
};

/// All tensors of the model. Within a layer W_q, W_k, W_v lie in a row (weights, then biases), so that one
/// matrix product serves the three.
std::vector<ParameterSlot> parameter_slots(const ModelConfiguration& configuration);
std::size_t parameter_count(const ModelConfiguration& configuration);

/// Reads everything but heads and dropout off the tensors' shapes; `heads` completes it (the published files
/// do not record them). Throws InputError opened by `place`: another architecture (names expected and
/// found), a tensor of the wrong shape or dtype (by name), heads that do not divide the embedding.
ModelConfiguration configuration_of(const StateDict& tensors, std::int64_t heads, const std::string& place);

}  // namespace crosshead
