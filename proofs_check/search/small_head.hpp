// Heads and systems of at most eight nodes with small integer weights: what searches enumerate and change.
#pragma once

#include <array>
#include <bit>
#include <crosshead/graphs/head_system.hpp>
#include <cstdint>
#include <vector>

namespace crosshead {

inline constexpr int max_small_nodes = 8;
inline constexpr int small_entries = max_small_nodes * (max_small_nodes + 1) / 2;

/// Place of (destination i, source j ≤ i) in a lower triangular matrix stored row by row.
constexpr int triangle_index(int i, int j) {
    return i * (i + 1) / 2 + j;
}

/// One head: weight[triangle_index(i, j)] = w(j→i), 0 where there is no edge.
struct SmallHead {
    std::array<std::uint16_t, small_entries> weight{};

    std::uint16_t& at(int i, int j) { return weight[static_cast<std::size_t>(triangle_index(i, j))]; }
    std::uint16_t at(int i, int j) const { return weight[static_cast<std::size_t>(triangle_index(i, j))]; }
    friend bool operator==(const SmallHead&, const SmallHead&) = default;
};

/// Edges other than self-loops.
int edge_count(const SmallHead& head, int nodes);
/// Every non-sink node has an edge that leaves it, so that all reach the sink.
bool reaches_sink(const SmallHead& head, int nodes);
/// Every node has a self-loop.
bool has_all_self_loops(const SmallHead& head, int nodes);

/// Several heads of any size with integer weights, and head weights that are integers over their sum.
struct IntegerSystem {
    int nodes = 2;
    std::vector<std::vector<std::uint32_t>> heads;             // each by triangle_index
    std::vector<std::uint32_t> walk_scores, diffusion_scores;  // α_h, β_h times their sums

    static std::vector<std::uint32_t> weights_of(const SmallHead& head, int nodes);
    /// The same system for everything that measures. Throws InputError where a node has no in-weight.
    HeadSystem system() const;
    int edge_count() const;
    /// Whether every head is a SmallHead with all its self-loops.
    bool is_small() const;
    SmallHead small_head(std::size_t h) const;
    friend bool operator==(const IntegerSystem&, const IntegerSystem&) = default;
};

}  // namespace crosshead
