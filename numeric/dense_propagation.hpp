// Row-vector propagation x_t = x_{t-1} M for dense lower-triangular M ≥ 0, with its a-priori error bound.
//
// Three forms over the same kernels:
//   propagate_dense    one step; the matrix is streamed once a step.
//   DensePropagation   step after step, the caller decides when to stop; it computes a few steps ahead, so
//   that
//                      the matrix is streamed once for many steps.
//   DenseTrajectory    all T steps in one pass over the matrix.
// The one-pass forms rest on this: the nodes [b, n) receive nothing from nodes before b, so their values are
// final for every t before they feed the columns to their left. Hence what later nodes contribute to a block
// of columns B is a matrix product over all times at once, X[0..T-1][later] · M[later][B], and only the
// recurrence inside B's own diagonal block runs step by step.
#pragma once

#include <crosshead/numeric/dense_triangle.hpp>
#include <cstddef>
#include <span>

namespace crosshead {

/// Which machine code runs. `automatic` takes the best that this processor has.
enum class DensePath { automatic, portable };

/// True where `automatic` runs AVX2 and FMA code.
bool dense_uses_avx2();

/// |computed - exact| ≤ relative · exact + absolute, for every entry of x_t.
struct DenseErrorBound {
    double relative = 0;
    double absolute = 0;
    /// Rigorous bounds, rounded outwards, on the exact value behind a computed one; lower(v) ≥ 0.
    /// upper(v) is infinite where relative ≥ 1.
    double lower(double computed) const;
    double upper(double computed) const;
};

/// The most roundings that one product passes through on its way into an entry of x_t (one step).
///
/// A sum of m products of non-negative numbers, in any order of addition, is a tree in which a product is
/// rounded once (never, with FMA) and then passes at most m - 1 additions: at most m roundings, m ≤ n. The
/// kernels sum segments of 256 rows from zero and then add the segments up, so that 256 + ⌈n/256⌉ + 20 is a
/// bound too, the last term being the block on the diagonal. Adding a zero is exact. The smaller one counts.
int dense_roundings_per_step(int nodes);

/// Error after `steps` steps where every entry of M carries at most `entry_roundings` roundings of relative
/// size u (2^-53, or 2^-24 for float) and x_0 is exact.
///
/// Derivation. Without underflow the computed x_T[j] is the sum over paths of the exact products, each times
/// at most K = T·(roundings_per_step + entry_roundings) factors (1+δ)^±1 with |δ| ≤ u. All terms are ≥ 0, so
/// the relative error is at most γ_K = K·u / (1 - K·u) (Higham, Accuracy and Stability of Numerical
/// Algorithms, §3.1). Underflow: a product or FMA that lands below the normal range errs by at most η = half
/// the smallest subnormal (an addition there is exact); so does each of the operations behind a matrix entry,
/// which is then multiplied by a value ≤ 1. So each entry of each x_t receives at most n·(1 +
/// entry_roundings)·η, which later steps multiply by Σ_i (M^s)[i][j] ≤ n and by 1 + γ_K ≤ 2. Total over the
/// steps: absolute = 2·(1 + entry_roundings)·T·n²·η.
///
/// The absolute term requires that all entries of x_0 and of the powers of M are at most 1; row-stochastic or
/// column-stochastic M and x_0 ≤ 1 with Σ x_0 ≤ 1 (rows) resp. max x_0 ≤ 1 (columns) meet it. It assumes
/// round-to-nearest, and subnormals neither flushed nor read as zero (the state that every C++ program
/// starts in). Returns relative = infinity where K·u ≥ 1/2.
template <typename Real>
DenseErrorBound dense_error_bound(int nodes, std::size_t steps, int entry_roundings);

/// out = x M: out[j] = Σ_{i ≥ j} x[i]·M[i][j]. Both spans have n entries and do not overlap; entries of x are
/// finite and ≥ 0. Throws std::invalid_argument for other sizes.
template <typename Real>
void propagate_dense(const DenseTriangle<Real>& matrix, std::span<const Real> x, std::span<Real> out,
                     DensePath path = DensePath::automatic);

struct DenseOptions {
    DensePath path = DensePath::automatic;
    /// Threads share the times: each takes a chunk of steps and trails the thread before it by one block of
    /// columns. The result is the same bit for bit for every number of threads.
    int threads = 1;
};

/// x_0 .. x_T, time × node.
template <typename Real>
class DenseTrajectory {
  public:
    /// Computes all steps. x0 has n entries. Throws std::invalid_argument for other sizes or threads < 1.
    DenseTrajectory(const DenseTriangle<Real>& matrix, std::span<const Real> x0, std::size_t steps,
                    const DenseOptions& options = {});

    /// sizeof(Real) · (T + 1) · (n rounded up to whole cache lines, plus one line).
    static std::size_t bytes(int nodes, std::size_t steps);

    std::size_t steps() const { return steps_; }
    /// x_t, n entries. Requires t ≤ steps().
    std::span<const Real> operator[](std::size_t t) const {
        return {values_.data() + t * stride_, static_cast<std::size_t>(nodes_)};
    }

  private:
    int nodes_;
    std::size_t steps_, stride_;
    DenseBuffer<Real> values_;
};

/// x_1, x_2, … one at a time. Steps are computed ahead, 6 at first and later a quarter of the steps so far
/// (at most 96): that much is wasted when the caller stops. The matrix must outlive the object.
template <typename Real>
class DensePropagation {
  public:
    /// x0 has n entries. Throws std::invalid_argument otherwise.
    DensePropagation(const DenseTriangle<Real>& matrix, std::span<const Real> x0,
                     const DenseOptions& options = {});

    /// Advances by one step and returns x_t for the new t; valid until the next call.
    std::span<const Real> step();
    /// x_t, and t.
    std::span<const Real> current() const {
        return {values_.data() + row_ * stride_, static_cast<std::size_t>(matrix_->nodes())};
    }
    std::size_t time() const { return time_; }

    /// sizeof(Real) · 97 · (n rounded up to whole cache lines, plus one line).
    static std::size_t bytes(int nodes);

  private:
    void compute_ahead();

    const DenseTriangle<Real>* matrix_;
    DenseOptions options_;
    std::size_t stride_, time_ = 0;
    std::size_t row_ = 0, filled_ = 0;  // rows 0..filled_ of values_ are computed; row_ is the current one
    DenseBuffer<Real> values_;
};

extern template class DenseTrajectory<double>;
extern template class DenseTrajectory<float>;
extern template class DensePropagation<double>;
extern template class DensePropagation<float>;

}  // namespace crosshead
