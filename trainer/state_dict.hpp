// The named tensors of a model, from PyTorch's .pt or from safetensors (docs/checkpoint-format.md).
#pragma once

#include <crosshead/graphs/safetensors.hpp>
#include <filesystem>
#include <map>
#include <string>

namespace crosshead {

/// Tensors by name, each contiguous in C order.
using StateDict = std::map<std::string, SafeTensor>;

/// A state_dict that Python saved with torch.save(model.state_dict(), path), from any device. The pickle
/// inside is read as data and nothing is run. Throws InputError (place, value, remedy) for a file that is not
/// a whole zip archive or not a state_dict of plain tensors, for a pickle that names anything else (by name),
/// and for tensors whose shape, strides and offset do not lie within their storage.
StateDict read_pt(const std::filesystem::path& path);

struct CheckpointFile {
    StateDict tensors;
    std::map<std::string, std::string> metadata;  // of safetensors; empty for .pt
};

/// Either format, told apart by content and not by name. Throws InputError as read_pt and read_safetensors
/// do.
CheckpointFile read_checkpoint_file(const std::filesystem::path& path);

}  // namespace crosshead
