// How (Δ̄^t)[τ][j] divides among its words, without enumerating any: by head switches, by uses of each head,
// by first and last head. All results are numerators over step_denominator^t of the operators, whose entries
// carry the head weights.
#pragma once

#include <crosshead/exact/letters.hpp>
#include <vector>

namespace crosshead {

namespace detail {

/// n polynomials in a marking variable, low powers first, all of one length.
template <class Scalar>
using Marked = std::vector<std::vector<Scalar>>;

/// sum += M·from, coefficient by coefficient.
template <class Scalar>
void add_marked(const TransitionMatrix<Scalar>& matrix, const Marked<Scalar>& from,
                const std::vector<char>& live, std::size_t shift, Marked<Scalar>& sum) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
        if (!live[i]) continue;
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) {
            const auto& source = from[static_cast<std::size_t>(matrix.column[e])];
            const Scalar& entry = matrix.entry[e];
            for (std::size_t c = 0; c < source.size(); ++c) add_product(sum[i][c + shift], entry, source[c]);
        }
    }
}

template <class Scalar>
Marked<Scalar> marked_zero(std::size_t nodes, std::size_t powers) {
    return Marked<Scalar>(nodes, std::vector<Scalar>(powers, Scalar(0)));
}

}  // namespace detail

/// Signal by number of head switches (places k with h_k ≠ h_{k+1}): entry s for s = 0..t−1. Entry 0 is what
/// the heads carry alone; the rest is the cross-head share. State (node, last head); O(t²·H·edges).
template <class Scalar>
std::vector<Scalar> by_switches(const HeadOperators<Scalar>& operators, Node source, std::size_t steps) {
    using detail::Marked;
    const auto n = static_cast<std::size_t>(operators.nodes());
    const std::size_t heads = operators.head_count();
    const auto live = live_nodes(operators, steps);
    std::vector<Marked<Scalar>> state;  // by last head
    for (const auto& head : operators.heads) {
        auto first = detail::marked_zero<Scalar>(n, 1);
        auto start = detail::marked_zero<Scalar>(n, 1);
        start[static_cast<std::size_t>(source)][0] = Scalar(1);
        detail::add_marked(head, start, live[steps - 1], 0, first);
        state.push_back(std::move(first));
    }
    for (std::size_t k = 1; k < steps; ++k) {
        // What ends in another head: sums over the heads before and after, as nothing is ever subtracted.
        std::vector<Marked<Scalar>> others(heads, detail::marked_zero<Scalar>(n, k));
        auto before = detail::marked_zero<Scalar>(n, k), after = before;
        const auto add = [&](const Marked<Scalar>& from, Marked<Scalar>& to) {
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t c = 0; c < k; ++c) to[i][c] += from[i][c];
        };
        for (std::size_t h = 0; h < heads; ++h) {
            add(before, others[h]);
            add(state[h], before);
            add(after, others[heads - 1 - h]);
            add(state[heads - 1 - h], after);
        }
        std::vector<Marked<Scalar>> next;
        for (std::size_t h = 0; h < heads; ++h) {
            auto mixed = detail::marked_zero<Scalar>(n, k + 1);  // a switch is marked before the letter
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t c = 0; c < k; ++c) {
                    mixed[i][c] += state[h][i][c];
                    mixed[i][c + 1] += others[h][i][c];
                }
            next.push_back(detail::marked_zero<Scalar>(n, k + 1));
            detail::add_marked(operators.heads[h], mixed, live[steps - k - 1], 0, next.back());
        }
        state = std::move(next);
    }
    std::vector<Scalar> result(steps, Scalar(0));
    for (const auto& last : state)
        for (std::size_t c = 0; c < steps; ++c) result[c] += last[n - 1][c];
    return result;
}

/// Signal by how many of the t letters are head `head`: entry c for c = 0..t. O(t²·edges of the union).
template <class Scalar>
std::vector<Scalar> by_uses_of(const HeadOperators<Scalar>& operators, std::size_t head, Node source,
                               std::size_t steps) {
    const auto n = static_cast<std::size_t>(operators.nodes());
    const auto live = live_nodes(operators, steps);
    const auto others = sum_of_heads(operators, head);
    auto state = detail::marked_zero<Scalar>(n, 1);
    state[static_cast<std::size_t>(source)][0] = Scalar(1);
    for (std::size_t k = 0; k < steps; ++k) {
        auto next = detail::marked_zero<Scalar>(n, k + 2);
        detail::add_marked(operators.heads[head], state, live[steps - k - 1], 1, next);
        detail::add_marked(others, state, live[steps - k - 1], 0, next);
        state = std::move(next);
    }
    return state[n - 1];
}

/// Signal by first and last head, t ≥ 1: entry [f][l], f = h_1 and l = h_t. O(t·H·edges of all heads).
template <class Scalar>
std::vector<std::vector<Scalar>> by_first_and_last(const HeadOperators<Scalar>& operators, Node source,
                                                   std::size_t steps) {
    const std::size_t heads = operators.head_count();
    std::vector<std::vector<Scalar>> result(heads, std::vector<Scalar>(heads, Scalar(0)));
    const auto unit = unit_vector<Scalar>(operators.nodes(), source);
    const std::vector<char> everywhere(unit.size(), 1);
    for (std::size_t f = 0; f < heads; ++f) {
        if (steps == 1) {
            result[f][f] = into_sink(operators.heads[f], unit);
            continue;
        }
        auto column = unit;
        apply_letter(operators.heads[f], unit, everywhere, column);
        for (std::size_t k = 2; k < steps; ++k) column = apply_all(operators, column);
        for (std::size_t l = 0; l < heads; ++l) result[f][l] = into_sink(operators.heads[l], column);
    }
    return result;
}

/// What head `head` carries alone: its word h…h.
template <class Scalar>
Scalar pure_share(const HeadOperators<Scalar>& operators, std::size_t head, Node source, std::size_t steps) {
    auto column = unit_vector<Scalar>(operators.nodes(), source), next = column;
    const std::vector<char> everywhere(column.size(), 1);
    for (std::size_t k = 0; k < steps; ++k) {
        apply_letter(operators.heads[head], column, everywhere, next);
        std::swap(column, next);
    }
    return column.back();
}

/// (Δ̄^t)[τ][j], from the source up.
template <class Scalar>
Scalar total_share(const HeadOperators<Scalar>& operators, Node source, std::size_t steps) {
    auto column = unit_vector<Scalar>(operators.nodes(), source);
    for (std::size_t k = 0; k < steps; ++k) column = apply_all(operators, column);
    return column.back();
}

}  // namespace crosshead
