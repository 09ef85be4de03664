#include <fmt/format.h>

#include <algorithm>
#include <crosshead/exact/mixture.hpp>
#include <crosshead/graphs/error.hpp>
#include <map>

namespace crosshead {
namespace {

/// Out-weight sums (columns) or in-weight sums (rows) of one head, by node.
std::vector<Rational> weight_sums(const HeadDag& head, std::span<const Node> ends) {
    std::vector<Rational> sums(static_cast<std::size_t>(head.nodes()), Rational(0));
    for (std::size_t e = 0; e < head.edge_count(); ++e)
        sums[static_cast<std::size_t>(ends[e])] += head.weight(e);
    return sums;
}

void require_out_weights(const HeadDag& head, std::size_t h) {
    for (Node j = 0; j < head.nodes(); ++j)
        if (!head.has_out_weight(j))
            throw UndefinedQuantity(fmt::format(
                "head {}: node {} has no out-weight, so its column of the walk matrix is undefined; "
                "give it a self-loop or an out-edge",
                h, j));
}

/// Σ_h weight_h · (head h with `ends` normalised), as sorted compressed rows.
TransitionMatrix<Rational> mixed(const HeadSystem& system, const ConvexWeights& head_weights, Operator kind) {
    const auto n = static_cast<std::size_t>(system.nodes());
    std::vector<std::map<Node, Rational>> rows(n);
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        if (head_weights[h] == 0) continue;
        const HeadDag& head = system.head(h);
        const auto ends = kind == Operator::walk ? head.sources() : head.destinations();
        const auto sums = weight_sums(head, ends);
        for (std::size_t e = 0; e < head.edge_count(); ++e) {
            const Rational share = head_weights[h] * head.weight(e) / sums[static_cast<std::size_t>(ends[e])];
            const auto [entry, is_new] =
                rows[static_cast<std::size_t>(head.destinations()[e])].try_emplace(head.sources()[e], share);
            if (!is_new) entry->second += share;
        }
    }
    TransitionMatrix<Rational> matrix;
    matrix.nodes = system.nodes();
    matrix.row_begin.push_back(0);
    for (auto& row : rows) {
        for (auto& [column, entry] : row) {
            matrix.column.push_back(column);
            matrix.entry.push_back(std::move(entry));
        }
        matrix.row_begin.push_back(matrix.column.size());
    }
    return matrix;
}

/// 1 − (self-loop share), summed from the other out-edges; the sink and one-node systems are left out.
Rational least_leak(const TransitionMatrix<Rational>& walk) {
    const auto n = static_cast<std::size_t>(walk.nodes);
    if (n == 1) return 1;
    std::vector<Rational> leak(n, Rational(0));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = walk.row_begin[i]; e < walk.row_begin[i + 1]; ++e)
            if (static_cast<std::size_t>(walk.column[e]) != i)
                leak[static_cast<std::size_t>(walk.column[e])] += walk.entry[e];
    return *std::min_element(leak.begin(), leak.end() - 1);
}

}  // namespace

void require_walk_defined(const HeadSystem& system) {
    for (std::size_t h = 0; h < system.head_count(); ++h)
        if (system.walk_weights()[h] != 0) require_out_weights(system.head(h), h);
}

TransitionMatrix<Rational> walk_matrix(const HeadSystem& system) {
    require_walk_defined(system);
    return mixed(system, system.walk_weights(), Operator::walk);
}

TransitionMatrix<Rational> diffusion_matrix(const HeadSystem& system) {
    return mixed(system, system.diffusion_weights(), Operator::diffusion);
}

TransitionMatrix<Integer> over_common_denominator(const TransitionMatrix<Rational>& matrix,
                                                  Operator shared_by) {
    const auto n = static_cast<std::size_t>(matrix.nodes);
    std::vector<Integer> shared(n, Integer(1));
    const auto owner = [&](std::size_t row, std::size_t e) {
        return shared_by == Operator::diffusion ? row : static_cast<std::size_t>(matrix.column[e]);
    };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
            shared[owner(i, e)] = lcm(shared[owner(i, e)], denominator(matrix.entry[e]));

    TransitionMatrix<Integer> result;
    result.nodes = matrix.nodes;
    result.row_begin = matrix.row_begin;
    result.column = matrix.column;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
            result.entry.push_back(numerator(matrix.entry[e]) *
                                   (shared[owner(i, e)] / denominator(matrix.entry[e])));
    for (const auto& denominator : shared)
        result.step_denominator = lcm(result.step_denominator, denominator);
    auto& scale = shared_by == Operator::diffusion ? result.row_scale : result.column_scale;
    for (const auto& denominator : shared) scale.push_back(result.step_denominator / denominator);
    return result;
}

std::vector<Rational> forward_probabilities(const HeadSystem& system) {
    std::vector<Rational> result;
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        require_out_weights(system.head(h), h);
        result.push_back(least_leak(walk_matrix(system.single_head(h))));
    }
    return result;
}

Rational forward_probability_bound(const HeadSystem& system) {
    const auto each = forward_probabilities(system);
    Rational bound = 0;
    for (std::size_t h = 0; h < each.size(); ++h) bound += system.walk_weights()[h] * each[h];
    return bound;
}

Rational mixture_forward_probability(const HeadSystem& system) {
    return least_leak(walk_matrix(system));
}

}  // namespace crosshead
