// The main job: every quantity of a head system, as exactly as its size allows (design §1, §2, §4).
//
// Each answer comes from the cheapest method that is rigorous for it:
//   1. certified double: one linear scan, bounds derived beforehand;
//   2. powers by repeated squaring in more bits, where the chain outlasts the scan;
//   3. exact integers over a common denominator, where the numbers stay small enough (then the answer is
//   exact),
//      and where an enclosure straddles a decision.
// Where two methods answer, they are compared; a disagreement throws std::logic_error.
#pragma once

#include <algorithm>
#include <crosshead/exact/convention.hpp>
#include <crosshead/exact/fidelity.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <crosshead/numeric/quantity.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

struct MeasureOptions {
    std::vector<Rational> epsilons = {Rational(1, 2), Rational(1, 4), Rational(1, 10), Rational(1, 100)};
    Convention convention;
    /// Work allowed in one linear scan, in multiply-adds (about a nanosecond each): where squaring can take
    /// over, and where it cannot.
    double scan_budget = 1e8, long_scan_budget = 2e9;
    /// Steps of a linear scan on a matrix with that many nodes and entries: each costs its entries, and
    /// about 64.
    std::size_t scan_steps(int nodes, std::size_t entries) const {
        const double budget = nodes <= long_chain_nodes ? scan_budget : long_scan_budget;
        return static_cast<std::size_t>(std::max(64.0, budget / (static_cast<double>(entries) + 64)));
    }
    /// Work allowed in exact integers, in limb operations.
    double exact_budget = 3e7;
    /// Largest system whose chain may be squared: n³/6 multiply-adds of several limbs a doubling.
    int long_chain_nodes = 320;
};

/// φ_j, and when it is attained.
struct FidelityMeasure {
    Quantity value;
    FidelityKind kind = FidelityKind::attained;
    Integer attained_from = 1;               // first maximum at some t in [attained_from, attained_to]
    std::optional<Integer> attained_to = 1;  // absent: some later t may attain it
};

/// min_j φ_j and a node that attains it (the first, where values are exact; else the likeliest).
struct MinimaxFidelity {
    Node node = 0;
    bool node_decided = true;  // false where the enclosures leave other nodes possible
    FidelityMeasure fidelity;
};

/// Everything that the walk W̄ answers.
struct WalkMeasure {
    Quantity forward_probability;          // p(W̄); for one head, p_h
    std::vector<MixingTime> mixing_times;  // one for each ε
    Quantity absorption_mean;              // over all n starts, the sink counted as 0
    Quantity absorption_worst;
    Node worst_start = 0;
};

/// One walk matrix and one diffusion matrix: of a head, or of the mixture.
struct OperatorMeasure {
    std::optional<WalkMeasure> walk;
    std::string walk_undefined_because;  // set where `walk` is absent
    std::vector<MixingTime> reverse_mixing_times;
    std::vector<FidelityMeasure> fidelity;  // one for each node
    MinimaxFidelity minimax;
    std::optional<MinimaxFidelity> minimax_without_sink;  // absent for one node
};

/// A whole head system.
struct SystemMeasure {
    std::vector<OperatorMeasure> heads;
    OperatorMeasure mixture;
    std::optional<Quantity> forward_probability_bound;  // p = Σ α_h p_h, where every p_h is defined
    std::optional<Quantity> fidelity_gain;              // φ(Δ̄) / max_h φ(Δ^(h)); absent where that is 0
    std::vector<std::optional<Quantity>> mixing_gain;   // min_h T_mix(W^(h)) / T_mix(W̄) for each ε
};

/// The parts of measure_operator, for who needs one. measure_walk throws UndefinedQuantity where a node has no
/// out-weight; it and measure_reverse_mixing throw InputError for an ε that is not positive.
WalkMeasure measure_walk(const HeadSystem& system, const MeasureOptions& options);
std::vector<MixingTime> measure_reverse_mixing(const HeadSystem& system, const MeasureOptions& options);
std::vector<FidelityMeasure> measure_fidelities(const HeadSystem& system, const MeasureOptions& options);

/// Measures α-mixed walk and β-mixed diffusion of the system, taking it as one operator.
OperatorMeasure measure_operator(const HeadSystem& system, const MeasureOptions& options);

/// Measures every head and the mixture, and compares them. `progress(done, total)` is called between
/// operators. Throws InputError for an ε that is not positive.
SystemMeasure measure_system(const HeadSystem& system, const MeasureOptions& options,
                             const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace crosshead
