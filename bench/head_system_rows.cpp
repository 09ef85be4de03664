// The main job at H = 8, n = 100: mix the heads, then 100 steps of both operators, against what is usually
// done instead: full matrix powers, and random walks.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <crosshead/numeric/dense_propagation.hpp>
#include <memory>
#include <random>

#include "suite.hpp"

namespace crosshead::bench {
namespace {

constexpr int heads = 8;
constexpr int nodes = 100;
constexpr std::size_t steps = 100;
constexpr int walks = 500;  // the published estimate: capped at 100 steps each
constexpr std::array epsilons = {0.5, 0.25, 0.1, 0.01};
/// Roundings behind an entry of a mixture: sums of a row and a column, two quotients, eight products and
/// sums.
constexpr int entry_roundings = 2 * nodes + 2 + heads;

/// Eight random causal heads, normalised as walks and as diffusions, under equal weights.
struct Heads {
    std::vector<DenseTriangle<double>> walk, diffusion;
    std::vector<Eigen::MatrixXd> walk_square, diffusion_square;
    std::vector<double> weights = std::vector<double>(heads, 1.0 / heads);
};

Eigen::MatrixXd lower_triangle(const DenseTriangle<double>& matrix) {
    Eigen::MatrixXd square(nodes, nodes);
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < nodes; ++j) square(i, j) = matrix.entry(i, j);
    return square;
}

/// Attention that fades over a few positions, as trained heads' does, so that walks take tens of steps.
Heads random_heads() {
    std::mt19937_64 random(2);
    Heads result;
    for (int h = 0; h < heads; ++h) {
        Eigen::MatrixXd attention = Eigen::MatrixXd::Zero(nodes, nodes);
        const double reach = 1.0 + h;
        for (int i = 0; i < nodes; ++i)
            for (int j = 0; j <= i; ++j)
                attention(i, j) =
                    static_cast<double>((random() >> 40) + 1) * 0x1p-24 * std::exp((j - i) / reach);
        DenseTriangle<double> walk(nodes), diffusion(nodes);
        for (int i = 0; i < nodes; ++i) attention.row(i) /= attention.row(i).sum();
        for (int i = 0; i < nodes; ++i)
            for (int j = 0; j <= i; ++j) {
                diffusion.set(i, j, attention(i, j));
                walk.set(i, j, attention(i, j) / attention.col(j).sum());
            }
        result.walk_square.push_back(lower_triangle(walk));
        result.diffusion_square.push_back(lower_triangle(diffusion));
        result.walk.push_back(std::move(walk));
        result.diffusion.push_back(std::move(diffusion));
    }
    return result;
}

struct Answers {
    std::array<double, nodes> fidelity{};               // max over 1 ≤ t ≤ 100 of (Δ̄^t)[τ][j]
    std::array<std::size_t, epsilons.size()> mixing{};  // T_mix(ε), 0 where it lies beyond 100 steps
    std::array<bool, epsilons.size()> undecided{};      // an enclosure straddled ε
    double capped_absorption = 0;                       // E[min(T, 100)], mean over all starts
};

/// Survivors of the walk and row τ of the diffusion, each step with its error bound.
Answers certified(const Heads& system) {
    const auto walk = DenseTriangle<double>::mixture(system.walk, system.weights);
    const auto diffusion = DenseTriangle<double>::mixture(system.diffusion, system.weights);
    std::array<double, nodes> survivors, sink{};
    survivors.fill(1);
    survivors.back() = 0;
    sink.back() = 1;
    const DenseTrajectory<double> surviving(walk, survivors, steps), fed(diffusion, sink, steps);
    Answers answers;
    for (std::size_t t = 0; t <= steps; ++t) {
        const auto bound = dense_error_bound<double>(nodes, t, entry_roundings);
        const auto row = surviving[t];
        double largest = 0, total = 0;
        for (const double s : row) {
            largest = std::max(largest, s);
            total += s;
        }
        if (t < steps) answers.capped_absorption += total / nodes;
        for (std::size_t e = 0; e < epsilons.size(); ++e) {
            if (answers.mixing[e] != 0) continue;
            if (2 * bound.upper(largest) < epsilons[e])
                answers.mixing[e] = t;
            else if (2 * bound.lower(largest) < epsilons[e])
                answers.undecided[e] = true;
        }
        if (t == 0) continue;
        for (std::size_t j = 0; j < nodes; ++j)
            answers.fidelity[j] = std::max(answers.fidelity[j], fed[t][j]);
    }
    return answers;
}

/// The same answers from full matrix powers (Eigen's product, compiled for the same baseline processor).
Answers dense_powers(const Heads& system) {
    Eigen::MatrixXd walk = Eigen::MatrixXd::Zero(nodes, nodes), diffusion = walk;
    for (std::size_t h = 0; h < heads; ++h) {
        walk += system.weights[h] * system.walk_square[h];
        diffusion += system.weights[h] * system.diffusion_square[h];
    }
    Eigen::MatrixXd walked = Eigen::MatrixXd::Identity(nodes, nodes), fed = walked, product(nodes, nodes);
    Answers answers;
    for (std::size_t t = 0; t <= steps; ++t) {
        const Eigen::VectorXd surviving = 1 - walked.row(nodes - 1).array();
        if (t < steps) answers.capped_absorption += surviving.sum() / nodes;
        for (std::size_t e = 0; e < epsilons.size(); ++e)
            if (answers.mixing[e] == 0 && 2 * surviving.maxCoeff() < epsilons[e]) answers.mixing[e] = t;
        if (t > 0)
            for (int j = 0; j < nodes; ++j) {
                double& best = answers.fidelity[static_cast<std::size_t>(j)];
                best = std::max(best, fed(nodes - 1, j));
            }
        product.noalias() = walked * walk;
        walked.swap(product);
        product.noalias() = fed * diffusion;
        fed.swap(product);
    }
    return answers;
}

struct Estimate {
    double mean = 0, standard_error = 0;
};

/// Mean of min(T, 100) over random walks: a head at random, then a step of its walk by binary search in a
/// cumulative column. `each_start`: that many walks from every node, else in total from nodes at random.
Estimate monte_carlo(const Heads& system, bool each_start) {
    std::mt19937_64 random(3);
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::vector<std::vector<double>> cumulative(heads, std::vector<double>(nodes * nodes));
    for (std::size_t h = 0; h < heads; ++h)
        for (int j = 0; j < nodes; ++j) {
            double total = 0;
            for (int i = j; i < nodes; ++i)
                cumulative[h][static_cast<std::size_t>(j * nodes + i)] = total += system.walk_square[h](i, j);
        }
    double sum = 0, squares = 0;
    const int count = each_start ? walks * nodes : walks;
    for (int w = 0; w < count; ++w) {
        int at = each_start ? w / walks : static_cast<int>(uniform() * nodes);
        int taken = 0;
        for (; at != nodes - 1 && taken < static_cast<int>(steps); ++taken) {
            const double* column = cumulative[random() % heads].data() + at * nodes;
            const auto next = std::upper_bound(column + at, column + nodes, uniform()) - column;
            at = std::min(static_cast<int>(next), nodes - 1);
        }
        sum += taken;
        squares += static_cast<double>(taken) * taken;
    }
    const double mean = sum / count;
    return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / count)};
}

