#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/blas.hpp>
#include <crosshead/trainer/inference.hpp>
#include <crosshead/trainer/transformer.hpp>

namespace crosshead {
namespace {

constexpr std::int64_t evaluation_batch = 50;

void require_tokens(const ModelConfiguration& configuration, std::span<const std::int64_t> tokens,
                    std::int64_t length, const std::string& place) {
    if (tokens.empty() || length < 1)
        throw InputError(fmt::format("{}: holds no tokens; give at least one", place));
    if (length > configuration.length)
        throw InputError(fmt::format("{}: {} tokens, but the model has {} positions; shorten the sequence",
                                     place, length, configuration.length));
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i] < 0 || tokens[i] >= configuration.vocabulary)
            throw InputError(fmt::format("{}: token {} is {}, outside the vocabulary 0..{}; encode it again",
                                         place, i, tokens[i], configuration.vocabulary - 1));
}

/// rows × length token ids as a tensor that looks at them.
torch::Tensor token_tensor(std::span<const std::int64_t> tokens, std::int64_t length) {
    return torch::from_blob(const_cast<std::int64_t*>(tokens.data()),
                            {static_cast<std::int64_t>(tokens.size()) / length, length}, torch::kInt64);
}

/// Without gradients the tensors are only read.
Transformer reading(const Model& model) {
    return {const_cast<Model&>(model), Transformer::Gradients::none};
}

}  // namespace

AttentionArray extract_attention(const Model& model, std::span<const std::int64_t> tokens,
                                 const std::string& place) {
    const auto length = static_cast<std::int64_t>(tokens.size());
    require_tokens(model.configuration(), tokens, length, place);
    const torch::NoGradGuard no_gradients;
    std::vector<torch::Tensor> layers;
    reading(model).logits(token_tensor(tokens, length), nullptr, &layers);
    AttentionArray array;
    for (const torch::Tensor& layer : layers) {
        const torch::Tensor whole = layer.contiguous();
        const float* values = whole.data_ptr<float>();
        array.push_back({static_cast<std::size_t>(model.configuration().heads), tokens.size(),
                         std::vector<double>(values, values + whole.numel())});
    }
    return array;
}

std::vector<std::int64_t> predict(const Model& model, std::span<const std::int64_t> tokens,
                                  const std::string& place) {
    const auto length = static_cast<std::int64_t>(tokens.size());
    require_tokens(model.configuration(), tokens, length, place);
    const torch::NoGradGuard no_gradients;
    const torch::Tensor best = reading(model).logits(token_tensor(tokens, length)).argmax(-1).contiguous();
    const std::int64_t* values = best.data_ptr<std::int64_t>();
    return {values, values + best.numel()};
}

Evaluation evaluate(const Model& model, Task task, const Sequences& inputs, const std::string& place) {
    require_tokens(model.configuration(), inputs.tokens, inputs.length, place);
    const torch::NoGradGuard no_gradients;
    const Transformer transformer = reading(model);
    const Sequences targets = targets_of(task, inputs);
    double loss = 0;
    std::int64_t right = 0;
    for (std::int64_t row = 0; row < inputs.count(); row += evaluation_batch) {
        const auto first = static_cast<std::size_t>(row * inputs.length);
        const auto size =
            static_cast<std::size_t>(std::min(evaluation_batch, inputs.count() - row) * inputs.length);
        const auto logits =
            transformer.logits(token_tensor(std::span(inputs.tokens).subspan(first, size), inputs.length))
                .flatten(0, 1);
        const auto target =
            token_tensor(std::span(targets.tokens).subspan(first, size), inputs.length).flatten();
        loss +=
            torch::nn::functional::cross_entropy(logits, target).item<double>() * static_cast<double>(size);
        right += (logits.argmax(-1) == target).sum().item<std::int64_t>();
    }
    const auto total = static_cast<double>(inputs.tokens.size());
    return {loss / total, static_cast<double>(right) / total};
}

void set_threads(int threads) {
    torch::set_num_threads(threads);
    set_blas_threads(threads);
}

}  // namespace crosshead
