#include "model_input.hpp"

#include <crosshead/graphs/safetensors.hpp>
#include <filesystem>

#ifdef CROSSHEAD_TORCH
#include <fmt/format.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/npy.hpp>
#include <crosshead/trainer/inference.hpp>
#include <crosshead/trainer/model.hpp>
#include <crosshead/trainer/tasks.hpp>
#include <span>
#else
#include "torch_program.hpp"
#endif

namespace crosshead {

bool holds_model(const std::string& file) {
    const std::string extension = std::filesystem::path(file).extension().string();
    if (extension == ".pt" || extension == ".pth") return true;
    if (extension != ".safetensors") return false;
    for (const auto& [name, tensor] : read_safetensors(file).tensors)
        if (name.ends_with("out_proj.weight")) return true;
    return false;
}

#ifdef CROSSHEAD_TORCH
namespace {

Sequences sequences_from_file(const std::string& path) {
    const NpyArray array = read_npy(path);
    if (array.kind != NpyArray::Kind::integer || array.shape.empty() || array.shape.size() > 2)
        throw InputError(
            fmt::format("{}: tokens are integers of shape (length) or (sequences, length)", path));
    if (array.integers.empty()) throw InputError(fmt::format("{}: holds no tokens", path));
    return {array.shape.back(), array.integers};
}

Json configuration_json(const ModelConfiguration& c) {
    return {{"layers", c.layers}, {"heads", c.heads},           {"embedding", c.embedding},
            {"mlp", c.mlp},       {"vocabulary", c.vocabulary}, {"length", c.length}};
}

}  // namespace

ModelAttention run_model(const std::string& file, const TokenOptions& options, const Context&) {
    set_threads(options.threads);
    const LoadedModel loaded = load_model(file, options.heads);
    const auto& configuration = loaded.model.configuration();
    if (options.inputs < 1)
        throw UsageError(fmt::format("--inputs {}: at least one sequence is needed", options.inputs));
    const Sequences sequences = options.tokens.empty()
                                    ? generate_sequences(options.seed, SequenceSet::analysis, options.inputs,
                                                         configuration.length, configuration.vocabulary)
                                    : sequences_from_file(options.tokens);
    const std::string place = options.tokens.empty() ? "generated tokens" : options.tokens;
    ModelAttention result;
    result.configuration = configuration_json(configuration);
    result.out_proj_norms = loaded.model.out_proj_norms();
    for (std::int64_t k = 0; k < sequences.count(); ++k)
        result.inputs.push_back(extract_attention(loaded.model,
                                                  std::span(sequences.tokens)
                                                      .subspan(static_cast<std::size_t>(k * sequences.length),
                                                               static_cast<std::size_t>(sequences.length)),
                                                  fmt::format("{} sequence {}", place, k)));
    result.description = fmt::format(
        "{} sequence{} of length {} {}", sequences.count(), sequences.count() == 1 ? "" : "s",
        sequences.length,
        options.tokens.empty() ? fmt::format("drawn with seed {}", options.seed) : "from " + options.tokens);
    if (!options.task.empty()) {
        result.accuracy = evaluate(loaded.model, task_named(options.task), sequences, place).accuracy;
        result.description += fmt::format(", task {}", options.task);
    }
    return result;
}
#else
ModelAttention run_model(const std::string& file, const TokenOptions&, const Context& context) {
    continue_with_torch("running the model in " + file, context.arguments);
}
#endif

}  // namespace crosshead
