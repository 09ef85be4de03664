// Eight small walks and diffusions side by side, in certified doubles: the inner loop of every search.
//
// Error. All numbers are sums of products of non-negative doubles. With u = 2⁻⁵³: an entry Σ_h α_h w/s
// carries at most (H + 2) roundings, and a step y_j = Σ_i x_i M[i][j] adds at most n more to what x carries.
// So after t steps a number x stands for a true value in x·(1 ± γ_t), γ_t = t·(n + H + 3)·u·(1 + 2⁻²⁰), as
// long as nothing underflows; anything below `smallest` is treated as unknown. Zeros are exact where the
// smallest entry says that t steps cannot underflow: they are empty sums. Nothing is allocated after
// construction.
#pragma once

#include <array>
#include <crosshead/proofs_check/conjecture/fast_arithmetic.hpp>
#include <crosshead/proofs_check/search/small_head.hpp>
#include <cstdint>
#include <memory>

namespace crosshead {

/// A head's normalised entries, each rounded once; and its graph as bit masks.
struct PreparedHead {
    std::array<double, small_entries> walk{}, diffusion{};
    std::array<std::uint8_t, max_small_nodes> out{};  // bit i of out[j]: edge j → i, i > j
    double least_entry = 1;                           // smallest positive entry of either
    /// Walk columns and diffusion rows are all defined. Requires a positive in-weight at every node.
    PreparedHead() = default;
    PreparedHead(const SmallHead& head, int nodes);
};

class OperatorBatch {
  public:
    static constexpr int lanes = 8;
    static constexpr int max_steps = 128;
    static constexpr int max_heads = 8;

    OperatorBatch();
    ~OperatorBatch();

    /// Eight mixtures of `heads` heads on `nodes` nodes, all self-loops there: prepared[h·lanes + lane], with
    /// walk weights alpha[h] and diffusion weights beta[h], all > 0. Nothing of the heads is kept.
    void load(int nodes, int heads, const PreparedHead* const* prepared, const double* alpha,
              const double* beta);

    /// 1 − (W^t)[τ][j]; row τ of Δ^t at j; and max over j and sum over j of the survivors.
    FastNumber survivors(int lane, int step, int node);
    FastNumber signal(int lane, int step, int node);
    FastNumber largest_survivors(int lane, int step);
    FastNumber sum_of_survivors(int lane, int step);
    /// max over i of P(the walk down from i, along Δ, is not yet in node 0 after t steps).
    FastNumber largest_reverse_survivors(int lane, int step);
    FastNumber sum_of_reverse_survivors(int lane, int step);
    /// m_j(t) of the stopping certificate.
    FastNumber mass(int lane, int step, int node);
    /// φ_j, and bounds on the first step that attains it.
    FastNumber fidelity(int lane, int node);
    FastNumber peak(int lane, int node);
    bool attained(int lane, int node) const { return in_degree(lane, node) > 1; }
    /// min over the first `count` nodes of φ_j.
    FastNumber minimax_fidelity(int lane, int count);
    /// Expected steps to the sink from j; infinity where it may not be reached.
    FastNumber absorption(int lane, int node);

    bool unique_source(int lane) const;
    bool reaches_sink(int lane) const { return byte(all_reach_, lane) != 0; }
    /// Bit k: j reaches k (itself included).
    std::uint8_t reached(int lane, int node) const { return byte(reach_[idx(node)], lane); }
    /// Edges of the union, self-loop not counted: bit i of the result: j → i.
    std::uint8_t out_edges(int lane, int node) const { return byte(out_[idx(node)], lane); }
    int in_degree(int lane, int node) const { return byte(in_degree_[idx(node)], lane); }
    int longest_path(int lane, int node) const;
    double diffusion_entry(int lane, int i, int j) const;
    /// A number that is at most 1 by definition, and that at most as many roundings made as `steps` steps of
    /// the mixture take.
    FastNumber probability(double value, int steps) const {
        FastNumber result = enclosed(value, steps);
        result.upper = std::min(result.upper, 1.0);
        return result;
    }
    /// Relative error of a value after `steps` steps.
    double relative_error(int steps) const { return steps * error_per_step_; }

  private:
    /// One byte a lane.
    using LaneBytes = std::uint64_t;
    static_assert(lanes == sizeof(LaneBytes));
    static std::uint8_t byte(LaneBytes bytes, int lane) {
        return static_cast<std::uint8_t>(bytes >> (8 * lane));
    }
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    struct Storage;
    void close_graphs();

    void survivors_to(int step);
    void reverse_survivors_to(int step);
    void signals_to(int step);
    void find_fidelities();
    void find_absorption();
    /// Below this, a rounding error may be as large as the value.
    static constexpr double smallest = 1e-250;
    /// A product of positive entries above 2 to this does not underflow.
    static constexpr double smallest_exponent = -1000;

    FastNumber enclosed(double value, int steps) const {
        if (steps == 0) return FastNumber::point(value);
        if (value >= smallest) {
            const double error = relative_error(steps) + 0x1p-51;  // and the two roundings here
            return {value * (1 - error), value * (1 + error), nullptr};
        }
        if (value == 0 && std::log2(least_entry_) * steps > smallest_exponent) return FastNumber::point(0);
        return {0, 2 * smallest, nullptr};
    }
    int nodes_ = 0, heads_ = 0;
    int survivor_steps_ = 0, reverse_steps_ = 0, signal_steps_ = 0;
    bool fidelities_known_ = false, absorption_known_ = false;
    std::array<LaneBytes, max_small_nodes> out_{}, reach_{}, in_degree_{};  // by node
    LaneBytes all_reach_ = 0;
    std::array<bool, lanes> closed_{};
    int closed_step_ = 0;
    double error_per_step_ = 0;
    double least_entry_ = 1;  // smallest positive α·w/s or β·w/s
    std::unique_ptr<Storage> storage_;
};

}  // namespace crosshead
