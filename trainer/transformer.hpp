// The decoder's arithmetic in LibTorch. Private to trainer/*.cpp: no public header includes this.
#pragma once

#include <torch/torch.h>

#include <crosshead/trainer/model.hpp>
#include <vector>

namespace crosshead {

/// Dropout whose masks are a function of (seed, place in the network, element) and of nothing else: no hidden
/// generator has to be saved for training to be resumed exactly.
struct Dropout {
    double probability = 0;
    std::uint64_t seed = 0;

    /// 0 with `probability` (to within 2^-16), else 1 / (1 - probability).
    torch::Tensor mask(torch::IntArrayRef shape, std::uint64_t place) const;
};

/// Tensors that look into a Model's parameter array (not copies); the model must outlive it, unmoved.
class Transformer {
  public:
    enum class Gradients { none, kept };
    Transformer(Model& model, Gradients gradients);

    /// tokens: int64, B × T with T ≤ length. Returns logits, B × T × vocabulary. Where `attention` is given
    /// it receives a B × heads × T × T tensor for each layer (rows = queries), before dropout.
    torch::Tensor logits(const torch::Tensor& tokens, const Dropout* dropout = nullptr,
                         std::vector<torch::Tensor>* attention = nullptr) const;

    /// The gradient of every parameter, laid out as Model::parameters(); backward() adds to it.
    std::vector<float>& gradients() { return gradients_; }

  private:
    struct Layer {
        torch::Tensor qkv_weight, qkv_bias, out_weight, out_bias, norm1, norm2;
        torch::Tensor mlp_in_weight, mlp_in_bias, mlp_out_weight, mlp_out_bias;
    };

    torch::Tensor attend(const Layer& layer, const torch::Tensor& x, const Dropout* dropout,
                         std::uint64_t place, std::vector<torch::Tensor>* attention) const;

    ModelConfiguration configuration_;
    std::vector<float> gradients_;
    torch::Tensor token_embedding_, position_embedding_, out_weight_, out_bias_;
    std::vector<Layer> layers_;
    torch::Tensor causal_;  // length × length: 0 on and below the diagonal, -infinity above
};

/// Root mean square normalisation over the last dimension, ε = float32 machine epsilon.
torch::Tensor rms_norm(const torch::Tensor& x, const torch::Tensor& weight);

}  // namespace crosshead
