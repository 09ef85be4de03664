// The quantities of differentiable_system.hpp on tensors, for autograd. Private to trainer/'s .cpp files: it
// includes LibTorch.
#pragma once

#include <torch/torch.h>

#include <crosshead/trainer/differentiable_system.hpp>
#include <vector>

namespace crosshead {

/// x_0, x_1 = x_0·step, …: row vectors, made when first asked for.
class Trajectory {
  public:
    Trajectory(torch::Tensor start, torch::Tensor step) : step_(std::move(step)) {
        states_.push_back(std::move(start));
    }

    const torch::Tensor& at(int t) {
        while (states_.size() <= static_cast<std::size_t>(t)) states_.push_back(states_.back().matmul(step_));
        return states_[static_cast<std::size_t>(t)];
    }
    const torch::Tensor& step() const { return step_; }

  private:
    torch::Tensor step_;
    std::vector<torch::Tensor> states_;
};

/// What follows from one W and one Δ: a head's, or the mixture's.
class DifferentiableProcess {
  public:
    /// n × n matrices; `passes`, by node: the share of what it holds that it does not keep for want of
    /// in-edges (differentiable_system.hpp).
    DifferentiableProcess(const torch::Tensor& walk, const torch::Tensor& diffusion, torch::Tensor passes);

    /// 1 − W[j][j] of every non-sink node, summed from what leaves.
    const torch::Tensor& leak() const { return leak_; }
    Trajectory& survivors() { return survivors_; }  // by start 0..n−2: not yet in the sink
    Trajectory& reverse() { return reverse_; }      // by start 1..n−1: not yet in node 0
    Trajectory& signal() { return signal_; }        // row τ of Δ^t
    /// Expected steps to the sink from 0..n−2.
    const torch::Tensor& absorption();
    /// φ_j of every node.
    const torch::Tensor& fidelities();

  private:
    torch::Tensor source_fidelity();
    torch::Tensor largest_signals();

    int nodes_;
    torch::Tensor walk_, leak_, passes_, absorption_, fidelities_;
    Trajectory survivors_, reverse_, signal_;
};

/// Everything that a request may ask for at one setting of the parameters; each part is computed once.
class DifferentiableMeasurement {
  public:
    /// `weights`: H × n × n lower triangular, destination × source, all in the triangle > 0; α, β: H.
    DifferentiableMeasurement(const torch::Tensor& weights, torch::Tensor alpha, torch::Tensor beta);

    /// Requires a request that the system can answer.
    torch::Tensor value(const QuantityRequest& request);

  private:
    torch::Tensor forward_probability_bound();

    int nodes_;
    torch::Tensor alpha_, beta_;
    std::vector<DifferentiableProcess> processes_;  // the mixture first
};

}  // namespace crosshead
