// The inner loops of dense propagation, once in portable C++ and once for AVX2 with FMA.
#pragma once

#include <crosshead/numeric/dense_triangle.hpp>
#include <cstddef>

namespace crosshead::dense {

/// Rows are summed from zero in segments of this many, then the segments are added: shorter chains of
/// roundings, and a block of the matrix (256 cache lines) that stays in the first-level cache.
inline constexpr int segment_rows = 256;

/// Panels that one step sums together: 8 vector accumulators, enough to hide the latency of a fused
/// multiply-add, and one broadcast of x[i] for 8 of them.
inline constexpr int panels_together = 4;

/// Times that one register tile covers: 6 times × one panel are 12 vector accumulators.
inline constexpr int tile_times = 6;

/// c[t] (+)= Σ_{k<depth} x[t]_k · m_k for one panel: x is times × depth, m is depth × w without gaps, c is
/// times × w; `stride` is the distance between times in x and in c. With a diagonal block D (w × w, lower
/// triangular) c[t] += c[t-1] · D follows, where c[-1] lies one stride before c.
template <typename Real>
struct Contribution {
    const Real* x;
    std::size_t stride;
    const Real* m;
    int depth;
    Real* c;
    bool add;              // false: overwrite c
    const Real* diagonal;  // null: no recurrence
};

/// Distances are in entries. w = DenseTriangle<Real>::panel_width.
template <typename Real>
struct Kernels {
    /// out[j] += Σ_i x[i]·M[i][j] for the columns of `count` ≤ panels_together neighbouring panels, the first
    /// starting at column and row `first`, over all rows first..n-1. `panels` points to each panel's first
    /// row; `out` has count·w entries.
    void (*step)(const Real* const* panels, int count, const Real* x, int first, int nodes, Real* out);

    /// The contribution for all t < times, in order of t.
    void (*contribute)(const Contribution<Real>& contribution, int times);

    /// sum[e] += weight · term[e] for e < count, a multiple of w.
    void (*add_scaled)(const Real* term, Real weight, Real* sum, std::size_t count);
};

/// True where this processor runs AVX2 and FMA.
bool has_avx2();

template <typename Real>
const Kernels<Real>& portable_kernels();
/// Requires has_avx2().
template <typename Real>
const Kernels<Real>& avx2_kernels();

template <typename Real>
const Kernels<Real>& best_kernels() {
    return has_avx2() ? avx2_kernels<Real>() : portable_kernels<Real>();
}

}  // namespace crosshead::dense
