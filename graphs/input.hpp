// One door for every input: which format a file is in, and what it holds (docs/formats.md).
#pragma once

#include <crosshead/graphs/attention.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace crosshead {

struct LoadOptions {
    AttentionOptions attention;
    /// Graph files and head-system JSON that do not say themselves: whether a node without a self-loop gets
    /// one.
    bool self_loops = true;
    /// Which array of an .npz, tensor of a safetensors file or entry of a BertViz page; empty: the only one.
    std::string array;
};

struct LoadedInput {
    std::vector<HeadSystem> layers;      // at least one; same heads and nodes in each
    std::string format;                  // "head-system JSON", "GraphML", "DOT", or as in AttentionInput
    std::vector<RowResidual> residuals;  // one a layer for attention inputs, else empty
    std::vector<std::string> notes;  // for the reader of the results: what was rescaled, chosen or renamed
};

/// Attention as arrays, before it is judged: values may still be anything.
struct AttentionInput {
    AttentionArray layers;
    std::string format;              // ".npy", ".npz", "safetensors", "BertViz JSON", "BertViz page"
    std::vector<std::string> names;  // node names where the file has tokens
    std::vector<std::string> notes;
};

/// Reads any input file. The format is taken from the content; a file whose name claims another one is
/// refused. Throws InputError (place, value, remedy): what the readers refuse, a format that is not read (a
/// PyTorch checkpoint: with the command that reads it), an array that is not (n,n), (H,n,n) or (L,H,n,n).
LoadedInput load_input(const std::filesystem::path& path, const LoadOptions& options = {});

/// The attention in a .npy, .npz, safetensors or BertViz file. Throws as load_input, and for graph files.
AttentionInput load_attention(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace crosshead
