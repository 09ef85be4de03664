// The operators of the single heads, apart: what a word multiplies, letter by letter (design §1).
#pragma once

#include <crosshead/exact/mixture.hpp>
#include <crosshead/exact/transition_matrix.hpp>
#include <vector>

namespace crosshead {

/// Whether entries carry the head's weight (β_h Δ^(h), α_h W^(h)) or stand alone (Δ^(h), W^(h)).
enum class HeadWeights { applied, left_out };

/// One n×n matrix (destination × source) for each head, rows compressed, without scales; every entry of every
/// matrix stands over `step_denominator`, so that each product of t letters stands over its t-th power. With
/// the weights applied, a head of weight 0 has no entries.
template <class Scalar>
struct HeadOperators {
    std::vector<TransitionMatrix<Scalar>> heads;
    Scalar step_denominator = Scalar(1);

    int nodes() const { return heads.front().nodes; }
    std::size_t head_count() const { return heads.size(); }
};

/// The weights of the heads under one operator: α for the walk, β for diffusion.
const ConvexWeights& head_weights(const HeadSystem& system, Operator kind);

/// All weight, α and β, on head h: Δ̄ = Δ^(h) and W̄ = W^(h), with heads numbered as they are.
HeadSystem only_head(const HeadSystem& system, std::size_t h);

/// Exactly, in lowest terms (step_denominator 1). Throws UndefinedQuantity as walk_matrix does, for a head
/// whose entries are asked for.
HeadOperators<Rational> head_operators(const HeadSystem& system, Operator kind, HeadWeights weights);

/// The same over the least common denominator of all entries of all heads.
HeadOperators<Integer> over_common_denominator(const HeadOperators<Rational>& operators);

/// The same entries in another scalar; `convert` takes an entry or the step denominator.
template <class To, class From, class Convert>
HeadOperators<To> converted(const HeadOperators<From>& operators, const Convert& convert) {
    HeadOperators<To> result;
    result.step_denominator = convert(operators.step_denominator);
    for (const auto& head : operators.heads) {
        TransitionMatrix<To> matrix;
        matrix.nodes = head.nodes;
        matrix.row_begin = head.row_begin;
        matrix.column = head.column;
        matrix.entry.reserve(head.entry.size());
        for (const auto& entry : head.entry) matrix.entry.push_back(convert(entry));
        result.heads.push_back(std::move(matrix));
    }
    return result;
}

}  // namespace crosshead
