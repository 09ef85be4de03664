// The quantities of one head system for the evaluator, as exactly as numeric/ measures them.
#pragma once

#include <crosshead/exact/mixture.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/numeric/measure.hpp>
#include <crosshead/proofs_check/conjecture/evaluator.hpp>
#include <crosshead/proofs_check/conjecture/real.hpp>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace crosshead {

class WordQuantities;

/// A Source (evaluator.hpp) over RealArithmetic. Heads and mixture are measured when they are first asked
/// for.
class MeasuredSource {
  public:
    using Arithmetic = RealArithmetic;

    /// `options`: ε values worth measuring at once, and the convention. `known`: what was measured already
    /// with the same options, or nullptr. Both, and the system, must outlive this object.
    MeasuredSource(const HeadSystem& system, const MeasureOptions& options,
                   const SystemMeasure* known = nullptr);
    ~MeasuredSource();

    const RealArithmetic& arithmetic() const { return arithmetic_; }
    /// Precision of the intervals from here on; nothing is measured again.
    void set_bits(mpfr_prec_t bits) { arithmetic_ = RealArithmetic(bits); }
    int nodes() const { return system_.nodes(); }
    int heads() const { return static_cast<int>(system_.head_count()); }
    const HeadSystem& system() const { return system_; }
    const MeasureOptions& options() const { return options_; }

    Real number(QuantityId id, int head, const Real& epsilon, const Indices& indices);
    Decision truth(QuantityId id, int head, const Indices& indices);

  private:
    struct Operator_;  // what is known of the mixture, or of one head

    Operator_& operator_of(int head);
    /// What `known` holds of the operator, or nullptr.
    const OperatorMeasure* known_of(int head) const;
    /// nullptr where the walk is undefined; `Operator_` then says why.
    const WalkMeasure* walk_of(int head);
    const std::vector<FidelityMeasure>& fidelities_of(int head);
    MixingTime measured_time(int head, const Rational& epsilon, bool reverse, const Convention& convention);
    Real mixing_time(int head, const Real& epsilon, bool reverse, bool total_variation);
    Real walk_quantity(QuantityId id, int head);
    Real forward_probability_bound();
    /// (W^t) survivors or row τ of Δ^t, at `node`.
    Real propagated(int head, Operator kind, int step, Node node);
    WordQuantities& words_of(int head);
    Real distance(int head, int step);
    Real mass(int head, int step, Node node);
    Real absorption(int head, Node node);
    Real fidelity(QuantityId id, int head, Node node);
    Real graph_quantity(QuantityId id, int head, const Indices& indices);
    bool heads_commute() const;

    const HeadSystem& system_;
    const MeasureOptions& options_;
    const SystemMeasure* known_;
    RealArithmetic arithmetic_{64};
    std::vector<std::unique_ptr<Operator_>> operators_;  // the mixture first, then the heads
};

}  // namespace crosshead
