// Time per step of dense propagation, n = 100 to 4096.
#include <fmt/format.h>

#include <cmath>
#include <crosshead/numeric/dense_propagation.hpp>
#include <memory>
#include <random>
#include <thread>

#include "suite.hpp"

namespace crosshead::bench {
namespace {

constexpr std::size_t steps = 100;

// Goals: careful hand-written code that this replaces, on the machine that it was written for.
constexpr double goal_hundred_steps = 31e-6;    // n = 100, all 100 steps
constexpr double goal_streamed_step = 1.6e-3;   // n = 4096, every step reads the matrix from memory
constexpr double goal_one_pass_step = 0.25e-3;  // n = 4096, all steps in one pass

/// Random row-stochastic matrix: full causal attention with weights in (0, 1].
template <typename Real>
DenseTriangle<Real> random_diffusion(int nodes) {
    std::mt19937_64 random(1);
    DenseTriangle<Real> matrix(nodes);
    std::vector<double> row(static_cast<std::size_t>(nodes));
    for (int i = 0; i < nodes; ++i) {
        double total = 0;
        for (int j = 0; j <= i; ++j)
            total += row[static_cast<std::size_t>(j)] = static_cast<double>((random() >> 40) + 1) * 0x1p-24;
        for (int j = 0; j <= i; ++j)
            matrix.set(i, j, static_cast<Real>(row[static_cast<std::size_t>(j)] / total));
    }
    return matrix;
}

template <typename Real>
std::vector<Real> from_sink(int nodes) {
    std::vector<Real> x(static_cast<std::size_t>(nodes));
    x.back() = 1;
    return x;
}

template <typename Real>
std::vector<Real> step_by_step(const DenseTriangle<Real>& matrix) {
    std::vector<Real> x = from_sink<Real>(matrix.nodes()), next(x.size());
    for (std::size_t t = 0; t < steps; ++t) {
        propagate_dense<Real>(matrix, x, next);
        std::swap(x, next);
    }
    return x;
}

template <typename Real>
std::vector<Real> computed_ahead(const DenseTriangle<Real>& matrix) {
    DensePropagation<Real> propagation(matrix, from_sink<Real>(matrix.nodes()));
    for (std::size_t t = 0; t < steps; ++t) propagation.step();
    return {propagation.current().begin(), propagation.current().end()};
}

template <typename Real>
std::vector<Real> one_pass(const DenseTriangle<Real>& matrix, int threads) {
    const DenseTrajectory<Real> all(matrix, from_sink<Real>(matrix.nodes()), steps,
                                    {DensePath::automatic, threads});
    return {all[steps].begin(), all[steps].end()};
}

/// The forms must agree within twice their bound before their times are compared.
template <typename Real>
void check_forms(Suite& suite, const DenseTriangle<Real>& matrix) {
    const auto bound = dense_error_bound<Real>(matrix.nodes(), steps, 0);
    const auto reference = step_by_step(matrix);
    bool agree = true;
    for (const auto& other : {computed_ahead(matrix), one_pass(matrix, 1), one_pass(matrix, 2)})
        for (std::size_t j = 0; j < reference.size(); ++j)
            agree = agree && bound.lower(other[j]) <= bound.upper(reference[j]) &&
                    bound.lower(reference[j]) <= bound.upper(other[j]);
    suite.check(fmt::format("n = {}, {}: all forms agree after {} steps within the bound, relative {:.2g}",
                            matrix.nodes(), sizeof(Real) == 8 ? "double" : "float", steps, bound.relative),
                agree);
}

template <typename Real>
void add_size(Suite& suite, int nodes) {
    const auto matrix = std::make_shared<DenseTriangle<Real>>(random_diffusion<Real>(nodes));
    check_forms(suite, *matrix);
    const bool is_double = sizeof(Real) == 8, hundred = nodes == 100, largest = nodes == 4096;
    const std::string real = is_double ? "double" : "float";
    const double shown = hundred ? 1 : static_cast<double>(steps);
    const double share = static_cast<double>(steps) / shown;
    const double flops = share * nodes * (nodes + 1.0);
    const double bytes = share * static_cast<double>(DenseTriangle<Real>::bytes(nodes));
    const auto row = [&](const std::string& form, std::function<void()> call) {
        Row r{.group = hundred ? "n = 100, all 100 steps" : fmt::format("n = {}, time of one step", nodes),
              .what = fmt::format("{}, {}", form, real),
              .call = std::move(call),
              .parts = shown,
              .peak = is_double ? peak_double : peak_float};
        r.key = fmt::format("n = {}: {}", nodes, r.what);
        r.flops = flops;
        if (hundred) r.goal = goal_hundred_steps;
        return r;
    };
    Row streamed = row("step by step", [matrix] { step_by_step(*matrix); });
    if (largest) {  // beyond the caches: memory is the limit, not arithmetic
        streamed.flops = 0;
        streamed.bytes = bytes;
        streamed.peak = peak_read;
    }
    if (largest) streamed.goal = goal_streamed_step;
    const std::string streamed_key = streamed.key;
    suite.add(streamed);
    Row ahead = row("step by step, computed ahead", [matrix] { computed_ahead(*matrix); });
    ahead.against = {streamed_key};
    suite.add(ahead);
    for (const int threads : {1, 2}) {
        if (threads == 2 && (!largest || std::thread::hardware_concurrency() < 2)) continue;
        Row pass = row(threads == 1 ? "one pass" : "one pass, 2 threads",
                       [matrix, threads] { one_pass(*matrix, threads); });
        pass.against = {streamed_key};
        pass.elapsed = threads > 1;
        if (largest) pass.goal = goal_one_pass_step;
        suite.add(pass);
    }
}

}  // namespace

void add_propagation(Suite& suite) {
    for (const int nodes : {100, 256, 1024, 4096}) {
        add_size<double>(suite, nodes);
        add_size<float>(suite, nodes);
    }
}

}  // namespace crosshead::bench
