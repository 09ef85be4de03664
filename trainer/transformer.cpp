#include <cmath>
#include <crosshead/trainer/random.hpp>
#include <crosshead/trainer/transformer.hpp>
#include <limits>

namespace crosshead {

torch::Tensor Dropout::mask(torch::IntArrayRef shape, std::uint64_t place) const {
    torch::Tensor mask = torch::empty(shape, torch::kFloat32);
    const auto dropped = static_cast<std::uint64_t>(std::llround(probability * 65'536));
    const auto kept = static_cast<float>(1 / (1 - probability));
    const std::uint64_t key = derived_seed(seed, SeedPurpose::dropout, place);
    float* out = mask.data_ptr<float>();
    // One scattered counter gives four 16-bit draws.
    at::parallel_for(0, (mask.numel() + 3) / 4, 1 << 15, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
            std::uint64_t bits = scatter(key + static_cast<std::uint64_t>(block));
            const std::int64_t last = std::min(4 * block + 4, mask.numel());
            for (std::int64_t i = 4 * block; i < last; ++i, bits >>= 16)
                out[i] = (bits & 0xffff) < dropped ? 0.0f : kept;
        }
    });
    return mask;
}

torch::Tensor rms_norm(const torch::Tensor& x, const torch::Tensor& weight) {
    const auto mean_square = x.square().mean(-1, true);
    return x * torch::rsqrt(mean_square + std::numeric_limits<float>::epsilon()) * weight;
}

Transformer::Transformer(Model& model, Gradients gradients) : configuration_(model.configuration()) {
    const auto slots = parameter_slots(configuration_);
    if (gradients == Gradients::kept) gradients_.assign(model.parameters().size(), 0.0f);
    std::size_t next = 0;
    // A tensor over `count` consecutive slots: their bytes lie in a row.
    const auto take = [&](std::vector<std::int64_t> shape, std::size_t count = 1) {
        const std::size_t offset = slots[next].offset;
        next += count;
        auto tensor = torch::from_blob(model.parameters().data() + offset, shape, torch::kFloat32);
        if (gradients == Gradients::kept) {
            tensor.set_requires_grad(true);
            tensor.mutable_grad() = torch::from_blob(gradients_.data() + offset, shape, torch::kFloat32);
        }
        return tensor;
    };
    const std::int64_t e = configuration_.embedding, m = configuration_.mlp, v = configuration_.vocabulary;
    token_embedding_ = take({v, e});
    position_embedding_ = take({configuration_.length, e});
    layers_.resize(static_cast<std::size_t>(configuration_.layers));
    for (Layer& layer : layers_) {
        layer.qkv_weight = take({3 * e, e}, 3);
        layer.qkv_bias = take({3 * e}, 3);
        layer.out_weight = take({e, e});
        layer.out_bias = take({e});
        layer.norm1 = take({e});
        layer.mlp_in_weight = take({m, e});
        layer.mlp_in_bias = take({m});
        layer.mlp_out_weight = take({e, m});
        layer.mlp_out_bias = take({e});
        layer.norm2 = take({e});
    }
    out_weight_ = take({v, e});
    out_bias_ = take({v});
    causal_ = torch::full({configuration_.length, configuration_.length},
                          -std::numeric_limits<float>::infinity(), torch::kFloat32)
                  .triu(1);
}

torch::Tensor Transformer::attend(const Layer& layer, const torch::Tensor& x, const Dropout* dropout,
                                  std::uint64_t place, std::vector<torch::Tensor>* attention) const {
    const std::int64_t b = x.size(0), t = x.size(1), h = configuration_.heads,
                       d = configuration_.head_width();
    // 3 × (B·H) × T × d
    const auto qkv = torch::linear(x, layer.qkv_weight, layer.qkv_bias)
                         .view({b, t, 3, h, d})
                         .permute({2, 0, 3, 1, 4})
                         .reshape({3, b * h, t, d});
    const auto parts = qkv.unbind(0);
    const auto mask = causal_.slice(0, 0, t).slice(1, 0, t).unsqueeze(0);
    const double scale = 1 / std::sqrt(static_cast<double>(d));
    auto weights = torch::baddbmm(mask, parts[0], parts[1].transpose(1, 2), 1, scale).softmax(-1);
    if (attention != nullptr) attention->push_back(weights.view({b, h, t, t}));
    if (dropout != nullptr) weights = weights * dropout->mask(weights.sizes(), place);
    const auto mixed =
        torch::bmm(weights, parts[2]).view({b, h, t, d}).transpose(1, 2).reshape({b, t, h * d});
    return torch::linear(mixed, layer.out_weight, layer.out_bias);
}

torch::Tensor Transformer::logits(const torch::Tensor& tokens, const Dropout* dropout,
                                  std::vector<torch::Tensor>* attention) const {
    if (dropout != nullptr && dropout->probability == 0) dropout = nullptr;
    auto x = torch::embedding(token_embedding_, tokens) + position_embedding_.slice(0, 0, tokens.size(1));
    std::uint64_t place = 0;
    for (const Layer& layer : layers_) {
        x = x + attend(layer, rms_norm(x, layer.norm1), dropout, place++, attention);
        const auto hidden =
            torch::linear(rms_norm(x, layer.norm2), layer.mlp_in_weight, layer.mlp_in_bias).relu();
        auto change = torch::linear(hidden, layer.mlp_out_weight, layer.mlp_out_bias);
        if (dropout != nullptr) change = change * dropout->mask(change.sizes(), place);
        ++place;
        x = x + change;
    }
    return torch::linear(x, out_weight_, out_bias_);
}

}  // namespace crosshead
