#include <algorithm>
#include <crosshead/trainer/differentiable_measurement.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

using torch::Tensor;

constexpr int mixing_horizon = 64;      // times n
constexpr int fidelity_horizon = 8;     // times n
constexpr int fidelity_doublings = 32;  // beyond it: until edges of weight 2e-9 have carried their share

std::size_t idx(std::int64_t i) {
    return static_cast<std::size_t>(i);
}
torch::TensorOptions doubles() {
    return torch::TensorOptions().dtype(torch::kFloat64);
}

/// The first t at which factor·(largest survivor) is below ε, log-linear between steps. Continuous: where
/// d(T−1) falls to ε the value is T−1, from either side.
Tensor mixing_time(Trajectory& survivors, double factor, double epsilon, int horizon) {
    Tensor before;
    for (int t = 0;; ++t) {
        const Tensor now = factor * survivors.at(t).max();
        if (now.item<double>() < epsilon) {
            if (t == 0) return torch::zeros({}, doubles());
            return t - 1 + (before / epsilon).log() / (before / now).log();
        }
        if (t == horizon) return t + (now / epsilon).log();
        before = now;
    }
}

}  // namespace

DifferentiableProcess::DifferentiableProcess(const Tensor& walk, const Tensor& diffusion, Tensor passes)
    : nodes_(static_cast<int>(walk.size(0))),
      walk_(walk.slice(0, 0, nodes_ - 1).slice(1, 0, nodes_ - 1)),
      leak_(walk.tril(-1).sum(0).slice(0, 0, nodes_ - 1)),
      passes_(std::move(passes)),
      survivors_(torch::ones({nodes_ - 1}, doubles()), walk_),
      reverse_(torch::ones({nodes_ - 1}, doubles()), diffusion.slice(0, 1).slice(1, 1).t()),
      signal_(torch::eye(nodes_, doubles())[nodes_ - 1], diffusion) {}

/// h_j·leak_j − Σ_{k>j} h_k·W[k][j] = 1, by back substitution.
const Tensor& DifferentiableProcess::absorption() {
    if (!absorption_.defined())
        absorption_ = torch::linalg_solve_triangular(torch::diag(leak_) - walk_.tril(-1),
                                                     torch::ones({1, nodes_ - 1}, doubles()), false, false)
                          .squeeze(0);
    return absorption_;
}

const Tensor& DifferentiableProcess::fidelities() {
    if (!fidelities_.defined())
        fidelities_ = torch::cat({source_fidelity().unsqueeze(0), largest_signals().slice(0, 1)});
    return fidelities_;
}

/// The walk down from τ: inflow_j = [j = τ] + Σ_{k>j} inflow_k·passes_k·Δ[k][j]/(Σ_{i<k} Δ[k][i]).
Tensor DifferentiableProcess::source_fidelity() {
    const Tensor below = signal_.step().tril(-1).slice(0, 1);
    const Tensor moves = passes_.slice(0, 1).unsqueeze(1) * below / below.sum(1, true);
    const Tensor stays =
        torch::eye(nodes_, doubles()) - torch::cat({torch::zeros({1, nodes_}, doubles()), moves});
    return torch::linalg_solve_triangular(stays, signal_.at(0).unsqueeze(0), false, false)[0][0];
}

/// max_t (Δ^t)[τ][j] over the times that DifferentiableSystem::values() promises; node 0 is not looked at.
Tensor DifferentiableProcess::largest_signals() {
    std::vector<Tensor> seen;
    std::vector<double> best(idx(nodes_), 0.0);
    // Whether the stopping certificate Σ_{k≥j} (Δ^t)[τ][k] ≤ (largest so far) now closes every j > 0.
    const auto closes = [&](const Tensor& state) {
        seen.push_back(state);
        const double* x = state.data_ptr<double>();
        double mass = 0;
        bool closed = true;
        for (int j = nodes_ - 1; j > 0; --j) {
            mass += x[j];
            best[idx(j)] = std::max(best[idx(j)], x[j]);
            closed = closed && mass <= best[idx(j)];
        }
        return closed;
    };
    const int horizon = fidelity_horizon * nodes_;
    bool closed = false;
    for (int t = 1; t <= horizon && !closed; ++t) closed = closes(signal_.at(t));
    Tensor power = closed ? Tensor() : torch::matrix_power(signal_.step(), horizon);
    for (int k = 0; k < fidelity_doublings && !closed; ++k) {
        closed = closes(seen.back().matmul(power));
        power = power.matmul(power);
    }
    return torch::stack(seen).amax(0);
}

DifferentiableMeasurement::DifferentiableMeasurement(const Tensor& weights, Tensor alpha, Tensor beta)
    : nodes_(static_cast<int>(weights.size(1))), alpha_(std::move(alpha)), beta_(std::move(beta)) {
    const Tensor walk = weights / weights.sum(1, true), diffusion = weights / weights.sum(2, true);
    const Tensor keeps = (1 - weights.tril(-1).clamp_max(1)).prod(2);
    processes_.emplace_back((alpha_.view({-1, 1, 1}) * walk).sum(0),
                            (beta_.view({-1, 1, 1}) * diffusion).sum(0), 1 - keeps.prod(0));
    for (std::int64_t h = 0; h < weights.size(0); ++h)
        processes_.emplace_back(walk[h], diffusion[h], 1 - keeps[h]);
}

Tensor DifferentiableMeasurement::value(const QuantityRequest& request) {
    using Q = DifferentiableQuantity;
    DifferentiableProcess& of = processes_[idx(request.head + 1)];
    const auto time = [&](Trajectory& survivors, double factor) {
        return mixing_time(survivors, factor, request.epsilon, mixing_horizon * nodes_);
    };
    const auto of_start = [&](const Tensor& by_start) {
        return request.node < nodes_ - 1 ? by_start[request.node] : torch::zeros({}, doubles());
    };
    switch (request.quantity) {
        case Q::forward_probability:
            return request.head >= 0 ? of.leak().min() : forward_probability_bound();
        case Q::mixture_forward_probability:
            return processes_[0].leak().min();
        case Q::walk_weight:
            return alpha_[request.head];
        case Q::diffusion_weight:
            return beta_[request.head];
        case Q::mixing_time:
            return time(of.survivors(), 2);
        case Q::mixing_time_tv:
            return time(of.survivors(), 1);
        case Q::reverse_mixing_time:
            return time(of.reverse(), 2);
        case Q::reverse_mixing_time_tv:
            return time(of.reverse(), 1);
        case Q::distance:
            return 2 * of.survivors().at(request.step).max();
        case Q::survivors:
            return of_start(of.survivors().at(request.step));
        case Q::signal:
            return of.signal().at(request.step)[request.node];
        case Q::mass:
            return of.signal().at(request.step).slice(0, request.node).sum();
        case Q::absorption_mean:
            return of.absorption().sum() / nodes_;
        case Q::absorption_worst:
            return of.absorption().max();
        case Q::absorption:
            return of_start(of.absorption());
        case Q::fidelity:
            return of.fidelities().min();
        case Q::fidelity_without_sink:
            return of.fidelities().slice(0, 0, nodes_ - 1).min();
        case Q::node_fidelity:
            return of.fidelities()[request.node];
    }
    throw std::invalid_argument("differentiable system: no such quantity");
}

Tensor DifferentiableMeasurement::forward_probability_bound() {
    std::vector<Tensor> least;
    for (std::size_t h = 1; h < processes_.size(); ++h) least.push_back(processes_[h].leak().min());
    return (alpha_ * torch::stack(least)).sum();
}

}  // namespace crosshead
