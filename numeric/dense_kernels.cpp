#include <algorithm>
#include <crosshead/numeric/dense_kernels.hpp>
#include <cstring>

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define CROSSHEAD_X86 1
#include <immintrin.h>
#else
#define CROSSHEAD_X86 0
#endif

// The loops over registers must unroll fully at every optimisation level, or the accumulators go to memory.
#if defined(__clang__)
#define CROSSHEAD_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CROSSHEAD_UNROLL _Pragma("GCC unroll 16")
#endif

namespace crosshead::dense {
namespace portable {

#define CROSSHEAD_CODE
#define CROSSHEAD_INLINE inline __attribute__((always_inline))

/// As many lanes as the AVX2 version, so that both sum in the same order; products are rounded apart.
/// Two 16-byte halves: what every 64-bit processor has.
template <typename Real>
struct Lanes {
    static constexpr int count = static_cast<int>(32 / sizeof(Real));
    typedef Real Half __attribute__((vector_size(16)));
    static constexpr int half = count / 2;
    struct Vector {
        Half first, second;
    };
    CROSSHEAD_INLINE static Half load_half(const Real* from) {
        Half h;
        std::memcpy(&h, from, sizeof h);
        return h;
    }
    CROSSHEAD_INLINE static Vector zero() { return {Half{}, Half{}}; }
    CROSSHEAD_INLINE static Vector load(const Real* from) {
        return {load_half(from), load_half(from + half)};
    }
    CROSSHEAD_INLINE static Vector load_any(const Real* from) { return load(from); }
    CROSSHEAD_INLINE static Vector broadcast(const Real* from) {
        const Half h = Half{} + *from;
        return {h, h};
    }
    CROSSHEAD_INLINE static void store(Real* to, Vector v) {
        std::memcpy(to, &v.first, sizeof v.first);
        std::memcpy(to + half, &v.second, sizeof v.second);
    }
    CROSSHEAD_INLINE static Vector add(Vector a, Vector b) {
        return {a.first + b.first, a.second + b.second};
    }
    CROSSHEAD_INLINE static Vector multiply_add(Vector a, Vector b, Vector c) {
        return {a.first * b.first + c.first, a.second * b.second + c.second};
    }
};

#include "dense_kernels.inl"
#undef CROSSHEAD_CODE
#undef CROSSHEAD_INLINE

}  // namespace portable

template <typename Real>
const Kernels<Real>& portable_kernels() {
    return portable::table<Real>;
}

#if CROSSHEAD_X86
namespace avx2 {

#define CROSSHEAD_CODE __attribute__((target("avx2,fma")))
#define CROSSHEAD_INLINE inline __attribute__((always_inline, target("avx2,fma")))

template <typename Real>
struct Lanes;

template <>
struct Lanes<double> {
    static constexpr int count = 4;
    using Vector = __m256d;
    CROSSHEAD_INLINE static Vector zero() { return _mm256_setzero_pd(); }
    CROSSHEAD_INLINE static Vector load(const double* from) { return _mm256_load_pd(from); }
    CROSSHEAD_INLINE static Vector load_any(const double* from) { return _mm256_loadu_pd(from); }
    CROSSHEAD_INLINE static Vector broadcast(const double* from) { return _mm256_broadcast_sd(from); }
    CROSSHEAD_INLINE static void store(double* to, Vector v) { _mm256_storeu_pd(to, v); }
    CROSSHEAD_INLINE static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
    CROSSHEAD_INLINE static Vector multiply_add(Vector a, Vector b, Vector c) {
        return _mm256_fmadd_pd(a, b, c);
    }
};

template <>
struct Lanes<float> {
    static constexpr int count = 8;
    using Vector = __m256;
    CROSSHEAD_INLINE static Vector zero() { return _mm256_setzero_ps(); }
    CROSSHEAD_INLINE static Vector load(const float* from) { return _mm256_load_ps(from); }
    CROSSHEAD_INLINE static Vector load_any(const float* from) { return _mm256_loadu_ps(from); }
    CROSSHEAD_INLINE static Vector broadcast(const float* from) { return _mm256_broadcast_ss(from); }
    CROSSHEAD_INLINE static void store(float* to, Vector v) { _mm256_storeu_ps(to, v); }
    CROSSHEAD_INLINE static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
    CROSSHEAD_INLINE static Vector multiply_add(Vector a, Vector b, Vector c) {
        return _mm256_fmadd_ps(a, b, c);
    }
};

#include "dense_kernels.inl"
#undef CROSSHEAD_CODE
#undef CROSSHEAD_INLINE

}  // namespace avx2

bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has;
}

template <typename Real>
const Kernels<Real>& avx2_kernels() {
    return avx2::table<Real>;
}

#else

bool has_avx2() {
    return false;
}

template <typename Real>
const Kernels<Real>& avx2_kernels() {
    return portable::table<Real>;
}

#endif

template const Kernels<double>& portable_kernels<double>();
template const Kernels<float>& portable_kernels<float>();
template const Kernels<double>& avx2_kernels<double>();
template const Kernels<float>& avx2_kernels<float>();

}  // namespace crosshead::dense
