// What a conjecture can speak of: one table that the parser, the type check, the evaluators, the help and
// docs/conjectures.md read.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace crosshead {

enum class Type { number, boolean };

/// What an argument in parentheses means, and which values it may take.
enum class ArgumentKind {
    epsilon,  // a number > 0
    step,     // an integer ≥ 0
    node      // an integer in 0..n−1
};

/// Whether tmix[h] may be written, must be, or makes no sense.
enum class PerHead { no, optional, required };

/// What "best" over heads means: phi[best] is the largest, tmix[best] the smallest.
enum class Better { neither, larger, smaller };

enum class QuantityId {
    nodes,
    path_length,
    heads,
    walk_weight,
    diffusion_weight,
    forward_probability,
    mixture_forward_probability,
    mixing_time,
    mixing_time_tv,
    reverse_mixing_time,
    reverse_mixing_time_tv,
    distance,
    survivors,
    absorption_mean,
    absorption_worst,
    absorption,
    fidelity,
    fidelity_without_sink,
    node_fidelity,
    peak,
    attained,
    signal,
    word_sum,
    cross_signal,
    mass,
    longest_path,
    longest_path_from,
    out_degree,
    out_degree_min,
    out_degree_max,
    in_degree,
    in_degree_min,
    in_degree_max,
    edges,
    edge,
    reaches_sink,
    unique_source,
    heads_commute
};

struct QuantityInfo {
    QuantityId id;
    std::string_view name;
    Type type;
    PerHead per_head;
    Better better;
    std::span<const ArgumentKind> arguments;
    std::string_view meaning;  // of the mixture; for [h], of head h alone
};

/// In the order in which help lists them.
std::span<const QuantityInfo> quantities();
/// The row of one quantity.
const QuantityInfo& quantity_info(QuantityId id);
/// nullptr where no quantity has that name.
const QuantityInfo* find_quantity(std::string_view name);

}  // namespace crosshead