void check_answers(Suite& suite, const Heads& system) {
    const Answers ours = certified(system), theirs = dense_powers(system);
    double difference = 0;
    for (std::size_t j = 0; j < nodes; ++j)
        difference = std::max(difference, std::abs(ours.fidelity[j] / theirs.fidelity[j] - 1));
    suite.check(fmt::format("H = 8: fidelities of dense powers agree (largest relative difference {:.1g})",
                            difference),
                difference < 1e-11);
    suite.check(
        fmt::format("H = 8: mixing times of dense powers agree (ε = 1/2: {}, 1/100: {}; 0 means beyond "
                    "100 steps), none undecided",
                    ours.mixing[0], ours.mixing[3]),
        ours.mixing == theirs.mixing && ours.undecided == decltype(ours.undecided){});
    const Estimate few = monte_carlo(system, false), many = monte_carlo(system, true);
    suite.check(
        fmt::format("H = 8: mean steps to the sink, capped at 100: {:.9f}; Monte Carlo {:.2f} ± {:.2f} from "
                    "500 walks, {:.3f} ± {:.3f} from 500 a start",
                    ours.capped_absorption, few.mean, few.standard_error, many.mean, many.standard_error),
        std::abs(few.mean - ours.capped_absorption) < 5 * few.standard_error &&
            std::abs(many.mean - ours.capped_absorption) < 5 * many.standard_error &&
            std::abs(ours.capped_absorption / theirs.capped_absorption - 1) < 1e-11);
}

}  // namespace

void add_head_system(Suite& suite) {
    const auto system = std::make_shared<Heads>(random_heads());
    check_answers(suite, *system);
    const auto row = [](const std::string& what, std::function<void()> call) {
        return Row{.group = "H = 8, n = 100: heads mixed, 100 steps, both operators",
                   .what = what,
                   .call = std::move(call)};
    };
    const std::string dense = "dense powers (Eigen)", few = "Monte Carlo, 500 walks",
                      many = "Monte Carlo, 500 walks a start";
    suite.add(row(dense, [system] { dense_powers(*system); }));
    suite.add(row(few, [system] { monte_carlo(*system, false); }));
    suite.add(row(many, [system] { monte_carlo(*system, true); }));
    Row ours = row("Crosshead, certified", [system] { certified(*system); });
    ours.against = {dense, few, many};
    suite.add(ours);
}

}  // namespace crosshead::bench
