#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/families.hpp>
#include <functional>
#include <utility>
#include <vector>

namespace crosshead {
namespace {

using Edges = std::vector<WeightedEdge>;

void require_at_least(std::int64_t value, std::int64_t least, const char* what) {
    if (value < least) throw UsageError(fmt::format("{} is {}; give at least {}", what, value, least));
}

void require_probability(const Rational& p) {
    if (p < 0 || p > 1)
        throw UsageError(fmt::format("probability is {}; give a number from 0 to 1", to_string(p)));
}

/// Self-loops, and j → i wherever keep(j, i), asked for each i from its nearest earlier node outwards.
template <class Keep>
Edges edges_where(int nodes, Keep keep) {
    require_at_least(nodes, 1, "the number of nodes");
    Edges edges;
    for (Node i = 0; i < nodes; ++i) {
        edges.push_back({i, i, 1});
        for (Node j = i - 1; j >= 0; --j)
            if (keep(j, i)) edges.push_back({j, i, 1});
    }
    return edges;
}

void apply_reach(Reach reach, int nodes, Edges& edges) {
    if (reach == Reach::as_drawn) return;
    std::vector<bool> leaves(static_cast<std::size_t>(nodes), false);
    for (const auto& edge : edges)
        if (edge.source != edge.destination) leaves[static_cast<std::size_t>(edge.source)] = true;
    for (Node j = 0; j + 1 < nodes; ++j)
        if (!leaves[static_cast<std::size_t>(j)]) edges.push_back({j, j + 1, 1});
}

Edges erdos_renyi_edges(int nodes, const Rational& p, RandomSource& random, Reach reach) {
    require_probability(p);
    Edges edges = edges_where(nodes, [&](Node, Node) { return random.chance(p); });
    apply_reach(reach, nodes, edges);
    return edges;
}

/// `count` integers from 1 to max_weight, each over their sum.
std::vector<Rational> random_shares(std::size_t count, std::uint64_t max_weight, RandomSource& random) {
    if (max_weight == 0) throw UsageError("the largest weight is 0; give at least 1");
    std::vector<Integer> weights(count);
    Integer sum = 0;
    for (auto& weight : weights) sum += weight = Integer(random.below(max_weight)) + 1;
    std::vector<Rational> shares;
    for (const auto& weight : weights) shares.emplace_back(weight, sum);
    return shares;
}

constexpr FamilyInfo table[] = {
    {Family::line, "line", "the path 0 -> 1 -> … -> n-1", false},
    {Family::full_causal, "full-causal", "every earlier node to every later one: a causal mask", false},
    {Family::sliding_window, "sliding-window", "the --window nearest earlier nodes", false},
    {Family::dilated_window, "dilated-window", "--window earlier nodes, --dilation apart", false},
    {Family::erdos_renyi, "erdos-renyi", "each forward pair with --probability, independently", true},
    {Family::random_weighted, "random-weighted",
     "erdos-renyi edges, in-weights integers up to --max-weight over their sum", true},
    {Family::look_back, "look-back",
     "each node walks back, passes a node by with --probability, stops at --budget in-edges", true},
};

}  // namespace

HeadDag line_head(int nodes) {
    return HeadDag(nodes, edges_where(nodes, [](Node j, Node i) { return j + 1 == i; }), "line");
}

HeadDag full_causal_head(int nodes) {
    return HeadDag(nodes, edges_where(nodes, [](Node, Node) { return true; }), "full causal");
}

HeadDag sliding_window_head(int nodes, int window) {
    return dilated_window_head(nodes, window, 1);
}

HeadDag dilated_window_head(int nodes, int window, int dilation, Reach reach) {
    require_at_least(window, 1, "the window");
    require_at_least(dilation, 1, "the dilation");
    Edges edges = edges_where(
        nodes, [&](Node j, Node i) { return (i - j) % dilation == 0 && (i - j) / dilation <= window; });
    apply_reach(reach, nodes, edges);
    return HeadDag(nodes, std::move(edges), "window");
}

HeadDag erdos_renyi_head(int nodes, const Rational& p, RandomSource& random, Reach reach) {
    return HeadDag(nodes, erdos_renyi_edges(nodes, p, random, reach), "Erdős–Rényi");
}

HeadDag random_weighted_head(int nodes, const Rational& p, std::uint64_t max_weight, RandomSource& random,
                             Reach reach) {
    Edges edges = erdos_renyi_edges(nodes, p, random, reach);
    std::ranges::stable_sort(edges, {}, &WeightedEdge::destination);
    for (auto row = edges.begin(); row != edges.end();) {
        const auto end = std::find_if(row, edges.end(),
                                      [&](const auto& edge) { return edge.destination != row->destination; });
        for (auto& share : random_shares(static_cast<std::size_t>(end - row), max_weight, random))
            (row++)->weight = std::move(share);
    }
    return HeadDag(nodes, std::move(edges), "random weighted");
}

HeadDag look_back_head(int nodes, const Rational& p, int budget, RandomSource& random, Reach reach) {
    require_probability(p);
    require_at_least(budget, 1, "the budget");
    const Rational keep = 1 - p;
    Node current = 0;
    int kept = 0;
    Edges edges = edges_where(nodes, [&](Node, Node i) {
        if (i != current) current = i, kept = 0;
        const bool keeps = kept < budget && random.chance(keep);
        kept += keeps;
        return keeps;
    });
    apply_reach(reach, nodes, edges);
    return HeadDag(nodes, std::move(edges), "look-back");
}

ConvexWeights random_convex_weights(std::size_t count, std::uint64_t max_weight, RandomSource& random) {
    return {random_shares(count, max_weight, random), "random weights"};
}

std::span<const FamilyInfo> families() {
    return table;
}

const FamilyInfo& family_named(std::string_view name) {
    std::string names;
    for (const auto& info : table) {
        if (info.name == name) return info;
        names += (names.empty() ? "" : ", ") + std::string(info.name);
    }
    throw UsageError(fmt::format("\"{}\" is no family; the families are: {}", name, names));
}

HeadSystem generate_system(const FamilySpec& spec) {
    require_at_least(spec.nodes, 1, "the number of nodes");
    require_at_least(spec.heads, 1, "the number of heads");
    const auto n = static_cast<std::uint64_t>(spec.nodes), h = static_cast<std::uint64_t>(spec.heads);
    if (n > max_generated_cells || h > max_generated_cells / n || n * h > max_generated_cells / n)
        throw UsageError(fmt::format("{} heads on {} nodes; at most {} nodes × nodes × heads are generated",
                                     h, n, max_generated_cells));
    RandomSource random(spec.seed);
    const auto draw = [&]() -> HeadDag {
        switch (spec.family) {
            case Family::line:
                return line_head(spec.nodes);
            case Family::full_causal:
                return full_causal_head(spec.nodes);
            case Family::sliding_window:
                return sliding_window_head(spec.nodes, spec.window);
            case Family::dilated_window:
                return dilated_window_head(spec.nodes, spec.window, spec.dilation, spec.reach);
            case Family::erdos_renyi:
                return erdos_renyi_head(spec.nodes, spec.probability, random, spec.reach);
            case Family::random_weighted:
                return random_weighted_head(spec.nodes, spec.probability, spec.max_weight, random,
                                            spec.reach);
            case Family::look_back:
                return look_back_head(spec.nodes, spec.probability, spec.budget, random, spec.reach);
        }
        throw UsageError("unknown family");
    };
    std::vector<HeadDag> heads;
    for (int head = 0; head < spec.heads; ++head) heads.push_back(draw());
    if (!spec.random_head_weights) return HeadSystem(std::move(heads));
    auto walk = random_convex_weights(h, spec.max_weight, random);
    auto diffusion = random_convex_weights(h, spec.max_weight, random);
    return HeadSystem(std::move(heads), std::move(walk), std::move(diffusion));
}

std::string generate_command_line(const FamilySpec& spec) {
    const auto& info = *std::ranges::find(table, spec.family, &FamilyInfo::family);
    std::string command =
        fmt::format("crosshead generate {} --nodes {} --heads {}", info.name, spec.nodes, spec.heads);
    const auto uses = [&](std::initializer_list<Family> list) {
        return std::ranges::find(list, spec.family) != list.end();
    };
    using enum Family;
    if (uses({sliding_window, dilated_window})) command += fmt::format(" --window {}", spec.window);
    if (uses({dilated_window})) command += fmt::format(" --dilation {}", spec.dilation);
    if (uses({erdos_renyi, random_weighted, look_back}))
        command += fmt::format(" --probability {}", to_string(spec.probability));
    if (uses({look_back})) command += fmt::format(" --budget {}", spec.budget);
    if (uses({random_weighted}) || spec.random_head_weights)
        command += fmt::format(" --max-weight {}", spec.max_weight);
    if (spec.random_head_weights) command += " --head-weights random";
    if (spec.reach == Reach::sink) command += " --reach-sink";
    if (info.is_random || spec.random_head_weights) command += fmt::format(" --seed {}", spec.seed);
    return command;
}

}  // namespace crosshead
