// Head systems with real weights, and the gradient of what is measured on them: for searches that climb.
//
// A system on n nodes with H heads is a function of free parameters (logits). Edge weights run over the box
// whose integer points are searched otherwise: with M the largest edge weight and σ the logistic function,
//     self-loops  w(j→j) = 1 + (M−1)·σ(x),     edges  w(j→i) = M·σ(x)   (M = 1: gates in (0, 1)),
// and head weights are softmaxes. Quantities are those of design §1 for these weights, in double precision,
// with two that an integer cannot express made continuous:
//   - mixing times, log-linear in d between the last step that fails and the first that passes;
//   - the fidelity of node 0, whose only in-edge is its self-loop. Where all weights are positive it is 1
//     whatever they are, since every other node passes on all that it holds. Here node k passes on the share
//     1 − Π_j (1 − min(w(j→k), 1)) and keeps the rest, as a node without in-edges would: exact for integers.
// They are estimates: what is found is rounded and then measured exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace crosshead {

/// Of the mixture, or of one head alone.
enum class DifferentiableQuantity {
    forward_probability,          // head: p_h; mixture: the bound Σ α_h p_h
    mixture_forward_probability,  // p(W̄); always the mixture
    walk_weight,                  // α_h; a head is required
    diffusion_weight,             // β_h; a head is required
    mixing_time,                  // ε; L1, strict, worst start
    mixing_time_tv,               // ε; total variation
    reverse_mixing_time,          // ε; absorbed in node 0
    reverse_mixing_time_tv,
    distance,               // step
    survivors,              // step, node
    signal,                 // step, node
    mass,                   // step, node: every node j..n−1 counts as reachable from j
    absorption_mean,        // over all n starts
    absorption_worst,       //
    absorption,             // node
    fidelity,               // minimum over all nodes
    fidelity_without_sink,  //
    node_fidelity           // node
};

struct QuantityRequest {
    DifferentiableQuantity quantity = DifferentiableQuantity::fidelity;
    int head = -1;  // −1: the mixture
    double epsilon = 0;
    int step = 0;
    int node = 0;
};

struct GradientOptions {
    int nodes = 4;
    int heads = 2;
    std::uint64_t seed = 1;
    double learning_rate = 0.05;  // a logit moves by about this much a step
    bool uniform_edges = true;    // weights are 0 or 1 in the end: M = 1
    int max_edge_weight = 1;      // M, where edges are not uniform
    bool learn_walk_weights = false;
    bool learn_diffusion_weights = false;
    bool tied_weights = false;  // β = α, learned where either is
    int head_weight_grid = 12;  // rounded() shares so many units out among the heads, each at least one
    /// In every head every non-sink node has an out-edge: w(j→j+1…n−1) sums to at least 1 all the time.
    bool every_head_reaches = false;

    /// Throws UsageError naming the option, its value and what it may be.
    void validate() const;
    int largest_weight() const { return uniform_edges ? 1 : max_edge_weight; }
};

/// Lower triangles, [head][i·(i+1)/2 + j] = w(j→i), with α and β.
struct RelaxedSystem {
    int nodes = 0;
    std::vector<std::vector<double>> heads;
    std::vector<double> walk_weights, diffusion_weights;
};

/// The same with integers; α_h and β_h are scores over their sum. Self-loops are at least 1.
struct RoundedSystem {
    int nodes = 0;
    std::vector<std::vector<std::uint32_t>> heads;
    std::vector<std::uint32_t> walk_scores, diffusion_scores;
    friend bool operator==(const RoundedSystem&, const RoundedSystem&) = default;
};

/// The nearest system with integer weights: each head is scaled (which changes neither W nor Δ) so that its
/// largest weight is one of 1..M, rounded, and the scale with the least squared error in W and Δ taken. With
/// every_head_reaches a node that lost all out-edges keeps the heaviest, with weight 1.
RoundedSystem nearest_integers(const RelaxedSystem& system, const GradientOptions& options);

/// values(), then any number of gradient(), then ascend(), and again. Sets the process's arithmetic to one
/// thread (systems are small, and results are the same on every run that way).
class DifferentiableSystem {
  public:
    /// Random parameters, independent standard normal. Throws UsageError as validate() does.
    explicit DifferentiableSystem(const GradientOptions& options);
    ~DifferentiableSystem();
    DifferentiableSystem(DifferentiableSystem&&) noexcept;
    DifferentiableSystem& operator=(DifferentiableSystem&&) noexcept;

    /// The requested quantities at the present parameters, all finite. A mixing time beyond 64·n steps is
    /// 64·n + ln(d/ε) with the d of that step; a fidelity looks at t = 1..8n, which is all where the stopping
    /// certificate closes it, else at t = 8n·2^k too.
    /// Throws std::invalid_argument for a head, node, step or ε that the system does not have.
    std::vector<double> values(std::span<const QuantityRequest> requests);

    /// ∂(Σ_k weights[k]·value[k])/∂parameters for the last values(). Throws std::invalid_argument unless
    /// there is one finite weight for each value.
    std::vector<double> gradient(std::span<const double> weights) const;

    /// One Adam step (β1 = 0.9, β2 = 0.999, ε = 1e-8) uphill along Σ_k gradient[k]·value[k]; forgets the
    /// values. Parameters stay within ±20, so that no edge vanishes altogether and values stay finite.
    /// Throws as gradient() does, and std::overflow_error where the result is not finite.
    void ascend(std::span<const double> gradient);

    /// The logits: H lower triangles of edges as in RelaxedSystem, then those of α and of β as far as they
    /// are learned. Setting them clips to ±20, forgets the values and keeps Adam's moments; throws
    /// std::invalid_argument for another number of them and for NaN.
    std::vector<double> parameters() const;
    void set_parameters(std::span<const double> parameters);

    RelaxedSystem weights() const;

    /// nearest_integers() of weights().
    RoundedSystem rounded() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace crosshead
