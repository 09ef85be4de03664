// Checkpoints: what is written so that training can go on as if it had never stopped, and its metadata
// (docs/checkpoint-format.md).
#pragma once

#include <crosshead/trainer/model.hpp>
#include <crosshead/trainer/train.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

/// All that training carries from one step to the next.
struct TrainingState {
    Model model;
    std::vector<float> first_moment, second_moment;  // Adam's, laid out as the parameters
    std::int64_t step = 0;

    explicit TrainingState(Model fresh)
        : model(std::move(fresh)),
          first_moment(model.parameters().size()),
          second_moment(model.parameters().size()) {}
};

/// Metadata for a configuration, and back. recorded_configuration gives nullopt where there is none, and
/// throws InputError for one that is not valid or has fields that are not known.
std::map<std::string, std::string> configuration_metadata(const ModelConfiguration& configuration);
std::optional<ModelConfiguration> recorded_configuration(const std::map<std::string, std::string>& metadata,
                                                         const std::string& place);

/// Whether a tensor of a checkpoint belongs to the optimiser and not to the model.
bool is_training_state(const std::string& tensor_name);

/// Model, moments, step and options, written atomically. Throws InputError naming the path.
void save_training_state(const std::filesystem::path& path, const TrainingState& state,
                         const TrainOptions& options);

/// Throws InputError where the file holds no training state, is damaged, or where its model is not the one in
/// `options`.
TrainingState load_training_state(const std::filesystem::path& path, const TrainOptions& options);

}  // namespace crosshead
