#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/rational.hpp>
#include <crosshead/numeric/dense_propagation.hpp>
#include <limits>
#include <random>
#include <stdexcept>

namespace crosshead {
namespace {

constexpr int odd_sizes[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 257, 300};

/// Entries that make every power have entries ≤ 1: row i holds numbers below 1/(i+1), some of them zero, some
/// tiny, some subnormal, on request all of them tiny.
template <typename Real>
DenseTriangle<Real> random_triangle(int nodes, std::uint64_t seed, bool all_tiny = false) {
    std::mt19937_64 random(seed);
    DenseTriangle<Real> matrix(nodes);
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j <= i; ++j) {
            const auto share = static_cast<Real>(static_cast<double>(random() >> 40) * 0x1p-24 / (i + 1));
            switch (random() % 8) {
                case 0:
                    matrix.set(i, j, 0);
                    break;
                case 1:
                    matrix.set(i, j,
                               std::numeric_limits<Real>::denorm_min() * static_cast<Real>(1 + random() % 5));
                    break;
                case 2:
                    matrix.set(i, j, share * std::numeric_limits<Real>::min() * 1024);
                    break;
                default:
                    matrix.set(i, j, all_tiny ? share * std::sqrt(std::numeric_limits<Real>::min()) : share);
            }
        }
    return matrix;
}

template <typename Real>
std::vector<Real> unit_vector(int nodes, int node) {
    std::vector<Real> x(static_cast<std::size_t>(nodes));
    x[static_cast<std::size_t>(node)] = 1;
    return x;
}

using ExactVector = std::vector<Rational>;

template <typename Real>
ExactVector exact_step(const DenseTriangle<Real>& matrix, const ExactVector& x) {
    ExactVector out(x.size());
    for (int j = 0; j < matrix.nodes(); ++j)
        for (int i = j; i < matrix.nodes(); ++i)
            out[static_cast<std::size_t>(j)] += x[static_cast<std::size_t>(i)] *
                                                rational_from_dyadic(static_cast<double>(matrix.entry(i, j)));
    return out;
}

/// True when every entry lies within the bound; the enclosure that the bound yields must hold it too.
template <typename Real>
bool within(const DenseErrorBound& bound, std::span<const Real> computed, const ExactVector& exact) {
    for (std::size_t j = 0; j < exact.size(); ++j) {
        const auto value = static_cast<double>(computed[j]);
        const Rational error = abs(rational_from_dyadic(value) - exact[j]);
        if (error > rational_from_dyadic(bound.relative) * exact[j] + rational_from_dyadic(bound.absolute))
            return false;
        if (rational_from_dyadic(bound.lower(value)) > exact[j]) return false;
        if (std::isfinite(bound.upper(value)) && rational_from_dyadic(bound.upper(value)) < exact[j])
            return false;
    }
    return true;
}

/// All three forms on one path against exact arithmetic, step by step.
template <typename Real>
void expect_bounded(const DenseTriangle<Real>& matrix, int start, std::size_t steps, DensePath path) {
    const auto x0 = unit_vector<Real>(matrix.nodes(), start);
    const DenseOptions options{path, 2};
    const DenseTrajectory<Real> trajectory(matrix, x0, steps, options);
    DensePropagation<Real> propagation(matrix, x0, options);
    std::vector<Real> x = x0, next(x0.size());
    ExactVector exact(x0.begin(), x0.end());
    for (std::size_t t = 1; t <= steps; ++t) {
        exact = exact_step(matrix, exact);
        propagate_dense<Real>(matrix, x, next, path);
        std::swap(x, next);
        const auto bound = dense_error_bound<Real>(matrix.nodes(), t, 0);
        ASSERT_TRUE(within<Real>(bound, x, exact)) << "step, t = " << t << ", n = " << matrix.nodes();
        ASSERT_TRUE(within<Real>(bound, trajectory[t], exact))
            << "pass, t = " << t << ", n = " << matrix.nodes();
        ASSERT_TRUE(within<Real>(bound, propagation.step(), exact)) << "ahead, t = " << t;
        ASSERT_EQ(propagation.time(), t);
    }
}

TEST(DensePropagation, AgreesWithExactArithmeticWithinItsBound) {
    for (const DensePath path : {DensePath::automatic, DensePath::portable})
        for (const int nodes : {1, 2, 3, 7, 8, 9, 17, 33}) {
            const auto seed = static_cast<std::uint64_t>(nodes);
            expect_bounded(random_triangle<double>(nodes, seed), nodes - 1, 9, path);
            expect_bounded(random_triangle<float>(nodes, seed), nodes - 1, 9, path);
            expect_bounded(random_triangle<double>(nodes, seed, true), nodes - 1, 9, path);
            expect_bounded(random_triangle<float>(nodes, seed, true), nodes - 1, 9, path);
        }
    for (const int nodes : {63, 64, 65, 100})
        expect_bounded(random_triangle<double>(nodes, 5), nodes - 1, 2, DensePath::automatic);
}

RC_GTEST_PROP(DensePropagation, AgreesWithExactArithmeticOnRandomMatrices, ()) {
    const int nodes = *rc::gen::inRange(1, 21);
    const int start = *rc::gen::inRange(0, nodes);
    const auto matrix = random_triangle<double>(nodes, *rc::gen::arbitrary<std::uint64_t>());
    const auto path = *rc::gen::element(DensePath::automatic, DensePath::portable);
    expect_bounded(matrix, start, static_cast<std::size_t>(*rc::gen::inRange(1, 8)), path);
    RC_ASSERT(!::testing::Test::HasFailure());
}

TEST(DensePropagation, TheBoundIsTightEnoughToCatchAWrongValue) {
    const auto matrix = random_triangle<double>(20, 1);
    const auto x0 = unit_vector<double>(20, 19);
    const DenseTrajectory<double> trajectory(matrix, x0, 1);
    const ExactVector exact = exact_step(matrix, ExactVector(x0.begin(), x0.end()));
    std::vector<double> wrong(trajectory[1].begin(), trajectory[1].end());
    const auto bound = dense_error_bound<double>(20, 1, 0);
    ASSERT_TRUE(within<double>(bound, wrong, exact));
    const auto largest = std::max_element(wrong.begin(), wrong.end());
    *largest *= 1 + 1e-14;
    EXPECT_FALSE(within<double>(bound, wrong, exact));
}

/// |a - b| within twice the bound, entry by entry: what two paths may differ by.
template <typename Real>
void expect_close(std::span<const Real> a, std::span<const Real> b, const DenseErrorBound& bound, int nodes) {
    for (std::size_t j = 0; j < a.size(); ++j) {
        const double first = static_cast<double>(a[j]), second = static_cast<double>(b[j]);
        ASSERT_LE(bound.lower(first), bound.upper(second)) << "n = " << nodes << ", node " << j;
        ASSERT_LE(bound.lower(second), bound.upper(first)) << "n = " << nodes << ", node " << j;
    }
}

template <typename Real>
void expect_paths_agree(int nodes) {
    const std::size_t steps = 205;  // more than two chunks
    const auto matrix = random_triangle<Real>(nodes, 3);
    const auto x0 = unit_vector<Real>(nodes, nodes - 1);
    const DenseTrajectory<Real> one(matrix, x0, steps), three(matrix, x0, steps, {DensePath::automatic, 3});
    const DenseTrajectory<Real> portable(matrix, x0, steps, {DensePath::portable, 1});
    DensePropagation<Real> ahead(matrix, x0);
    std::vector<Real> x = x0, next(x0.size());
    for (std::size_t t = 1; t <= steps; ++t) {
        const auto bound = dense_error_bound<Real>(nodes, t, 0);
        propagate_dense<Real>(matrix, x, next);
        std::swap(x, next);
        ASSERT_TRUE(std::equal(one[t].begin(), one[t].end(), three[t].begin())) << "threads, t = " << t;
        expect_close<Real>(one[t], portable[t], bound, nodes);
        expect_close<Real>(one[t], x, bound, nodes);
        expect_close<Real>(one[t], ahead.step(), bound, nodes);
    }
}

TEST(DensePropagation, FormsPathsAndThreadsAgree) {
    for (const int nodes : odd_sizes) {
        expect_paths_agree<double>(nodes);
        expect_paths_agree<float>(nodes);
    }
}

TEST(DensePropagation, ManyBlocksOfColumns) {
    // More than two blocks of 32 panels, and a last panel that is not full.
    const int nodes = 601;
    const auto matrix = random_triangle<double>(nodes, 8);
    const auto x0 = unit_vector<double>(nodes, nodes - 1);
    const DenseTrajectory<double> all(matrix, x0, 100), threads(matrix, x0, 100, {DensePath::automatic, 4});
    std::vector<double> x = x0, next(x0.size());
    for (std::size_t t = 1; t <= 100; ++t) {
        propagate_dense<double>(matrix, x, next);
        std::swap(x, next);
        expect_close<double>(all[t], x, dense_error_bound<double>(nodes, t, 0), nodes);
        ASSERT_TRUE(std::equal(all[t].begin(), all[t].end(), threads[t].begin()));
    }
}

TEST(DensePropagation, RefusesWrongSizes) {
    const DenseTriangle<double> matrix(4);
    std::vector<double> four(4), five(5);
    EXPECT_THROW(propagate_dense<double>(matrix, five, four), std::invalid_argument);
    EXPECT_THROW(propagate_dense<double>(matrix, four, five), std::invalid_argument);
    EXPECT_THROW(DensePropagation<double>(matrix, five), std::invalid_argument);
    EXPECT_THROW(DenseTrajectory<double>(matrix, five, 3), std::invalid_argument);
    EXPECT_THROW(DenseTrajectory<double>(matrix, four, 3, {DensePath::automatic, 0}), std::invalid_argument);
    EXPECT_EQ(DenseTrajectory<double>(matrix, four, 0).steps(), 0u);
}

TEST(DenseErrorBound, GrowsAndSaysWhenItIsVoid) {
    const auto one = dense_error_bound<double>(100, 1, 2), many = dense_error_bound<double>(100, 1000, 2);
    EXPECT_GE(one.relative, 102 * 0x1p-53);
    EXPECT_LT(one.relative, 103 * 0x1p-53);
    EXPECT_GT(many.relative, 999 * one.relative);
    EXPECT_GT(one.absolute, 0);
    EXPECT_TRUE(std::isinf(dense_error_bound<float>(4096, 100'000, 1).relative));
    EXPECT_TRUE(std::isinf(dense_error_bound<float>(4096, 100'000, 1).upper(0.5)));
    EXPECT_EQ(dense_error_bound<float>(4096, 100'000, 1).lower(0.5), 0);
    // Segments shorten the chains of large systems.
    EXPECT_EQ(dense_roundings_per_step(100), 100);
    EXPECT_LT(dense_roundings_per_step(4096), 300);
    EXPECT_GT(one.upper(0.5), 0.5);
    EXPECT_LT(one.lower(0.5), 0.5);
    EXPECT_EQ(one.lower(0), 0);
    EXPECT_GE(one.upper(0), one.absolute);
}

template <typename Real>
std::size_t stored_bytes(const DenseTriangle<Real>& matrix) {
    const int last = matrix.panels() - 1;
    const auto rows = static_cast<std::size_t>(matrix.nodes() - last * DenseTriangle<Real>::panel_width);
    return static_cast<std::size_t>(matrix.panel(last) - matrix.panel(0)) * sizeof(Real) + rows * 64;
}

TEST(DenseTriangle, KeepsEntriesAndStatesItsSize) {
    for (const int nodes : odd_sizes) {
        const auto size = static_cast<std::size_t>(nodes);
        std::vector<double> square(size * size);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j <= i; ++j) square[i * size + j] = static_cast<double>(i * size + j);
        const DenseTriangle<double> matrix(nodes, square);
        for (int i = 0; i < nodes; ++i)
            for (int j = 0; j < nodes; ++j)
                ASSERT_EQ(matrix.entry(i, j),
                          square[static_cast<std::size_t>(i) * size + static_cast<std::size_t>(j)]);
        EXPECT_EQ(DenseTriangle<double>::bytes(nodes), stored_bytes(matrix));
        EXPECT_EQ(DenseTriangle<float>::bytes(nodes), stored_bytes(DenseTriangle<float>(nodes)));
    }
}

TEST(DenseTriangle, RefusesWhatIsNotANonNegativeTriangle) {
    EXPECT_THROW(DenseTriangle<double>(0), InputError);
    EXPECT_THROW(DenseTriangle<double>(2, std::vector<double>(3)), InputError);
    EXPECT_THROW(DenseTriangle<double>(2, std::vector<double>{1, 0.5, 0, 1}), InputError);
    EXPECT_THROW(DenseTriangle<double>(2, std::vector<double>{1, 0, -1, 1}), InputError);
    DenseTriangle<double> matrix(2);
    EXPECT_THROW(matrix.set(0, 1, 0), InputError);
    EXPECT_THROW(matrix.set(2, 0, 0), InputError);
    EXPECT_THROW(matrix.set(1, -1, 0), InputError);
    EXPECT_THROW(matrix.set(1, 0, std::nan("")), InputError);
    EXPECT_THROW(matrix.set(1, 0, std::numeric_limits<double>::infinity()), InputError);
}

TEST(DenseTriangle, MixtureRoundsAtMostOnceAHead) {
    const int nodes = 41;
    std::vector<DenseTriangle<double>> heads;
    for (std::uint64_t h = 0; h < 8; ++h) heads.push_back(random_triangle<double>(nodes, h));
    const std::vector<double> weights = {0.125, 0.25, 0.0625, 0.0625, 0.1, 0.15, 0, 0.25};
    const auto mixture = DenseTriangle<double>::mixture(heads, weights);
    const Rational unit = rational_from_dyadic(0x1p-53), tiny = rational_from_dyadic(8 * 0x1p-1074);
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j <= i; ++j) {
            Rational exact = 0;
            for (std::size_t h = 0; h < 8; ++h)
                exact += rational_from_dyadic(weights[h]) * rational_from_dyadic(heads[h].entry(i, j));
            const Rational error = abs(rational_from_dyadic(mixture.entry(i, j)) - exact);
            ASSERT_LE(error, 9 * unit * exact + tiny) << i << ", " << j;
        }
    EXPECT_THROW(DenseTriangle<double>::mixture({}, {}), InputError);
    EXPECT_THROW(DenseTriangle<double>::mixture(heads, std::vector<double>(7, 0.1)), InputError);
    EXPECT_THROW(DenseTriangle<double>::mixture(heads, std::vector<double>(8, -0.1)), InputError);
    heads.push_back(DenseTriangle<double>(3));
    EXPECT_THROW(DenseTriangle<double>::mixture(heads, std::vector<double>(9, 0.1)), InputError);
}

}  // namespace
}  // namespace crosshead
