// The vector that a certified scan steps: sparse rows, or the dense kernels where the matrix is nearly full.
#pragma once

#include <crosshead/exact/transition_matrix.hpp>
#include <crosshead/numeric/dense_propagation.hpp>
#include <vector>

namespace crosshead {

/// True where streaming the packed triangle beats following indices: at least a quarter of it is filled, and
/// vectors are long enough to pay for it.
bool prefers_dense(const TransitionMatrix<double>& matrix);

/// RowPropagation's interface over DensePropagation. An upper triangular matrix (the reverse walk) is stored
/// with its nodes in reverse order. Roundings a step are at most those that PropagationError counts: the
/// dense kernels sum each entry with at most n roundings (dense_roundings_per_step).
class DenseRowProcess {
  public:
    /// Requires a triangular matrix without scales.
    DenseRowProcess(const TransitionMatrix<double>& matrix, const std::vector<double>& start);
    DenseRowProcess(const DenseRowProcess&) = delete;
    DenseRowProcess& operator=(const DenseRowProcess&) = delete;

    void step();
    std::size_t steps() const { return propagation_.time(); }
    const std::vector<double>& row() const { return row_; }

  private:
    std::vector<double> in_storage_order(const std::vector<double>& row) const;

    bool reversed_;
    std::vector<double> row_;
    DenseTriangle<double> triangle_;
    DensePropagation<double> propagation_;
};

/// Calls use(process) with the process that suits the matrix.
template <class Use>
auto with_process(const TransitionMatrix<double>& matrix, std::vector<double> start, const Use& use) {
    if (prefers_dense(matrix)) {
        DenseRowProcess process(matrix, start);
        return use(process);
    }
    RowPropagation<double> process(matrix, std::move(start));
    return use(process);
}

}  // namespace crosshead
