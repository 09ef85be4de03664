// A model: its configuration and its parameters, as plain numbers. What it computes is in inference.hpp.
#pragma once

#include <crosshead/trainer/configuration.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

class Model {
  public:
    /// Fresh parameters from a seed: embeddings N(0, 1), linear maps uniform on ±1/√(inputs), norms 1 (the
    /// defaults of PyTorch's modules). Throws UsageError for a configuration that is not valid.
    Model(const ModelConfiguration& configuration, std::uint64_t seed);
    /// The published tensors as parameters. Throws InputError as configuration_of does, and for a parameter
    /// that is not finite (tensor, index).
    Model(const StateDict& tensors, std::int64_t heads, const std::string& place);

    const ModelConfiguration& configuration() const { return configuration_; }
    /// All parameters in one array, laid out by parameter_slots().
    const std::vector<float>& parameters() const { return parameters_; }
    std::vector<float>& parameters() { return parameters_; }
    /// The tensors under their published names, in float32.
    StateDict state_dict() const;
    /// Dropout matters to training alone and is not in the tensors.
    void set_dropout(double dropout) { configuration_.dropout = dropout; }

    /// The L2 norm of each head's columns h·d … (h+1)·d of a layer's out_proj.weight, [layer][head]: the
    /// published proxy for how much a head matters (`out-proj-norm`). Estimates in double, to be normalised
    /// exactly by ConvexWeights::from_scores.
    std::vector<std::vector<double>> out_proj_norms() const;

  private:
    ModelConfiguration configuration_;
    std::vector<float> parameters_;
};

struct LoadedModel {
    Model model;
    std::map<std::string, std::string> metadata;  // of a safetensors file; empty for .pt
};

/// Reads a .pt or safetensors checkpoint. Files that Crosshead writes record their heads; for others `heads`
/// must be given. Throws InputError (place, value, remedy): see read_checkpoint_file and configuration_of;
/// heads neither given nor recorded, or given and recorded differently; a recorded
/// configuration that is not that of the tensors.
LoadedModel load_model(const std::filesystem::path& path, std::optional<std::int64_t> heads = std::nullopt);

/// Writes the model alone, as safetensors: the published names, which Python's load_state_dict takes.
void save_model(const std::filesystem::path& path, const Model& model);

}  // namespace crosshead
