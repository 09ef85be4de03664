// What the machine can do: streaming reads from memory, and multiply-adds on registers.
#include <benchmark/benchmark.h>

#include <crosshead/numeric/dense_propagation.hpp>
#include <cstdint>
#include <memory>
#include <thread>

#include "suite.hpp"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define CROSSHEAD_X86 1
#include <immintrin.h>
#else
#define CROSSHEAD_X86 0
#endif

// Accumulators must stay in registers at every optimisation level.
#if defined(__clang__)
#define CROSSHEAD_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CROSSHEAD_UNROLL _Pragma("GCC unroll 16")
#endif

namespace crosshead::bench {
namespace {

constexpr std::size_t read_bytes = std::size_t{256} << 20;  // far beyond any cache
constexpr int chains = 12;  // independent multiply-adds: enough to hide their latency
constexpr int rounds = 20'000;
constexpr double flops_per_lane = 2.0 * chains * rounds;

#if CROSSHEAD_X86

/// Two streams side by side: a prefetcher follows several, and one alone reads a third less here.
__attribute__((target("avx2"))) std::uint64_t sum_avx2(const std::uint64_t* words, std::size_t count) {
    __m256i sums[8];
    for (__m256i& sum : sums) sum = _mm256_setzero_si256();
    const std::uint64_t* streams[] = {words, words + count / 2};
    for (std::size_t w = 0; w < count / 2; w += 16) {
        CROSSHEAD_UNROLL
        for (std::size_t s = 0; s < 8; ++s) {
            const auto* vector = reinterpret_cast<const __m256i*>(streams[s / 4] + w + 4 * (s % 4));
            sums[s] = _mm256_add_epi64(sums[s], _mm256_load_si256(vector));
        }
    }
    std::uint64_t total = 0;
    for (const __m256i& sum : sums) total += static_cast<std::uint64_t>(_mm256_extract_epi64(sum, 0));
    return total;
}

__attribute__((target("avx2,fma"))) void multiply_add_avx2_double() {
    __m256d values[chains];
    for (__m256d& value : values) value = _mm256_set1_pd(1);
    const __m256d factor = _mm256_set1_pd(0.999), addend = _mm256_set1_pd(1e-3);
    for (int round = 0; round < rounds; ++round) {
        CROSSHEAD_UNROLL
        for (int k = 0; k < chains; ++k) values[k] = _mm256_fmadd_pd(values[k], factor, addend);
    }
    for (__m256d& value : values) benchmark::DoNotOptimize(value);
}

__attribute__((target("avx2,fma"))) void multiply_add_avx2_float() {
    __m256 values[chains];
    for (__m256& value : values) value = _mm256_set1_ps(1);
    const __m256 factor = _mm256_set1_ps(0.999f), addend = _mm256_set1_ps(1e-3f);
    for (int round = 0; round < rounds; ++round) {
        CROSSHEAD_UNROLL
        for (int k = 0; k < chains; ++k) values[k] = _mm256_fmadd_ps(values[k], factor, addend);
    }
    for (__m256& value : values) benchmark::DoNotOptimize(value);
}

#endif

std::uint64_t sum_portable(const std::uint64_t* words, std::size_t count) {
    std::uint64_t total = 0;
    for (std::size_t w = 0; w < count; ++w) total += words[w];
    return total;
}

/// Products and sums apart, on 16-byte vectors: what the portable kernels may count on.
template <typename Real>
void multiply_add_portable() {
    typedef Real Half __attribute__((vector_size(16)));
    Half values[chains];
    for (Half& value : values) value = Half{} + 1;
    const Half factor = Half{} + static_cast<Real>(0.999), addend = Half{} + static_cast<Real>(1e-3);
    for (int round = 0; round < rounds; ++round) {
        CROSSHEAD_UNROLL
        for (int k = 0; k < chains; ++k) values[k] = values[k] * factor + addend;
    }
    for (Half& value : values) benchmark::DoNotOptimize(value);
}

std::uint64_t sum(const std::uint64_t* words, std::size_t count) {
#if CROSSHEAD_X86
    if (dense_uses_avx2()) return sum_avx2(words, count);
#endif
    return sum_portable(words, count);
}

void read_all(const DenseBuffer<double>& memory, std::size_t threads) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(memory.data());
    const std::size_t share = memory.size() / threads;
    const auto read = [&](std::size_t thread) {
        benchmark::DoNotOptimize(sum(words + thread * share, share));
    };
    std::vector<std::jthread> others;
    for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(read, thread);
    read(0);
}

void add_multiply_add(Suite& suite, const char* name, double lanes, std::function<void()> call) {
    Row row{.group = "Peaks of this machine", .what = name, .call = std::move(call)};
    row.flops = lanes * flops_per_lane;
    row.is_peak = true;
    suite.add(std::move(row));
}

}  // namespace

void add_peaks(Suite& suite) {
    const auto memory = std::make_shared<DenseBuffer<double>>(read_bytes / sizeof(double), 1.0);
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
        if (threads > std::max(1u, std::thread::hardware_concurrency())) continue;
        Row row{.group = "Peaks of this machine",
                .what = threads == 1 ? peak_read : peak_read_2,
                .call = [memory, threads] { read_all(*memory, threads); }};
        row.bytes = static_cast<double>(read_bytes);
        row.elapsed = threads > 1;
        row.is_peak = true;
        suite.add(std::move(row));
    }
#if CROSSHEAD_X86
    if (dense_uses_avx2()) {
        add_multiply_add(suite, peak_double, 4, multiply_add_avx2_double);
        add_multiply_add(suite, peak_float, 8, multiply_add_avx2_float);
        return;
    }
#endif
    add_multiply_add(suite, peak_double, 2, multiply_add_portable<double>);
    add_multiply_add(suite, peak_float, 4, multiply_add_portable<float>);
}

}  // namespace crosshead::bench
