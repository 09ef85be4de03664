// From real weights to the nearest integers; without LibTorch.
#include <algorithm>
#include <cmath>
#include <crosshead/trainer/differentiable_system.hpp>

namespace crosshead {
namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}
std::size_t triangle(int i, int j) {
    return idx(i * (i + 1) / 2 + j);
}

/// W and Δ of one head, entry by entry of its triangle, one after the other.
std::vector<double> operators(int nodes, const std::vector<double>& weights) {
    std::vector<double> out(idx(nodes)), in(idx(nodes)), result(2 * weights.size());
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j <= i; ++j) {
            out[idx(j)] += weights[triangle(i, j)];
            in[idx(i)] += weights[triangle(i, j)];
        }
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j <= i; ++j) {
            const std::size_t e = triangle(i, j);
            result[e] = weights[e] / out[idx(j)];
            result[weights.size() + e] = weights[e] / in[idx(i)];
        }
    return result;
}

std::vector<double> scaled_and_rounded(const std::vector<double>& weights, double scale,
                                       const GradientOptions& options) {
    std::vector<double> result(weights.size());
    for (std::size_t e = 0; e < weights.size(); ++e) result[e] = std::round(scale * weights[e]);
    for (int j = 0; j < options.nodes; ++j) {
        result[triangle(j, j)] = std::max(result[triangle(j, j)], 1.0);
        double out = 0;
        int heaviest = j + 1;
        for (int i = j + 1; i < options.nodes; ++i) {
            out += result[triangle(i, j)];
            if (weights[triangle(i, j)] > weights[triangle(heaviest, j)]) heaviest = i;
        }
        if (options.every_head_reaches && out == 0 && heaviest < options.nodes)
            result[triangle(heaviest, j)] = 1;
    }
    return result;
}

std::vector<std::uint32_t> rounded_head(const std::vector<double>& weights, const GradientOptions& options) {
    const double largest = *std::max_element(weights.begin(), weights.end());
    const std::vector<double> target = operators(options.nodes, weights);
    std::vector<double> nearest;
    double least = 0;
    for (int m = 1; m <= options.largest_weight(); ++m) {
        const auto candidate = scaled_and_rounded(weights, m / largest, options);
        const auto reached = operators(options.nodes, candidate);
        double error = 0;
        for (std::size_t e = 0; e < target.size(); ++e)
            error += (reached[e] - target[e]) * (reached[e] - target[e]);
        if (m > 1 && error >= least) continue;
        nearest = candidate;
        least = error;
    }
    return {nearest.begin(), nearest.end()};
}

/// `grid` units shared out as nearly in these proportions as possible, at least one each.
std::vector<std::uint32_t> shared_out(const std::vector<double>& shares, int grid) {
    std::vector<std::uint32_t> units(shares.size(), 1);
    for (int left = grid - static_cast<int>(units.size()); left > 0; --left) {
        std::size_t neediest = 0;
        const auto lacks = [&](std::size_t h) { return shares[h] * grid - units[h]; };
        for (std::size_t h = 1; h < units.size(); ++h)
            if (lacks(h) > lacks(neediest)) neediest = h;
        ++units[neediest];
    }
    return units;
}

}  // namespace

RoundedSystem nearest_integers(const RelaxedSystem& system, const GradientOptions& options) {
    RoundedSystem result;
    result.nodes = system.nodes;
    for (const auto& head : system.heads) result.heads.push_back(rounded_head(head, options));
    const std::vector<std::uint32_t> equal(system.heads.size(), 1);
    const bool either = options.learn_walk_weights || options.learn_diffusion_weights;
    const auto scores = [&](bool learned, const std::vector<double>& shares) {
        return learned ? shared_out(shares, options.head_weight_grid) : equal;
    };
    result.walk_scores =
        scores(options.tied_weights ? either : options.learn_walk_weights, system.walk_weights);
    result.diffusion_scores =
        scores(options.tied_weights ? either : options.learn_diffusion_weights, system.diffusion_weights);
    return result;
}

}  // namespace crosshead
