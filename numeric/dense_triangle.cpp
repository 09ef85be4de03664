#include <fmt/format.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/numeric/dense_kernels.hpp>
#include <crosshead/numeric/dense_triangle.hpp>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace crosshead {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

int checked_nodes(int nodes) {
    if (nodes < 1) throw InputError(fmt::format("dense matrix: {} nodes; at least 1 is needed", nodes));
    return nodes;
}

}  // namespace

void* allocate_dense(std::size_t bytes) {
    const bool large = bytes >= 2 * huge_page;
    const std::size_t alignment = large ? huge_page : cache_line;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr && bytes > 0) throw std::bad_alloc();
#if defined(__linux__)
    if (large) madvise(memory, bytes, MADV_HUGEPAGE);  // advice only: without it the pages are small
#endif
    return memory;
}

void release_dense(void* memory) noexcept {
    std::free(memory);
}

template <typename Real>
DenseTriangle<Real>::DenseTriangle(int nodes) : nodes_(checked_nodes(nodes)) {
    entries_.resize(bytes(nodes) / sizeof(Real), Real{0});
}

template <typename Real>
DenseTriangle<Real>::DenseTriangle(int nodes, std::span<const Real> row_major) : DenseTriangle(nodes) {
    const auto size = static_cast<std::size_t>(nodes);
    if (row_major.size() != size * size)
        throw InputError(
            fmt::format("dense matrix: {} values given for {} × {} nodes", row_major.size(), nodes, nodes));
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < nodes; ++j) {
            const Real value = row_major[static_cast<std::size_t>(i) * size + static_cast<std::size_t>(j)];
            if (value != 0 || j <= i) set(i, j, value);
        }
}

template <typename Real>
DenseTriangle<Real> DenseTriangle<Real>::mixture(std::span<const DenseTriangle> heads,
                                                 std::span<const Real> weights) {
    if (heads.empty() || heads.size() != weights.size())
        throw InputError(
            fmt::format("dense mixture: {} heads under {} weights", heads.size(), weights.size()));
    for (std::size_t h = 0; h < heads.size(); ++h) {
        if (!std::isfinite(weights[h]) || weights[h] < 0)
            throw InputError(fmt::format("dense mixture: weight {} of head {} is not a number ≥ 0",
                                         static_cast<double>(weights[h]), h));
        if (heads[h].nodes() != heads.front().nodes())
            throw InputError(fmt::format("dense mixture: head {} has {} nodes, head 0 has {}", h,
                                         heads[h].nodes(), heads.front().nodes()));
    }
    DenseTriangle sum(heads.front().nodes());
    // Blocks small enough to stay in the first-level cache while every head is added.
    constexpr std::size_t block = 8192 / sizeof(Real);
    const std::size_t count = sum.entries_.size();
    const auto& kernels = dense::best_kernels<Real>();
    for (std::size_t begin = 0; begin < count; begin += block)
        for (std::size_t h = 0; h < heads.size(); ++h)
            kernels.add_scaled(heads[h].entries_.data() + begin, weights[h], sum.entries_.data() + begin,
                               std::min(block, count - begin));
    return sum;
}

template <typename Real>
std::size_t DenseTriangle<Real>::bytes(int nodes) {
    const auto width = static_cast<std::size_t>(panel_width);
    std::size_t entries = 0;
    for (std::size_t first = 0; first < static_cast<std::size_t>(nodes); first += width)
        entries += width * (static_cast<std::size_t>(nodes) - first);
    return entries * sizeof(Real);
}

template <typename Real>
void DenseTriangle<Real>::set(int destination, int source, Real value) {
    if (destination < 0 || destination >= nodes_ || source < 0 || source > destination)
        throw InputError(
            fmt::format("dense matrix of {} nodes: entry ({}, {}) = {} lies outside the lower triangle",
                        nodes_, destination, source, static_cast<double>(value)));
    if (!std::isfinite(value) || value < 0)
        throw InputError(fmt::format("dense matrix: entry ({}, {}) = {} is not a number ≥ 0", destination,
                                     source, static_cast<double>(value)));
    entries_[position(destination, source)] = value;
}

template class DenseTriangle<double>;
template class DenseTriangle<float>;

}  // namespace crosshead
