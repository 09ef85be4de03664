#include <fmt/format.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/model.hpp>
#include <crosshead/trainer/random.hpp>
#include <crosshead/trainer/training_state.hpp>
#include <cstring>

namespace crosshead {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Half the width of the interval that a linear map's weights and bias are drawn from.
double linear_bound(const ParameterSlot& slot, const ModelConfiguration& configuration) {
    const bool from_mlp = slot.name.find("mlp.2.") != std::string::npos;
    return 1 / std::sqrt(static_cast<double>(from_mlp ? configuration.mlp : configuration.embedding));
}

}  // namespace

Model::Model(const ModelConfiguration& configuration, std::uint64_t seed) : configuration_(configuration) {
    configuration_.validate();
    parameters_.resize(parameter_count(configuration_));
    RandomSource random(derived_seed(seed, SeedPurpose::parameters));
    for (const ParameterSlot& slot : parameter_slots(configuration_)) {
        const bool embedding = ends_with(slot.name, "_emb.weight");
        const bool norm = slot.name.find(".ln") != std::string::npos;
        const double bound = linear_bound(slot, configuration_);
        for (std::size_t i = slot.offset; i < slot.offset + slot.size; ++i)
            parameters_[i] = static_cast<float>(norm        ? 1.0
                                                : embedding ? normal(random)
                                                            : bound * (2 * unit(random) - 1));
    }
}

Model::Model(const StateDict& tensors, std::int64_t heads, const std::string& place)
    : configuration_(configuration_of(tensors, heads, place)) {
    parameters_.resize(parameter_count(configuration_));
    for (const ParameterSlot& slot : parameter_slots(configuration_)) {
        const std::vector<double> values =
            values_as_double(tensors.at(slot.name), fmt::format("{}: tensor {}", place, slot.name));
        for (std::size_t i = 0; i < slot.size; ++i) {
            const auto value = static_cast<float>(values[i]);
            if (!std::isfinite(value))
                throw InputError(
                    fmt::format("{}: tensor {} element {} is {} in float32; the model diverged or the "
                                "file is damaged, use an earlier checkpoint",
                                place, slot.name, i, values[i]));
            parameters_[slot.offset + i] = value;
        }
    }
}

StateDict Model::state_dict() const {
    StateDict tensors;
    for (const ParameterSlot& slot : parameter_slots(configuration_)) {
        SafeTensor& tensor = tensors[slot.name];
        tensor.dtype = "F32";
        tensor.shape = slot.shape;
        tensor.bytes.resize(slot.size * sizeof(float));
        std::memcpy(tensor.bytes.data(), parameters_.data() + slot.offset, tensor.bytes.size());
    }
    return tensors;
}

std::vector<std::vector<double>> Model::out_proj_norms() const {
    const auto embedding = static_cast<std::size_t>(configuration_.embedding);
    const auto width = static_cast<std::size_t>(configuration_.head_width());
    std::vector<std::vector<double>> norms;
    for (const ParameterSlot& slot : parameter_slots(configuration_)) {
        if (!ends_with(slot.name, "attn.out_proj.weight")) continue;
        std::vector<double> squares(static_cast<std::size_t>(configuration_.heads), 0.0);
        for (std::size_t i = 0; i < slot.size; ++i) {
            const double value = parameters_[slot.offset + i];
            squares[i % embedding / width] += value * value;
        }
        for (double& square : squares) square = std::sqrt(square);
        norms.push_back(std::move(squares));
    }
    return norms;
}

void save_model(const std::filesystem::path& path, const Model& model) {
    write_safetensors(path, {configuration_metadata(model.configuration()), model.state_dict()});
}

LoadedModel load_model(const std::filesystem::path& path, std::optional<std::int64_t> heads) {
    const std::string place = path.string();
    CheckpointFile file = read_checkpoint_file(path);
    const auto written = recorded_configuration(file.metadata, place);
    if (!heads && !written)
        throw InputError(fmt::format("{}: does not record the number of heads; pass it (--heads H)", place));
    if (heads && written && *heads != written->heads)
        throw InputError(fmt::format("{}: records {} heads, but {} were asked for; leave --heads out", place,
                                     written->heads, *heads));
    std::erase_if(file.tensors, [](const auto& entry) { return is_training_state(entry.first); });
    LoadedModel loaded{Model(file.tensors, written ? written->heads : *heads, place),
                       std::move(file.metadata)};
    if (written) {
        loaded.model.set_dropout(written->dropout);
        if (loaded.model.configuration() != *written)
            throw InputError(fmt::format(
                "{}: the configuration in its metadata is not that of its tensors; write the file again",
                place));
    }
    return loaded;
}

}  // namespace crosshead
