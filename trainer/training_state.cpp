#include <fmt/format.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/trainer/training_state.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

namespace crosshead {
namespace {

using nlohmann::json;

constexpr const char* schema_key = "crosshead.schema";
constexpr const char* schema = "crosshead.checkpoint/1";
constexpr const char* configuration_key = "crosshead.configuration";
constexpr const char* training_key = "crosshead.training";
constexpr const char* first_moment_prefix = "adam.first_moment.";
constexpr const char* second_moment_prefix = "adam.second_moment.";

bool starts_with(const std::string& text, std::string_view start) {
    return text.compare(0, start.size(), start) == 0;
}

json to_json(const ModelConfiguration& c) {
    return {{"layers", c.layers},         {"heads", c.heads},   {"embedding", c.embedding}, {"mlp", c.mlp},
            {"vocabulary", c.vocabulary}, {"length", c.length}, {"dropout", c.dropout}};
}

json to_json(const TrainOptions& o, std::int64_t step) {
    return {{"task", to_string(o.task)},
            {"seed", o.seed},
            {"batch", o.batch},
            {"training_sequences", o.training_sequences},
            {"held_out_sequences", o.held_out_sequences},
            {"learning_rate", o.learning_rate},
            {"epochs", o.epochs},
            {"target_accuracy", o.target_accuracy ? json(*o.target_accuracy) : json(nullptr)},
            {"evaluate_every", o.evaluate_every},
            {"threads", o.threads},
            {"step", step}};
}

/// The JSON under one metadata key; runs `read` on it, and turns what goes wrong into an InputError.
template <class Read>
void read_json(const std::string& text, const std::string& place, std::size_t fields, Read read) {
    try {
        const json object = json::parse(text);
        if (!object.is_object() || object.size() != fields)
            throw InputError(fmt::format("{}: has not exactly the {} fields of {}; write the file again",
                                         place, fields, schema));
        read(object);
    } catch (const json::exception& error) {
        throw InputError(fmt::format("{}: {}; write the file again", place, error.what()));
    } catch (const UsageError& error) {
        throw InputError(fmt::format("{}: {}", place, error.what()));
    }
}

const std::string* find(const std::map<std::string, std::string>& metadata, const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? nullptr : &found->second;
}

/// The options and the step under training_key.
std::pair<TrainOptions, std::int64_t> read_training(const std::map<std::string, std::string>& metadata,
                                                    const std::string& place) {
    const std::string* text = find(metadata, training_key);
    const auto configuration = recorded_configuration(metadata, place);
    if (text == nullptr || !configuration)
        throw InputError(
            fmt::format("{}: holds no training state, so training cannot go on from it; name a checkpoint "
                        "that train wrote",
                        place));
    TrainOptions options;
    options.model = *configuration;
    std::int64_t step = 0;
    read_json(*text, fmt::format("{}: metadata {}", place, training_key), to_json(options, 0).size(),
              [&](const json& object) {
                  options.task = task_named(object.at("task").get<std::string>());
                  object.at("seed").get_to(options.seed);
                  object.at("batch").get_to(options.batch);
                  object.at("training_sequences").get_to(options.training_sequences);
                  object.at("held_out_sequences").get_to(options.held_out_sequences);
                  object.at("learning_rate").get_to(options.learning_rate);
                  object.at("epochs").get_to(options.epochs);
                  if (!object.at("target_accuracy").is_null())
                      options.target_accuracy = object.at("target_accuracy").get<double>();
                  object.at("evaluate_every").get_to(options.evaluate_every);
                  object.at("threads").get_to(options.threads);
                  object.at("step").get_to(step);
                  options.validate();
              });
    if (step < 0) throw InputError(fmt::format("{}: was saved at step {}; write it again", place, step));
    return {options, step};
}

/// Adds one moment's tensors under their prefix, shaped like the parameters.
void put(StateDict& tensors, const char* prefix, const ModelConfiguration& configuration,
         const std::vector<float>& moment) {
    for (const ParameterSlot& slot : parameter_slots(configuration)) {
        SafeTensor tensor{"F32", slot.shape, std::string(slot.size * sizeof(float), '\0')};
        std::memcpy(tensor.bytes.data(), moment.data() + slot.offset, tensor.bytes.size());
        tensors.emplace(prefix + slot.name, std::move(tensor));
    }
}

void take(const StateDict& tensors, const char* prefix, const ModelConfiguration& configuration,
          const std::string& place, std::vector<float>& moment) {
    for (const ParameterSlot& slot : parameter_slots(configuration)) {
        const auto found = tensors.find(prefix + slot.name);
        if (found == tensors.end() || found->second.dtype != "F32" || found->second.shape != slot.shape)
            throw InputError(
                fmt::format("{}: tensor {}{} is missing or of another shape; use an earlier checkpoint",
                            place, prefix, slot.name));
        std::memcpy(moment.data() + slot.offset, found->second.bytes.data(), found->second.bytes.size());
    }
}

}  // namespace

std::map<std::string, std::string> configuration_metadata(const ModelConfiguration& configuration) {
    return {{"format", "pt"}, {schema_key, schema}, {configuration_key, to_json(configuration).dump()}};
}

std::optional<ModelConfiguration> recorded_configuration(const std::map<std::string, std::string>& metadata,
                                                         const std::string& place) {
    const std::string* version = find(metadata, schema_key);
    const std::string* text = find(metadata, configuration_key);
    if (version == nullptr || text == nullptr) return std::nullopt;
    if (*version != schema)
        throw InputError(fmt::format("{}: is of schema {}, but {} is read; use the version that wrote it",
                                     place, *version, schema));
    ModelConfiguration c;
    read_json(*text, fmt::format("{}: metadata {}", place, configuration_key), to_json(c).size(),
              [&](const json& object) {
                  object.at("layers").get_to(c.layers);
                  object.at("heads").get_to(c.heads);
                  object.at("embedding").get_to(c.embedding);
                  object.at("mlp").get_to(c.mlp);
                  object.at("vocabulary").get_to(c.vocabulary);
                  object.at("length").get_to(c.length);
                  object.at("dropout").get_to(c.dropout);
                  c.validate();
              });
    return c;
}

bool is_training_state(const std::string& tensor_name) {
    return starts_with(tensor_name, first_moment_prefix) || starts_with(tensor_name, second_moment_prefix);
}

void save_training_state(const std::filesystem::path& path, const TrainingState& state,
                         const TrainOptions& options) {
    const ModelConfiguration& configuration = state.model.configuration();
    SafeTensors contents{configuration_metadata(configuration), state.model.state_dict()};
    contents.metadata[training_key] = to_json(options, state.step).dump();
    put(contents.tensors, first_moment_prefix, configuration, state.first_moment);
    put(contents.tensors, second_moment_prefix, configuration, state.second_moment);
    write_safetensors(path, contents);
}

TrainOptions training_options(const std::filesystem::path& checkpoint) {
    TrainOptions options =
        read_training(read_checkpoint_file(checkpoint).metadata, checkpoint.string()).first;
    options.checkpoint = checkpoint;
    return options;
}

TrainingState load_training_state(const std::filesystem::path& path, const TrainOptions& options) {
    const std::string place = path.string();
    CheckpointFile file = read_checkpoint_file(path);
    const auto [recorded, step] = read_training(file.metadata, place);
    if (recorded.model != options.model)
        throw InputError(fmt::format(
            "{}: was trained with another configuration than was asked for; take the options from "
            "the file",
            place));
    StateDict moments;
    for (auto entry = file.tensors.begin(); entry != file.tensors.end();) {
        const auto here = entry++;
        if (is_training_state(here->first)) moments.insert(file.tensors.extract(here));
    }
    TrainingState state(Model(file.tensors, options.model.heads, place));
    state.model.set_dropout(options.model.dropout);
    if (state.model.configuration() != options.model)
        throw InputError(fmt::format(
            "{}: the configuration in its metadata is not that of its tensors; write the file again", place));
    take(moments, first_moment_prefix, options.model, place, state.first_moment);
    take(moments, second_moment_prefix, options.model, place, state.second_moment);
    state.step = step;
    return state;
}

}  // namespace crosshead
