// Attention arrays and how they become heads (design §1 "Attention", §4 inputs).
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace crosshead {

/// The attention of one layer: heads × n × n, row = query = destination, column = key = source.
/// float32 and float16 input is held exactly.
struct AttentionLayer {
    std::size_t heads = 0;
    std::size_t nodes = 0;
    std::vector<double> values;  // values[(h*n + i)*n + j]
};

/// The attention of a whole model: one entry a layer, the same heads and nodes in each.
using AttentionArray = std::vector<AttentionLayer>;

struct AttentionOptions {
    /// Largest |row sum − 1| that is rescaled without being asked to.
    double row_sum_tolerance = 1e-4;
    /// Rescale rows whatever their (positive) sum is.
    bool renormalise = false;
};

/// Where a layer's rows were furthest from summing to 1. An estimate in double, for the record.
struct RowResidual {
    double largest = 0;
    std::size_t head = 0, row = 0;
};

struct AttentionSystem {
    HeadSystem system;
    RowResidual residual;
};

/// Heads from attention, entries taken exactly. Rescaling a row changes nothing in Δ, but it changes W, so
/// rows are rescaled exactly, each to sum 1, before columns are normalised.
/// `place` opens the messages ("w.npy: layer 2"). Throws InputError with the first offending entry for
/// attention that is not finite, negative, not causal, or has a row sum beyond the tolerance.
AttentionSystem heads_from_attention(const AttentionLayer& layer, const AttentionOptions& options,
                                     const std::string& place);

}  // namespace crosshead
