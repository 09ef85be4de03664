#include <algorithm>
#include <crosshead/exact/limb_sums.hpp>

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define CROSSHEAD_X86 1
#include <immintrin.h>
#else
#define CROSSHEAD_X86 0
#endif

namespace crosshead::limbs {
namespace {

constexpr std::uint64_t low_half = 0xffffffffu;

#if CROSSHEAD_X86

/// The eight words in two vectors, four accumulators.
template <bool Units>
__attribute__((target("avx2"))) void sum_halves_avx2_as(const mp_limb_t* from, std::size_t stride,
                                                        const Term* terms, std::size_t count,
                                                        std::uint64_t* low, std::uint64_t* high) {
    const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(low_half));
    __m256i low0 = _mm256_setzero_si256(), low1 = low0, high0 = low0, high1 = low0;
    for (std::size_t e = 0; e < count; ++e) {
        const auto* words =
            reinterpret_cast<const __m256i*>(from + static_cast<std::size_t>(terms[e].row) * stride);
        const __m256i word0 = _mm256_loadu_si256(words), word1 = _mm256_loadu_si256(words + 1);
        __m256i l0, l1, h0 = _mm256_srli_epi64(word0, 32), h1 = _mm256_srli_epi64(word1, 32);
        if constexpr (Units) {
            l0 = _mm256_and_si256(word0, mask);
            l1 = _mm256_and_si256(word1, mask);
        } else {  // the product reads the low halves alone
            const __m256i factor = _mm256_set1_epi64x(static_cast<long long>(terms[e].coefficient));
            l0 = _mm256_mul_epu32(word0, factor);
            l1 = _mm256_mul_epu32(word1, factor);
            h0 = _mm256_mul_epu32(h0, factor);
            h1 = _mm256_mul_epu32(h1, factor);
        }
        low0 = _mm256_add_epi64(low0, l0);
        low1 = _mm256_add_epi64(low1, l1);
        high0 = _mm256_add_epi64(high0, h0);
        high1 = _mm256_add_epi64(high1, h1);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(low), low0);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(low) + 1, low1);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(high), high0);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(high) + 1, high1);
}

void sum_halves_avx2(const mp_limb_t* from, std::size_t stride, const Term* terms, std::size_t count,
                     bool units, std::uint64_t* low, std::uint64_t* high) {
    if (units) return sum_halves_avx2_as<true>(from, stride, terms, count, low, high);
    return sum_halves_avx2_as<false>(from, stride, terms, count, low, high);
}

#endif

}  // namespace

void sum_halves_portable(const mp_limb_t* from, std::size_t stride, const Term* terms, std::size_t count,
                         bool units, std::uint64_t* low, std::uint64_t* high) {
    std::uint64_t lows[chunk_words] = {}, highs[chunk_words] = {};
    for (std::size_t e = 0; e < count; ++e) {
        const mp_limb_t* words = from + static_cast<std::size_t>(terms[e].row) * stride;
        const std::uint64_t coefficient = terms[e].coefficient;
        if (units) {
            for (std::size_t w = 0; w < chunk_words; ++w) lows[w] += words[w] & low_half;
            for (std::size_t w = 0; w < chunk_words; ++w) highs[w] += words[w] >> 32;
        } else {
            for (std::size_t w = 0; w < chunk_words; ++w) lows[w] += (words[w] & low_half) * coefficient;
            for (std::size_t w = 0; w < chunk_words; ++w) highs[w] += (words[w] >> 32) * coefficient;
        }
    }
    std::copy_n(lows, chunk_words, low);
    std::copy_n(highs, chunk_words, high);
}

SumHalves best_sum_halves() {
#if CROSSHEAD_X86
    if (__builtin_cpu_supports("avx2")) return sum_halves_avx2;
#endif
    return sum_halves_portable;
}

std::uint64_t join_halves(const std::uint64_t* low, const std::uint64_t* high, std::uint64_t carry,
                          mp_limb_t* to) {
    for (std::size_t w = 0; w < chunk_words; ++w) {
        const std::uint64_t first = low[w] + carry;
        const std::uint64_t second = high[w] + (first >> 32);
        to[w] = (first & low_half) | (second << 32);
        carry = second >> 32;
    }
    return carry;
}

}  // namespace crosshead::limbs
