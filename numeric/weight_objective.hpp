// What is optimised over the head weights: an estimate at a point, and a rigorous bound over a cell.
#pragma once

#include <crosshead/exact/convention.hpp>
#include <crosshead/graphs/head_system.hpp>
#include <crosshead/numeric/weight_cell.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace crosshead {

struct CellBound {
    double upper = 0;
    bool complete = true;  // false: more effort might lower it
    double work = 0;       // multiply-adds, where they count
};

/// A function of the head weights that is to be as large as possible: φ(β), or −T_mix(ε) or −(expected
/// absorption steps) as functions of α. Not for several threads at once.
class WeightObjective {
  public:
    virtual ~WeightObjective() = default;
    /// An estimate in double; never decides anything.
    virtual double value(const std::vector<double>& weights) const = 0;
    /// The same, or something finer that grows with it, for ascent to follow.
    virtual double guide(const std::vector<double>& weights) const { return value(weights); }
    /// The gradient of a smooth stand-in for the guide: min and max softened by `temperature` (relative).
    /// Nothing where ascent has to do without.
    virtual std::optional<std::vector<double>> gradient(const std::vector<double>&, double) const {
        return std::nullopt;
    }
    /// No weights in the cell have more than this: rigorous. Looks no closer than that it is at most
    /// `enough`; takes at most `effort` times the work that a cell usually gets.
    virtual CellBound upper_bound(const WeightCell<double>& cell, double enough, double effort) = 0;
};

/// φ(β) = min_j sup_{t≥1} (Δ̄^t)[τ][j]. `slack`: how loose bounds may stay, relative to
/// the value that they are compared with.
std::unique_ptr<WeightObjective> fidelity_objective(const HeadSystem& system, double slack);
/// −T_mix(ε). Throws UndefinedQuantity as walk_matrix does, for any head.
std::unique_ptr<WeightObjective> mixing_objective(const HeadSystem& system, const Rational& epsilon,
                                                  const Convention& convention);
/// −(expected steps of the walk until the sink), from the worst start or the mean over all n. Throws
/// UndefinedQuantity as walk_matrix does, for any head.
std::unique_ptr<WeightObjective> absorption_objective(const HeadSystem& system, Start start);

/// Rounded up, or down, by what `steps` steps of row propagation over H mixed operators on n nodes can be off
/// (certified_scan.hpp): entries that are sums over H heads, products, n additions, and the 2H operations of
/// a Bernstein step.
double rounded_up(double value, int nodes, std::size_t heads, std::size_t steps);
double rounded_down(double value, int nodes, std::size_t heads, std::size_t steps);

/// The single operators of all heads in double, each entry within a few units in the last place.
AlignedOperators<double> aligned_operators(const HeadSystem& system, Operator kind);

}  // namespace crosshead
