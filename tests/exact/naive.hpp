// The definitions of design §1, as naively as they can be written: dense rational matrices, full powers,
// linear systems by elimination, sums over paths. Nothing here shares code with what it checks, but for the
// number type.
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <cstddef>
#include <optional>
#include <vector>

namespace crosshead::naive {

using Matrix = std::vector<std::vector<Rational>>;

inline Matrix zeros(std::size_t n) {
    return Matrix(n, std::vector<Rational>(n, Rational(0)));
}

/// w[i][j] = w(j→i) of one head.
inline Matrix weights(const HeadDag& head) {
    Matrix w = zeros(static_cast<std::size_t>(head.nodes()));
    for (std::size_t e = 0; e < head.edge_count(); ++e)
        w[head.destinations()[e]][head.sources()[e]] = head.weight(e);
    return w;
}

/// W̄[i][j] = Σ_h α_h w(j→i) / Σ_i' w(j→i').
inline Matrix walk(const HeadSystem& system) {
    const auto n = static_cast<std::size_t>(system.nodes());
    Matrix result = zeros(n);
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const Matrix w = weights(system.head(h));
        for (std::size_t j = 0; j < n; ++j) {
            Rational column = 0;
            for (std::size_t i = 0; i < n; ++i) column += w[i][j];
            for (std::size_t i = 0; i < n; ++i) result[i][j] += system.walk_weights()[h] * w[i][j] / column;
        }
    }
    return result;
}

/// Δ̄[i][j] = Σ_h β_h w(j→i) / Σ_j' w(j'→i).
inline Matrix diffusion(const HeadSystem& system) {
    const auto n = static_cast<std::size_t>(system.nodes());
    Matrix result = zeros(n);
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const Matrix w = weights(system.head(h));
        for (std::size_t i = 0; i < n; ++i) {
            Rational row = 0;
            for (std::size_t j = 0; j < n; ++j) row += w[i][j];
            for (std::size_t j = 0; j < n; ++j) result[i][j] += system.diffusion_weights()[h] * w[i][j] / row;
        }
    }
    return result;
}

inline Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result = zeros(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a.size(); ++k)
            for (std::size_t j = 0; j < a.size(); ++j) result[i][j] += a[i][k] * b[k][j];
    return result;
}

inline Matrix identity(std::size_t n) {
    Matrix result = zeros(n);
    for (std::size_t i = 0; i < n; ++i) result[i][i] = 1;
    return result;
}

/// min{t ≤ most : 2·max_j (1 − (W^t)[target][j]) < ε} for column-stochastic W; nullopt where no such t.
inline std::optional<std::size_t> mixing_time(const Matrix& walk, std::size_t target, const Rational& epsilon,
                                              std::size_t most) {
    Matrix power = identity(walk.size());
    for (std::size_t t = 0; t <= most; ++t) {
        Rational distance = 0;
        for (std::size_t j = 0; j < walk.size(); ++j)
            distance = std::max(distance, Rational(2 * (1 - power[target][j])));
        if (distance < epsilon) return t;
        power = product(walk, power);
    }
    return std::nullopt;
}

/// max over 1 ≤ t ≤ most of (Δ^t)[τ][j], and the first t that attains it.
struct Maximum {
    Rational value = -1;
    std::size_t at = 0;
};
inline std::vector<Maximum> fidelity(const Matrix& diffusion, std::size_t most) {
    const std::size_t n = diffusion.size();
    std::vector<Maximum> best(n);
    Matrix power = identity(n);
    for (std::size_t t = 1; t <= most; ++t) {
        power = product(power, diffusion);
        for (std::size_t j = 0; j < n; ++j)
            if (power[n - 1][j] > best[j].value) best[j] = {power[n - 1][j], t};
    }
    return best;
}

/// Expected steps to τ from every start: (I − Q)ᵀ h = 1 over the non-sink nodes, by Gauss–Jordan elimination.
/// nullopt where the system is singular (some start may never arrive).
inline std::optional<std::vector<Rational>> absorption(const Matrix& walk) {
    const std::size_t m = walk.size() - 1;
    std::vector<std::vector<Rational>> a(m, std::vector<Rational>(m + 1, Rational(0)));
    for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t i = 0; i < m; ++i) a[j][i] = Rational(i == j ? 1 : 0) - walk[i][j];
        a[j][m] = 1;
    }
    for (std::size_t c = 0; c < m; ++c) {
        std::size_t pivot = c;
        while (pivot < m && a[pivot][c] == 0) ++pivot;
        if (pivot == m) return std::nullopt;
        std::swap(a[pivot], a[c]);
        for (std::size_t r = 0; r < m; ++r) {
            if (r == c || a[r][c] == 0) continue;
            const Rational factor = a[r][c] / a[c][c];
            for (std::size_t k = c; k <= m; ++k) a[r][k] -= factor * a[c][k];
        }
    }
    std::vector<Rational> times;
    for (std::size_t j = 0; j < m; ++j) times.push_back(a[j][m] / a[j][j]);
    times.push_back(0);
    return times;
}

/// (Δ^t)[τ][j] as the sum over all node sequences τ = v_0 ≥ v_1 ≥ … ≥ v_t = j of the products of entries.
inline Rational path_sum(const Matrix& diffusion, std::size_t from, std::size_t to, std::size_t steps) {
    if (steps == 0) return from == to ? 1 : 0;
    Rational sum = 0;
    for (std::size_t next = to; next <= from; ++next)
        if (diffusion[from][next] != 0)
            sum += diffusion[from][next] * path_sum(diffusion, next, to, steps - 1);
    return sum;
}

}  // namespace crosshead::naive
