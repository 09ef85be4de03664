// The quantities of a system of real weights straight from the definitions: plain loops, no LibTorch.
#pragma once

#include <algorithm>
#include <cmath>
#include <crosshead/trainer/differentiable_system.hpp>
#include <numeric>
#include <vector>

namespace crosshead::test {

using Matrix = std::vector<std::vector<double>>;

inline std::size_t triangle(std::size_t i, std::size_t j) {
    return i * (i + 1) / 2 + j;
}

/// W and Δ of the mixture, or of one head, by the definitions.
struct Naive {
    std::size_t n;
    Matrix walk, diffusion;
    std::vector<double> passes;  // by node

    Naive(const RelaxedSystem& system, int head) : n(static_cast<std::size_t>(system.nodes)) {
        walk = diffusion = Matrix(n, std::vector<double>(n, 0.0));
        std::vector<double> keeps(n, 1.0);
        for (std::size_t h = 0; h < system.heads.size(); ++h) {
            if (head >= 0 && h != static_cast<std::size_t>(head)) continue;
            const auto& w = system.heads[h];
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j <= i; ++j) {
                    double out = 0, in = 0;
                    for (std::size_t k = j; k < n; ++k) out += w[triangle(k, j)];
                    for (std::size_t k = 0; k <= i; ++k) in += w[triangle(i, k)];
                    walk[i][j] += (head >= 0 ? 1 : system.walk_weights[h]) * w[triangle(i, j)] / out;
                    diffusion[i][j] += (head >= 0 ? 1 : system.diffusion_weights[h]) * w[triangle(i, j)] / in;
                    if (j < i) keeps[i] *= 1 - std::min(w[triangle(i, j)], 1.0);
                }
        }
        for (const double kept : keeps) passes.push_back(1 - kept);
    }

    std::vector<double> after_a_step(const std::vector<double>& x) const {
        std::vector<double> next(n, 0.0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) next[j] += x[i] * diffusion[i][j];
        return next;
    }
    std::vector<double> signal(int t) const {
        std::vector<double> x(n, 0.0);
        x[n - 1] = 1;
        for (; t > 0; --t) x = after_a_step(x);
        return x;
    }
    /// 1 − P(absorbed by `target` within t steps) from each node; `step`[to][from].
    std::vector<double> survivors(const Matrix& step, std::size_t target, int t) const {
        std::vector<double> s(n, 1.0);
        s[target] = 0;
        for (; t > 0; --t) {
            std::vector<double> next(n, 0.0);
            for (std::size_t from = 0; from < n; ++from)
                if (from != target)
                    for (std::size_t to = 0; to < n; ++to) next[from] += step[to][from] * s[to];
            s = next;
        }
        return s;
    }
    std::vector<double> forward(int t) const { return survivors(walk, n - 1, t); }
    std::vector<double> reverse(int t) const {
        Matrix transposed = diffusion;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) transposed[j][i] = diffusion[i][j];
        return survivors(transposed, 0, t);
    }
    /// Expected steps to the sink, as the sum of the survivors over all t.
    std::vector<double> absorption() const {
        std::vector<double> sum(n, 0.0), s = forward(0);
        while (*std::max_element(s.begin(), s.end()) > 1e-15) {
            std::vector<double> next(n, 0.0);
            for (std::size_t from = 0; from + 1 < n; ++from) {
                sum[from] += s[from];
                for (std::size_t to = 0; to < n; ++to) next[from] += walk[to][from] * s[to];
            }
            s = next;
        }
        return sum;
    }
    double least_leak() const {
        double least = 1;
        for (std::size_t j = 0; j + 1 < n; ++j) least = std::min(least, 1 - walk[j][j]);
        return least;
    }
    std::vector<double> fidelities() const {
        std::vector<double> best(n, 0.0), inflow(n, 0.0);
        std::vector<double> x = signal(0);
        for (int t = 1; t < 5000; ++t) {
            x = after_a_step(x);
            for (std::size_t j = 1; j < n; ++j) best[j] = std::max(best[j], x[j]);
        }
        inflow[n - 1] = 1;
        for (std::size_t k = n; --k > 0;)
            for (std::size_t j = 0; j < k; ++j)
                inflow[j] += inflow[k] * passes[k] * diffusion[k][j] / (1 - diffusion[k][k]);
        best[0] = inflow[0];
        return best;
    }
};

inline double largest(const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
}
inline double smallest(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

/// First t at which factor·max survivors is below ε.
template <class Survivors>
int naive_time(double factor, double epsilon, const Survivors& survivors) {
    int t = 0;
    while (factor * largest(survivors(t)) >= epsilon) ++t;
    return t;
}

/// What a request must give, but for mixing times.
inline double expected(const RelaxedSystem& system, const QuantityRequest& r) {
    const Naive of(system, r.head);
    const auto node = static_cast<std::size_t>(r.node), head = static_cast<std::size_t>(r.head);
    switch (r.quantity) {
        case DifferentiableQuantity::forward_probability: {
            if (r.head >= 0) return of.least_leak();
            double sum = 0;
            for (std::size_t h = 0; h < system.heads.size(); ++h)
                sum += system.walk_weights[h] * Naive(system, static_cast<int>(h)).least_leak();
            return sum;
        }
        case DifferentiableQuantity::mixture_forward_probability:
            return Naive(system, -1).least_leak();
        case DifferentiableQuantity::walk_weight:
            return system.walk_weights[head];
        case DifferentiableQuantity::diffusion_weight:
            return system.diffusion_weights[head];
        case DifferentiableQuantity::distance:
            return 2 * largest(of.forward(r.step));
        case DifferentiableQuantity::survivors:
            return of.forward(r.step)[node];
        case DifferentiableQuantity::signal:
            return of.signal(r.step)[node];
        case DifferentiableQuantity::mass: {
            const auto signal = of.signal(r.step);
            return std::accumulate(signal.begin() + r.node, signal.end(), 0.0);
        }
        case DifferentiableQuantity::absorption_mean: {
            const auto absorption = of.absorption();
            return std::accumulate(absorption.begin(), absorption.end(), 0.0) / system.nodes;
        }
        case DifferentiableQuantity::absorption_worst:
            return largest(of.absorption());
        case DifferentiableQuantity::absorption:
            return of.absorption()[node];
        case DifferentiableQuantity::fidelity:
            return smallest(of.fidelities());
        case DifferentiableQuantity::fidelity_without_sink: {
            const auto fidelities = of.fidelities();
            return smallest({fidelities.begin(), fidelities.end() - 1});
        }
        case DifferentiableQuantity::node_fidelity:
            return of.fidelities()[node];
        default:
            return std::nan("");
    }
}

inline bool is_time(DifferentiableQuantity quantity) {
    return quantity == DifferentiableQuantity::mixing_time ||
           quantity == DifferentiableQuantity::mixing_time_tv ||
           quantity == DifferentiableQuantity::reverse_mixing_time ||
           quantity == DifferentiableQuantity::reverse_mixing_time_tv;
}

inline int expected_time(const RelaxedSystem& system, const QuantityRequest& r) {
    const Naive of(system, r.head);
    const bool forward = r.quantity == DifferentiableQuantity::mixing_time ||
                         r.quantity == DifferentiableQuantity::mixing_time_tv;
    const bool l1 = r.quantity == DifferentiableQuantity::mixing_time ||
                    r.quantity == DifferentiableQuantity::reverse_mixing_time;
    return naive_time(l1 ? 2 : 1, r.epsilon, [&](int t) { return forward ? of.forward(t) : of.reverse(t); });
}

}  // namespace crosshead::test
