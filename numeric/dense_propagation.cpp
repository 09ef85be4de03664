#include <atomic>
#include <cmath>
#include <crosshead/numeric/dense_kernels.hpp>
#include <crosshead/numeric/dense_propagation.hpp>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace crosshead {
namespace {

/// Panels of a block: the later contributions to it are summed while one slice of x (96 times × 256 rows)
/// stays in the second-level cache and the matrix streams past, then its own recurrences run.
constexpr int block_panels = 16;

/// Times in one pass: more would push x out of the second-level cache, fewer would stream the matrix more
/// often.
constexpr std::size_t chunk_steps = 96;

/// Multiply-adds that are worth a thread: about a hundred times what it costs to start one.
constexpr double least_thread_work = 1 << 22;

template <typename Real>
const dense::Kernels<Real>& kernels_for(DensePath path) {
    return path == DensePath::portable ? dense::portable_kernels<Real>() : dense::best_kernels<Real>();
}

/// Entries from one time to the next: whole cache lines, and one more so that no two times of a tile fall on
/// the same cache sets when n is a power of two.
template <typename Real>
std::size_t time_stride(int nodes) {
    constexpr auto width = static_cast<std::size_t>(DenseTriangle<Real>::panel_width);
    return (static_cast<std::size_t>(nodes) + width - 1) / width * width + width;
}

/// Everything that one chunk of times needs: fills times[1..count] from times[0].
template <typename Real>
class Chunk {
  public:
    Chunk(const DenseTriangle<Real>& matrix, const dense::Kernels<Real>& kernels, Real* first_time,
          std::size_t stride, int count)
        : matrix_(matrix), kernels_(kernels), first_(first_time), stride_(stride), count_(count) {}

    static int blocks(const DenseTriangle<Real>& matrix) {
        return (matrix.panels() + block_panels - 1) / block_panels;
    }

    /// Block b counted from the right; blocks 0..b-1 must be done, and times[0] final in this block's
    /// columns.
    void compute_block(int b) const {
        const int end = matrix_.panels() - b * block_panels, begin = std::max(0, end - block_panels);
        const int later = std::min(matrix_.nodes(), end * width);  // first node after the block
        for (int row = later; row < matrix_.nodes(); row += dense::segment_rows) {
            const int depth = std::min(dense::segment_rows, matrix_.nodes() - row);
            for (int p = begin; p < end; ++p) add_rows(p, row, depth, row > later);
        }
        for (int p = end - 1; p >= begin; --p) {
            const int below = std::min(matrix_.nodes(), (p + 1) * width);
            finish(p, below, later - below, later < matrix_.nodes());
        }
    }

  private:
    static constexpr int width = DenseTriangle<Real>::panel_width;

    void add_rows(int p, int row, int depth, bool add, const Real* diagonal = nullptr) const {
        const Real* m = matrix_.panel(p) + static_cast<std::size_t>(row - p * width) * width;
        kernels_.contribute({first_ + row, stride_, m, depth, first_ + stride_ + p * width, add, diagonal},
                            count_);
    }

    /// What the rest of its block gives to panel p, and the recurrence on its diagonal block.
    void finish(int p, int row, int depth, bool add) const {
        if ((p + 1) * width <= matrix_.nodes()) return add_rows(p, row, depth, add, matrix_.panel(p));
        // The last panel has fewer than w rows: complete the diagonal block with zeros.
        alignas(64) Real diagonal[width * width] = {};
        const auto rows = static_cast<std::size_t>(matrix_.nodes() - p * width);
        std::copy_n(matrix_.panel(p), rows * width, diagonal);
        add_rows(p, row, depth, add, diagonal);
    }

