#include <fmt/format.h>
#include <fmt/ranges.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/configuration.hpp>
#include <set>

namespace crosshead {
namespace {

constexpr std::int64_t max_size = 65'536;
constexpr std::int64_t max_count = 1'024;
constexpr std::size_t max_parameters = std::size_t{1} << 30;

/// The first few names, for a message.
std::string some(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 4;
    const std::vector<std::string> head(names.begin(), names.begin() + std::min(shown, names.size()));
    return fmt::format("{}{}", fmt::join(head, ", "),
                       names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

/// Extent `dimension` of a tensor that the architecture must have.
std::int64_t extent(const StateDict& tensors, const std::string& name, std::size_t dimension,
                    const std::string& place) {
    const SafeTensor& tensor = tensors.at(name);
    if (tensor.shape.size() != 2)
        throw InputError(fmt::format("{}: tensor {} has shape [{}], not two dimensions", place, name,
                                     fmt::join(tensor.shape, ", ")));
    return tensor.shape[dimension];
}

/// Layers are numbered from 0 without gaps: layers.N.ln1.weight.
std::int64_t count_layers(const StateDict& tensors) {
    std::int64_t layers = 0;
    while (layers < max_count && tensors.contains(fmt::format("layers.{}.ln1.weight", layers))) ++layers;
    return layers;
}

/// Both ways round: what is missing, and what is there that the architecture does not have.
void require_names(const StateDict& tensors, const std::vector<ParameterSlot>& slots,
                   const std::string& place) {
    std::vector<std::string> missing, unknown, found;
    std::set<std::string> expected;
    for (const ParameterSlot& slot : slots) {
        expected.insert(slot.name);
        if (!tensors.contains(slot.name)) missing.push_back(slot.name);
    }
    for (const auto& [name, tensor] : tensors) {
        found.push_back(name);
        if (!expected.contains(name)) unknown.push_back(name);
    }
    if (missing.empty() && unknown.empty()) return;
    const std::string trouble = missing.empty() ? fmt::format("also holds {}", some(unknown))
                                                : fmt::format("lacks {}", some(missing));
    throw InputError(fmt::format(
        "{}: is another architecture: it {}; expected tensors named {}; found {}. Only the decoder that "
        "docs/checkpoint-format.md describes is read; export this model's attention as .npy or safetensors "
        "and measure that instead",
        place, trouble, "token_emb.weight, pos_emb.weight, layers.N.attn.W_q.weight, …, out_proj.bias",
        some(found)));
}

}  // namespace

void ModelConfiguration::validate() const {
    const auto require = [](std::int64_t value, std::int64_t largest, const char* name) {
        if (value < 1 || value > largest)
            throw UsageError(fmt::format("{} {}: give a number from 1 to {}", name, value, largest));
    };
    require(layers, max_count, "layers");
    require(heads, max_count, "heads");
    require(embedding, max_size, "embedding");
    require(mlp, max_size, "mlp");
    require(vocabulary, max_size, "vocabulary");
    require(length, max_size, "length");
    if (embedding % heads != 0)
        throw UsageError(fmt::format("{} heads do not divide the embedding of {}; give a divisor of it",
                                     heads, embedding));
    if (!(dropout >= 0 && dropout < 1))
        throw UsageError(fmt::format("dropout {}: give a number from 0 to below 1", dropout));
    if (const std::size_t count = parameter_count(*this); count > max_parameters)
        throw UsageError(
            fmt::format("the model would have {} parameters, more than the {} that are trained here", count,
                        max_parameters));
}

std::vector<ParameterSlot> parameter_slots(const ModelConfiguration& configuration) {
    const std::int64_t e = configuration.embedding, m = configuration.mlp, v = configuration.vocabulary;
    std::vector<ParameterSlot> slots;
    std::size_t offset = 0;
    const auto add = [&](std::string name, std::vector<std::int64_t> shape) {
        std::size_t size = 1;
        for (const std::int64_t n : shape) size *= static_cast<std::size_t>(n);
        slots.push_back({std::move(name), std::move(shape), offset, size});
        offset += size;
    };
    add("token_emb.weight", {v, e});
    add("pos_emb.weight", {configuration.length, e});
    for (std::int64_t layer = 0; layer < configuration.layers; ++layer) {
        const std::string prefix = fmt::format("layers.{}.", layer);
        for (const char* name : {"W_q", "W_k", "W_v"}) add(prefix + "attn." + name + ".weight", {e, e});
        for (const char* name : {"W_q", "W_k", "W_v"}) add(prefix + "attn." + name + ".bias", {e});
        add(prefix + "attn.out_proj.weight", {e, e});
        add(prefix + "attn.out_proj.bias", {e});
        add(prefix + "ln1.weight", {e});
        add(prefix + "mlp.0.weight", {m, e});
        add(prefix + "mlp.0.bias", {m});
        add(prefix + "mlp.2.weight", {e, m});
        add(prefix + "mlp.2.bias", {e});
        add(prefix + "ln2.weight", {e});
    }
    add("out_proj.weight", {v, e});
    add("out_proj.bias", {v});
    return slots;
}

std::size_t parameter_count(const ModelConfiguration& configuration) {
    const auto slots = parameter_slots(configuration);
    return slots.back().offset + slots.back().size;
}

ModelConfiguration configuration_of(const StateDict& tensors, std::int64_t heads, const std::string& place) {
    ModelConfiguration found;
    found.layers = std::max<std::int64_t>(count_layers(tensors), 1);
    require_names(tensors, parameter_slots(found), place);
    found.vocabulary = extent(tensors, "token_emb.weight", 0, place);
    found.embedding = extent(tensors, "token_emb.weight", 1, place);
    found.length = extent(tensors, "pos_emb.weight", 0, place);
    found.mlp = extent(tensors, "layers.0.mlp.0.weight", 0, place);
    found.heads = heads;
    try {
        found.validate();
    } catch (const UsageError& error) {
        throw InputError(fmt::format("{}: {}", place, error.what()));
    }
    for (const ParameterSlot& slot : parameter_slots(found)) {
        const SafeTensor& tensor = tensors.at(slot.name);
        if (tensor.shape != slot.shape)
            throw InputError(fmt::format("{}: tensor {} has shape [{}], but the other tensors imply [{}]",
                                         place, slot.name, fmt::join(tensor.shape, ", "),
                                         fmt::join(slot.shape, ", ")));
        if (tensor.dtype != "F32" && tensor.dtype != "F16" && tensor.dtype != "BF16" && tensor.dtype != "F64")
            throw InputError(fmt::format("{}: tensor {} has dtype {}; save the model in float32", place,
                                         slot.name, tensor.dtype));
    }
    return found;
}

}  // namespace crosshead
