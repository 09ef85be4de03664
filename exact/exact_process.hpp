// The vector that an exact scan steps: limb arithmetic of our own where entries are machine words, GMP
// integers otherwise.
#pragma once

#include <crosshead/exact/limb_propagation.hpp>
#include <crosshead/exact/transition_matrix.hpp>
#include <optional>
#include <vector>

namespace crosshead {

/// RowPropagation<Integer>'s interface over ExactRowPropagation.
class LimbRowProcess {
  public:
    /// Takes a lower triangular matrix whose rows or columns share denominators (over_common_denominator) and
    /// whose entries fit a machine word; `suits` says whether one is.
    static bool suits(const TransitionMatrix<Integer>& matrix);
    LimbRowProcess(const TransitionMatrix<Integer>& matrix, const std::vector<Integer>& start);

    void step();
    std::size_t steps() const { return propagation_.steps(); }
    const std::vector<Integer>& row() const { return row_; }
    const Integer& denominator() const { return propagation_.denominator(); }

  private:
    ExactRowPropagation propagation_;
    std::vector<Integer> row_;
};

/// Calls use(process) with the process that suits the matrix.
template <class Use>
auto with_process(const TransitionMatrix<Integer>& matrix, std::vector<Integer> start, const Use& use) {
    if (LimbRowProcess::suits(matrix)) {
        LimbRowProcess process(matrix, start);
        return use(process);
    }
    RowPropagation<Integer> process(matrix, std::move(start));
    return use(process);
}

}  // namespace crosshead