    const DenseTriangle<Real>& matrix_;
    const dense::Kernels<Real>& kernels_;
    Real* first_;
    std::size_t stride_;
    int count_;
};

/// Fills times[1..steps] from times[0]. Chunk k may compute a block as soon as chunk k-1 has finished it: it
/// needs the last time of chunk k-1 in that block, and, from its own blocks before, all the later columns.
template <typename Real>
void fill_times(const DenseTriangle<Real>& matrix, Real* times, std::size_t stride, std::size_t steps,
                const DenseOptions& options) {
    if (steps == 0) return;
    const auto& kernels = kernels_for<Real>(options.path);
    const double multiply_adds = static_cast<double>(steps) * matrix.nodes() * matrix.nodes() / 2;
    const auto useful = static_cast<std::size_t>(multiply_adds / least_thread_work) + 1;
    const std::size_t wanted = std::min(static_cast<std::size_t>(options.threads), useful);
    std::size_t chunk = std::min(chunk_steps, (steps + wanted - 1) / wanted);
    chunk = (chunk + dense::tile_times - 1) / dense::tile_times * dense::tile_times;
    const std::size_t chunks = (steps + chunk - 1) / chunk;
    const int blocks = Chunk<Real>::blocks(matrix);
    std::vector<std::atomic<int>> finished(chunks);  // blocks that each chunk has finished
    std::atomic<std::size_t> next_chunk = 0;         // taken in order: the chunk before is always under way
    const auto work = [&] {
        for (std::size_t k = next_chunk++; k < chunks; k = next_chunk++) {
            const std::size_t first = k * chunk, count = std::min(chunk, steps - first);
            const Chunk<Real> own(matrix, kernels, times + first * stride, stride, static_cast<int>(count));
            for (int b = 0; b < blocks; ++b) {
                while (k > 0 && finished[k - 1].load(std::memory_order_acquire) <= b)
                    std::this_thread::yield();
                own.compute_block(b);
                finished[k].store(b + 1, std::memory_order_release);
            }
        }
    };
    std::vector<std::jthread> others;
    try {
        while (others.size() + 1 < std::min(wanted, chunks)) others.emplace_back(work);
    } catch (const std::system_error&) {
        // No more threads to be had: those that run, this one among them, do the work.
    }
    work();
}

/// x_0 and zeros up to the stride: the recurrence of the last panel reads them. Later times are written
/// whole.
template <typename Real>
void set_first_time(DenseBuffer<Real>& values, std::size_t stride, std::span<const Real> x0) {
    std::copy(x0.begin(), x0.end(), values.begin());
    std::fill_n(values.data() + x0.size(), stride - x0.size(), Real{0});
}

template <typename Real>
void require_size(const DenseTriangle<Real>& matrix, std::size_t size, const DenseOptions& options) {
    if (size != static_cast<std::size_t>(matrix.nodes()))
        throw std::invalid_argument("dense propagation: a vector of " + std::to_string(size) +
                                    " entries for " + std::to_string(matrix.nodes()) + " nodes");
    if (options.threads < 1)
        throw std::invalid_argument("dense propagation: " + std::to_string(options.threads) + " threads");
}

}  // namespace

bool dense_uses_avx2() {
    return dense::has_avx2();
}

double DenseErrorBound::lower(double computed) const {
    const double down = -std::numeric_limits<double>::infinity(), up = -down;
    const double numerator = std::nextafter(computed - absolute, down);
    if (!(numerator > 0) || std::isinf(relative)) return 0;
    return std::max(0.0, std::nextafter(numerator / std::nextafter(1 + relative, up), down));
}

double DenseErrorBound::upper(double computed) const {
    const double down = -std::numeric_limits<double>::infinity(), up = -down;
    const double divisor = std::nextafter(1 - relative, down);
    if (!(divisor > 0)) return up;
    return std::nextafter(std::nextafter(computed + absolute, up) / divisor, up);
}

int dense_roundings_per_step(int nodes) {
    constexpr int diagonal_and_block = 20;
    const int segments = (nodes + dense::segment_rows - 1) / dense::segment_rows;
    return std::min(nodes, dense::segment_rows + segments + diagonal_and_block);
}

