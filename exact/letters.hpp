// One letter of a word at a time: the column vector that a prefix h_1 … h_k makes of a source.
#pragma once

#include <crosshead/exact/head_operators.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace crosshead {

/// h_1 … h_t, heads from 0; h_1 acts on the source first: the product is Δ^(h_t) … Δ^(h_1).
using Word = std::vector<std::uint16_t>;

/// sum += a·b, without a temporary where the scalar has such a thing.
template <class Scalar>
void add_product(Scalar& sum, const Scalar& a, const Scalar& b) {
    sum += a * b;
}
inline void add_product(Integer& sum, const Integer& a, const Integer& b) {
    mpz_addmul(sum.backend().data(), a.backend().data(), b.backend().data());
}

/// Which nodes can still reach the sink in exactly s steps of the heads: live[s][i], s = 0..steps.
template <class Scalar>
std::vector<std::vector<char>> live_nodes(const HeadOperators<Scalar>& operators, std::size_t steps) {
    const auto n = static_cast<std::size_t>(operators.nodes());
    std::vector<std::vector<char>> live(steps + 1, std::vector<char>(n, 0));
    live[0][n - 1] = 1;
    for (std::size_t s = 1; s <= steps; ++s)
        for (const auto& head : operators.heads)
            for (std::size_t i = 0; i < n; ++i) {
                if (!live[s - 1][i]) continue;
                for (std::size_t e = head.row_begin[i]; e < head.row_begin[i + 1]; ++e)
                    if (!(head.entry[e] == 0)) live[s][static_cast<std::size_t>(head.column[e])] = 1;
            }
    return live;
}

/// to = M·from, a column vector, at the nodes that are live; false where that leaves nothing. Both have n
/// entries and differ.
template <class Scalar>
bool apply_letter(const TransitionMatrix<Scalar>& head, const std::vector<Scalar>& from,
                  const std::vector<char>& live, std::vector<Scalar>& to) {
    bool any = false;
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = Scalar(0);
        if (!live[i]) continue;
        for (std::size_t e = head.row_begin[i]; e < head.row_begin[i + 1]; ++e) {
            const Scalar& value = from[static_cast<std::size_t>(head.column[e])];
            if (value == 0) continue;
            add_product(to[i], head.entry[e], value);
            any = true;
        }
    }
    return any;
}

/// Row τ of M times a column vector.
template <class Scalar>
Scalar into_sink(const TransitionMatrix<Scalar>& head, const std::vector<Scalar>& from) {
    const auto sink = static_cast<std::size_t>(head.nodes) - 1;
    Scalar sum(0);
    for (std::size_t e = head.row_begin[sink]; e < head.row_begin[sink + 1]; ++e)
        add_product(sum, head.entry[e], from[static_cast<std::size_t>(head.column[e])]);
    return sum;
}

/// e_node.
template <class Scalar>
std::vector<Scalar> unit_vector(int nodes, Node node) {
    std::vector<Scalar> unit(static_cast<std::size_t>(nodes), Scalar(0));
    unit[static_cast<std::size_t>(node)] = Scalar(1);
    return unit;
}

/// Σ_h M^(h)·from.
template <class Scalar>
std::vector<Scalar> apply_all(const HeadOperators<Scalar>& operators, const std::vector<Scalar>& from) {
    std::vector<Scalar> sum(from.size(), Scalar(0));
    for (const auto& head : operators.heads)
        for (std::size_t i = 0; i < sum.size(); ++i)
            for (std::size_t e = head.row_begin[i]; e < head.row_begin[i + 1]; ++e)
                add_product(sum[i], head.entry[e], from[static_cast<std::size_t>(head.column[e])]);
    return sum;
}

/// Σ M^(h) over all heads, or over all but `left_out`: rows compressed, over the same step denominator.
template <class Scalar>
TransitionMatrix<Scalar> sum_of_heads(const HeadOperators<Scalar>& operators,
                                      std::optional<std::size_t> left_out = std::nullopt) {
    const auto n = static_cast<std::size_t>(operators.nodes());
    TransitionMatrix<Scalar> result;
    result.nodes = operators.nodes();
    result.row_begin.push_back(0);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<std::optional<Scalar>> row(n);
        for (std::size_t h = 0; h < operators.head_count(); ++h) {
            if (h == left_out) continue;
            const auto& head = operators.heads[h];
            for (std::size_t e = head.row_begin[i]; e < head.row_begin[i + 1]; ++e) {
                auto& entry = row[static_cast<std::size_t>(head.column[e])];
                entry = entry ? Scalar(*entry + head.entry[e]) : head.entry[e];
            }
        }
        for (std::size_t j = 0; j < n; ++j)
            if (row[j]) {
                result.column.push_back(static_cast<Node>(j));
                result.entry.push_back(std::move(*row[j]));
            }
        result.row_begin.push_back(result.column.size());
    }
    return result;
}

}  // namespace crosshead
