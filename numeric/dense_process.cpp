#include <algorithm>
#include <crosshead/numeric/dense_process.hpp>

namespace crosshead {
namespace {

bool is_upper_triangular(const TransitionMatrix<double>& matrix) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.nodes); ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
            if (static_cast<std::size_t>(matrix.column[e]) > i) return true;
    return false;
}

DenseTriangle<double> packed_triangle(const TransitionMatrix<double>& matrix, bool reversed) {
    DenseTriangle<double> triangle(matrix.nodes);
    const int last = matrix.nodes - 1;
    for (int i = 0; i < matrix.nodes; ++i)
        for (std::size_t e = matrix.row_begin[static_cast<std::size_t>(i)];
             e < matrix.row_begin[static_cast<std::size_t>(i) + 1]; ++e)
            triangle.set(reversed ? last - i : i, reversed ? last - matrix.column[e] : matrix.column[e],
                         matrix.entry[e]);
    return triangle;
}

}  // namespace

bool prefers_dense(const TransitionMatrix<double>& matrix) {
    constexpr int least_nodes = 32;
    const auto n = static_cast<std::size_t>(matrix.nodes);
    return matrix.nodes >= least_nodes && matrix.entry.size() >= n * (n + 1) / 8;
}

DenseRowProcess::DenseRowProcess(const TransitionMatrix<double>& matrix, const std::vector<double>& start)
    : reversed_(is_upper_triangular(matrix)),
      row_(start),
      triangle_(packed_triangle(matrix, reversed_)),
      propagation_(triangle_, in_storage_order(start)) {}

std::vector<double> DenseRowProcess::in_storage_order(const std::vector<double>& row) const {
    return reversed_ ? std::vector<double>(row.rbegin(), row.rend()) : row;
}

void DenseRowProcess::step() {
    const auto next = propagation_.step();
    if (reversed_)
        std::reverse_copy(next.begin(), next.end(), row_.begin());
    else
        std::copy(next.begin(), next.end(), row_.begin());
}

}  // namespace crosshead
