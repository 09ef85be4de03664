// The readings of "mixing time" that a result may be asked for; every output names the one that it used.
#pragma once

namespace crosshead {

enum class Norm { l1, total_variation };  // ‖·‖₁, or half of it
enum class Start { worst, mean };         // over all n start nodes, the sink included

/// Defaults are the design's: d(t) = max_j ‖W̄^t e_j − e_τ‖₁, T_mix(ε) = min{t ≥ 0 : d(t) < ε}.
struct Convention {
    Norm norm = Norm::l1;
    bool strict = true;  // d(t) < ε rather than d(t) ≤ ε
    Start start = Start::worst;
};

constexpr bool operator==(const Convention& a, const Convention& b) {
    return a.norm == b.norm && a.strict == b.strict && a.start == b.start;
}

/// d(t) = distance_factor · (largest or mean survivor probability).
constexpr int distance_factor(Norm norm) {
    return norm == Norm::l1 ? 2 : 1;
}

}  // namespace crosshead
