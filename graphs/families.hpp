// Families of heads: the graphs that theorems name, and random ones that meet their hypotheses by
// construction. Every head has n nodes in topological order, the sink n-1, and a self-loop of its own at
// every node; weights are 1 unless said otherwise. Functions throw UsageError for parameters out of their
// range.
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <crosshead/graphs/random_source.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace crosshead {

/// Whether a node that no edge leaves gets one to its successor j → j+1. With it every node reaches the sink.
enum class Reach { as_drawn, sink };

/// j → j+1.
HeadDag line_head(int nodes);
/// j → i for every j ≤ i.
HeadDag full_causal_head(int nodes);
/// j → i for i − window ≤ j ≤ i: the `window` ≥ 1 nearest earlier nodes. window 1 is the line.
HeadDag sliding_window_head(int nodes, int window);
/// j = i − k·dilation for k = 0..window. Above dilation 1 the last nodes before the sink may not reach it.
HeadDag dilated_window_head(int nodes, int window, int dilation, Reach reach = Reach::as_drawn);
/// Every pair j < i independently with probability p in [0, 1]: the Erdős–Rényi graph, directed forward.
HeadDag erdos_renyi_head(int nodes, const Rational& p, RandomSource& random, Reach reach = Reach::as_drawn);
/// Edges as in erdos_renyi_head; the weights of the edges into a node are integers from 1 to max_weight over
/// their sum, so that rows sum to 1 as attention does.
HeadDag random_weighted_head(int nodes, const Rational& p, std::uint64_t max_weight, RandomSource& random,
                             Reach reach = Reach::as_drawn);
/// Node i walks back over i−1, i−2, …, keeps each as an in-neighbour with probability 1 − p, and stops when
/// it has `budget` ≥ 1 of them. p is the probability of passing a node by.
HeadDag look_back_head(int nodes, const Rational& p, int budget, RandomSource& random,
                       Reach reach = Reach::as_drawn);
/// `count` integers from 1 to max_weight over their sum: convex, and none zero.
ConvexWeights random_convex_weights(std::size_t count, std::uint64_t max_weight, RandomSource& random);

enum class Family {
    line,
    full_causal,
    sliding_window,
    dilated_window,
    erdos_renyi,
    random_weighted,
    look_back
};

/// The table that commands and their help are made from.
struct FamilyInfo {
    Family family;
    std::string_view name;         // "sliding-window"
    std::string_view description;  // one line
    bool is_random;
};
std::span<const FamilyInfo> families();
/// Throws UsageError listing the names.
const FamilyInfo& family_named(std::string_view name);

/// A system to generate; each family looks at the parameters that it has.
struct FamilySpec {
    Family family = Family::full_causal;
    int nodes = 8;
    int heads = 1;
    int window = 2;
    int dilation = 2;
    int budget = 2;
    Rational probability = Rational(1, 2);
    std::uint64_t max_weight = 10;
    bool random_head_weights = false;  // α and β drawn by random_convex_weights, else 1/H
    Reach reach = Reach::as_drawn;
    std::uint64_t seed = 0;
};

/// Largest nodes × nodes × heads that is generated.
inline constexpr std::uint64_t max_generated_cells = 200'000'000;

/// `heads` heads of the family on the same nodes; random ones are drawn one after another from one source, so
/// that the first heads do not change when more are asked for. The same spec gives the same system
/// everywhere.
HeadSystem generate_system(const FamilySpec& spec);

/// "crosshead generate erdos-renyi --nodes 8 …": the command that makes the system again.
std::string generate_command_line(const FamilySpec& spec);

}  // namespace crosshead
