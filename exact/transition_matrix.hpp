// One step of a walk or of diffusion as a sparse matrix over any scalar, and the row vector that it drives.
// Row τ of a power needs one vector-matrix product a step (design §2): O(edges), never a matrix product.
#pragma once

#include <crosshead/graphs/head_dag.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace crosshead {

/// An n×n matrix M, destination × source, lower triangular, rows compressed:
///     M[i][column[e]] = row_scale[i] · entry[e] · column_scale[column[e]] / step_denominator
/// for e in [row_begin[i], row_begin[i+1]), columns ascending. Empty scales mean ones. Over integers the
/// scales and the step denominator hold what a row, a column or the whole matrix shares; other scalars leave
/// them out.
template <class Scalar>
struct TransitionMatrix {
    int nodes = 0;
    std::vector<std::size_t> row_begin;
    std::vector<Node> column;
    std::vector<Scalar> entry;
    std::vector<Scalar> row_scale, column_scale;
    Scalar step_denominator = Scalar(1);
};

/// The row vector x_t = x_0 M^t, as numerators over denominator() = step_denominator^t.
template <class Scalar>
class RowPropagation {
  public:
    /// `start`: x_0, n entries. The matrix must outlive this object.
    RowPropagation(const TransitionMatrix<Scalar>& matrix, std::vector<Scalar> start)
        : matrix_(matrix), row_(std::move(start)), next_(row_.size()) {}

    /// x ← x M: n scalings and one multiply-add for each entry.
    void step() {
        std::fill(next_.begin(), next_.end(), Scalar(0));
        for (std::size_t i = 0; i < row_.size(); ++i) {
            if (row_[i] == 0) continue;
            const Scalar scaled =
                matrix_.row_scale.empty() ? row_[i] : Scalar(row_[i] * matrix_.row_scale[i]);
            for (std::size_t e = matrix_.row_begin[i]; e < matrix_.row_begin[i + 1]; ++e)
                next_[static_cast<std::size_t>(matrix_.column[e])] += scaled * matrix_.entry[e];
        }
        if (!matrix_.column_scale.empty())
            for (std::size_t j = 0; j < next_.size(); ++j) next_[j] *= matrix_.column_scale[j];
        std::swap(row_, next_);
        denominator_ *= matrix_.step_denominator;
        ++steps_;
    }

    std::size_t steps() const { return steps_; }
    const std::vector<Scalar>& row() const { return row_; }
    const Scalar& denominator() const { return denominator_; }

  private:
    const TransitionMatrix<Scalar>& matrix_;
    std::vector<Scalar> row_, next_;
    Scalar denominator_ = Scalar(1);
    std::size_t steps_ = 0;
};

/// The same entries with rows and columns exchanged.
template <class Scalar>
TransitionMatrix<Scalar> transposed(const TransitionMatrix<Scalar>& matrix) {
    const auto n = static_cast<std::size_t>(matrix.nodes);
    TransitionMatrix<Scalar> result;
    result.nodes = matrix.nodes;
    result.row_begin.assign(n + 1, 0);
    for (const Node j : matrix.column) ++result.row_begin[static_cast<std::size_t>(j) + 1];
    for (std::size_t i = 0; i < n; ++i) result.row_begin[i + 1] += result.row_begin[i];
    result.column.resize(matrix.column.size());
    result.entry.resize(matrix.entry.size());
    auto next = result.row_begin;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) {
            const std::size_t slot = next[static_cast<std::size_t>(matrix.column[e])]++;
            result.column[slot] = static_cast<Node>(i);
            result.entry[slot] = matrix.entry[e];
        }
    result.row_scale = matrix.column_scale;
    result.column_scale = matrix.row_scale;
    result.step_denominator = matrix.step_denominator;
    return result;
}

}  // namespace crosshead