template <typename Real>
DenseErrorBound dense_error_bound(int nodes, std::size_t steps, int entry_roundings) {
    constexpr double unit = std::numeric_limits<Real>::epsilon() / 2;                // u
    constexpr double half_smallest = std::numeric_limits<Real>::denorm_min() * 0.5;  // η; 0 for double
    const double total =
        static_cast<double>(steps) * (dense_roundings_per_step(nodes) + static_cast<double>(entry_roundings));
    DenseErrorBound bound;
    if (!(total * unit < 0.5)) {
        bound.relative = std::numeric_limits<double>::infinity();
        return bound;
    }
    // Each rounding of the bound itself costs 2^-53; the factor covers all of them, and η = 0 is made good.
    constexpr double outward = 1 + 0x1p-48;
    const double eta = half_smallest > 0 ? half_smallest : std::numeric_limits<double>::denorm_min();
    const double size = nodes;
    bound.relative = total * unit / (1 - total * unit) * outward;
    bound.absolute = 2 * (1 + static_cast<double>(entry_roundings)) * static_cast<double>(steps) * size *
                     size * outward * eta;
    return bound;
}

template <typename Real>
void propagate_dense(const DenseTriangle<Real>& matrix, std::span<const Real> x, std::span<Real> out,
                     DensePath path) {
    require_size(matrix, x.size(), {});
    require_size(matrix, out.size(), {});
    constexpr int width = DenseTriangle<Real>::panel_width, together = dense::panels_together;
    const auto& kernels = kernels_for<Real>(path);
    const Real* panels[together];
    const int count = matrix.panels(), nodes = matrix.nodes();
    for (int p = 0; p < count; p += together) {
        const int group = std::min(together, count - p), first = p * width;
        for (int g = 0; g < group; ++g) panels[g] = matrix.panel(p + g);
        if (first + group * width <= nodes) {
            std::fill_n(out.data() + first, group * width, Real{0});
            kernels.step(panels, group, x.data(), first, nodes, out.data() + first);
        } else {  // the last columns are not a whole panel
            Real sums[together * width] = {};
            kernels.step(panels, group, x.data(), first, nodes, sums);
            std::copy_n(sums, nodes - first, out.data() + first);
        }
    }
}

template <typename Real>
DenseTrajectory<Real>::DenseTrajectory(const DenseTriangle<Real>& matrix, std::span<const Real> x0,
                                       std::size_t steps, const DenseOptions& options)
    : nodes_(matrix.nodes()), steps_(steps), stride_(time_stride<Real>(matrix.nodes())) {
    require_size(matrix, x0.size(), options);
    values_.resize((steps + 1) * stride_);
    set_first_time<Real>(values_, stride_, x0);
    fill_times(matrix, values_.data(), stride_, steps, options);
}

template <typename Real>
std::size_t DenseTrajectory<Real>::bytes(int nodes, std::size_t steps) {
    return sizeof(Real) * (steps + 1) * time_stride<Real>(nodes);
}

template <typename Real>
DensePropagation<Real>::DensePropagation(const DenseTriangle<Real>& matrix, std::span<const Real> x0,
                                         const DenseOptions& options)
    : matrix_(&matrix), options_(options), stride_(time_stride<Real>(matrix.nodes())) {
    require_size(matrix, x0.size(), options);
    values_.resize((chunk_steps + 1) * stride_);
    set_first_time<Real>(values_, stride_, x0);
}

template <typename Real>
std::size_t DensePropagation<Real>::bytes(int nodes) {
    return sizeof(Real) * (chunk_steps + 1) * time_stride<Real>(nodes);
}

template <typename Real>
std::span<const Real> DensePropagation<Real>::step() {
    if (row_ == filled_) compute_ahead();
    ++row_;
    ++time_;
    return current();
}

template <typename Real>
void DensePropagation<Real>::compute_ahead() {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row_ * stride_), stride_, values_.begin());
    row_ = 0;
    constexpr std::size_t tile = dense::tile_times;
    filled_ = std::clamp(time_ / 4 / tile * tile, tile, chunk_steps);
    fill_times(*matrix_, values_.data(), stride_, filled_, options_);
}

template DenseErrorBound dense_error_bound<double>(int, std::size_t, int);
template DenseErrorBound dense_error_bound<float>(int, std::size_t, int);
template void propagate_dense(const DenseTriangle<double>&, std::span<const double>, std::span<double>,
                              DensePath);
template void propagate_dense(const DenseTriangle<float>&, std::span<const float>, std::span<float>,
                              DensePath);
template class DenseTrajectory<double>;
template class DenseTrajectory<float>;
template class DensePropagation<double>;
template class DensePropagation<float>;

}  // namespace crosshead
