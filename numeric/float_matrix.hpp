// W̄ and Δ̄ in floating point of any precision, straight from the heads, with a bound on every entry's error.
#pragma once

#include <crosshead/exact/mixture.hpp>
#include <crosshead/numeric/enclosure.hpp>
#include <crosshead/numeric/float_array.hpp>
#include <vector>

namespace crosshead {

/// A mixture in `entry.bits()` bits. Compressed rows as in TransitionMatrix, without scales.
/// Every entry is a relative (1 ± roundings · 2^−bits) from the true one; `roundings` counts one rounding an
/// operation: a weight read and rescaled (3), in the sum it is divided by (3 + n), the quotient (1), the head
/// weight and its product (2), the sum over heads (H); and one to spare.
struct FloatMatrix {
    int nodes = 0;
    std::vector<std::size_t> row_begin;
    std::vector<Node> column;
    FloatArray entry;
    double roundings = 0;
};

/// Throws UndefinedQuantity as walk_matrix does. Cost: O(H · edges) operations of `bits` bits.
FloatMatrix float_matrix(const HeadSystem& system, Operator kind, mpfr_prec_t bits);

/// Bits that make entries correct to well under one unit in the last place of a double for any n below 2^40.
inline constexpr mpfr_prec_t entry_bits = 128;

/// The same in certified double, each entry an enclosure at most a few units in the last place wide.
TransitionMatrix<Enclosure> enclosure_matrix(const FloatMatrix& matrix);

/// The same in plain double: nearest to the FloatMatrix entry, so within two roundings of the true one.
TransitionMatrix<double> double_matrix(const FloatMatrix& matrix);

}  // namespace crosshead
