#include <algorithm>
#include <crosshead/exact/exact_process.hpp>
#include <cstdint>
#include <limits>

namespace crosshead {
namespace {

ExactRowPropagation make_propagation(const TransitionMatrix<Integer>& matrix) {
    const auto n = static_cast<std::size_t>(matrix.nodes);
    std::vector<IntegerRow> rows(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) {
            if (matrix.entry[e] == 0) continue;
            rows[i].sources.push_back(matrix.column[e]);
            rows[i].numerators.push_back(matrix.entry[e].convert_to<std::uint64_t>());
        }
    const bool by_row = !matrix.row_scale.empty();
    std::vector<Integer> denominators;
    for (const auto& scale : by_row ? matrix.row_scale : matrix.column_scale)
        denominators.push_back(matrix.step_denominator / scale);
    return {matrix.nodes, rows, denominators, by_row ? DenominatorsOf::rows : DenominatorsOf::columns};
}

}  // namespace

bool LimbRowProcess::suits(const TransitionMatrix<Integer>& matrix) {
    if (matrix.row_scale.empty() == matrix.column_scale.empty()) return false;
    const Integer largest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.nodes); ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
            if (static_cast<std::size_t>(matrix.column[e]) > i || matrix.entry[e] > largest) return false;
    return true;
}

LimbRowProcess::LimbRowProcess(const TransitionMatrix<Integer>& matrix, const std::vector<Integer>& start)
    : propagation_(make_propagation(matrix)), row_(start) {
    propagation_.start(row_, 1);
}

void LimbRowProcess::step() {
    propagation_.step();
    for (std::size_t j = 0; j < row_.size(); ++j) {
        const auto words = propagation_.words(static_cast<int>(j));
        mpz_import(row_[j].backend().data(), words.size(), -1, sizeof(mp_limb_t), 0, 0, words.data());
    }
}

}  // namespace crosshead
