// M, M², M⁴, …: a triangular stochastic matrix by repeated squaring in floating point of enough precision.
#pragma once

#include <crosshead/numeric/float_matrix.hpp>
#include <deque>

namespace crosshead {

/// The powers M^(2^k) of a lower-triangular matrix, made when first asked for; packed rows,
/// entry (i, j) at i(i+1)/2 + j. Sums and products of non-negative numbers only, so every entry of power k is
/// within a relative roundings(k) · 2^−bits of the true one. Memory: n²/2 numbers of bits/8 + 32 bytes a
/// power; time: n³/6 multiply-adds a squaring.
class PowerLadder {
  public:
    explicit PowerLadder(const FloatMatrix& matrix);

    int nodes() const { return nodes_; }
    mpfr_prec_t bits() const { return bits_; }
    const FloatArray& power(std::size_t k);
    /// Bound on the roundings behind one entry of power k: R_{k+1} = 2·R_k + n.
    double roundings(std::size_t k) const;

    /// out ← row · M^(2^k); adds roundings(k) + n roundings to those of `row`.
    void advance(const FloatArray& row, std::size_t k, FloatArray& out);
    /// out ← M^(2^k) · column.
    void advance_column(const FloatArray& column, std::size_t k, FloatArray& out);

  private:
    int nodes_;
    mpfr_prec_t bits_;
    double entry_roundings_;
    std::deque<FloatArray> powers_;  // a deque: references to powers stay valid as more are made
};

/// Position of (row, column), column ≤ row, in a packed lower triangle.
inline std::size_t packed(std::size_t row, std::size_t column) {
    return row * (row + 1) / 2 + column;
}

}  // namespace crosshead
