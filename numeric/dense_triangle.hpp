// A lower-triangular matrix packed for vector units: half the bytes of the square, every load aligned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace crosshead {

/// Bytes on cache-line boundaries; large blocks ask the kernel for huge pages, since a streamed matrix
/// otherwise misses the TLB every 4 KiB.
void* allocate_dense(std::size_t bytes);
void release_dense(void* memory) noexcept;

/// The standard allocator over the two functions above, for float and double. What is not given a value is
/// left unset: resize(count) writes nothing.
template <typename Real>
struct DenseAllocator {
    using value_type = Real;
    DenseAllocator() = default;
    template <typename Other>
    DenseAllocator(const DenseAllocator<Other>&) noexcept {}
    Real* allocate(std::size_t count) { return static_cast<Real*>(allocate_dense(count * sizeof(Real))); }
    void deallocate(Real* memory, std::size_t) noexcept { release_dense(memory); }
    template <typename Other>
    void construct(Other* place) noexcept {
        ::new (static_cast<void*>(place)) Other;
    }
    template <typename Other, typename... Arguments>
    void construct(Other* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) Other(std::forward<Arguments>(arguments)...);
    }
    friend bool operator==(const DenseAllocator&, const DenseAllocator&) { return true; }
};

template <typename Real>
using DenseBuffer = std::vector<Real, DenseAllocator<Real>>;

/// Non-negative lower-triangular n×n matrix (destination × source), Real = double or float.
///
/// Columns are cut into panels one cache line wide (8 doubles, 16 floats). Panel p covers the columns
/// [p·w, (p+1)·w) and stores its rows p·w..n-1 one after another; what lies above the diagonal inside a
/// panel, or beyond column n, is zero. So x·M reads every byte of the matrix once, in order.
template <typename Real>
class DenseTriangle {
  public:
    static constexpr int panel_width = static_cast<int>(64 / sizeof(Real));  // w

    /// The zero matrix on n ≥ 1 nodes. Throws InputError for n < 1.
    explicit DenseTriangle(int nodes);
    /// From a row-major n×n array. Throws InputError for a wrong size, an entry above the diagonal, and an
    /// entry that is negative or not finite, with its row and column.
    DenseTriangle(int nodes, std::span<const Real> row_major);
    /// Σ_h weights[h] · heads[h], each entry with at most H roundings (H products, H - 1 sums).
    /// Throws InputError for no heads, different sizes, or a weight that is negative or not finite.
    static DenseTriangle mixture(std::span<const DenseTriangle> heads, std::span<const Real> weights);

    /// Bytes that the entries of an n×n matrix take: sizeof(Real) · Σ_p w·(n - p·w) ≈ sizeof(Real)·n(n+w)/2.
    static std::size_t bytes(int nodes);

    int nodes() const { return nodes_; }
    int panels() const { return (nodes_ + panel_width - 1) / panel_width; }

    /// 0 above the diagonal. Requires both indices in 0..n-1.
    Real entry(int destination, int source) const {
        return source > destination ? Real{0} : entries_[position(destination, source)];
    }
    /// Throws InputError unless source ≤ destination, both are nodes, and the value is finite and ≥ 0.
    void set(int destination, int source, Real value);

    /// Rows p·w..n-1 of panel p, w entries a row.
    const Real* panel(int p) const { return entries_.data() + panel_offset(p); }

  private:
    /// Σ_{q<p} w·(n - q·w).
    std::size_t panel_offset(int p) const {
        const auto width = static_cast<std::size_t>(panel_width), before = static_cast<std::size_t>(p);
        return width * (before * static_cast<std::size_t>(nodes_) - width * (before * (before - 1) / 2));
    }
    std::size_t position(int destination, int source) const {
        const int p = source / panel_width;
        return panel_offset(p) + static_cast<std::size_t>(destination - p * panel_width) * panel_width +
               static_cast<std::size_t>(source - p * panel_width);
    }

    int nodes_;
    DenseBuffer<Real> entries_;
};

extern template class DenseTriangle<double>;
extern template class DenseTriangle<float>;

}  // namespace crosshead
