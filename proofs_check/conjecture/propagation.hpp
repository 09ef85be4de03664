// Survivors and signals of one operator, step after step, for the evaluator: a part of measured_source.cpp.
#pragma once

#include <crosshead/exact/mixture.hpp>
#include <crosshead/numeric/exact_plan.hpp>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/proofs_check/conjecture/real.hpp>
#include <memory>
#include <vector>

namespace crosshead {

/// A step whose exact denominator is longer than this is propagated in enclosures, as are fractions longer
/// than that; and rows are kept up to so many entries: later steps stay unknown.
inline constexpr double longest_exact_step = 512, longest_exact_bits = 100'000, most_entries = 1'000'000;

/// The rows x_0, x_0 M, x_0 M², … as far as they were asked for.
template <class Scalar>
class Rows {
  public:
    Rows(TransitionMatrix<Scalar> matrix, std::vector<Scalar> start)
        : matrix_(std::move(matrix)), process_(matrix_, std::move(start)), rows_{process_.row()} {}
    const Scalar& at(int step, Node node) {
        while (rows_.size() <= static_cast<std::size_t>(step)) {
            process_.step();
            rows_.push_back(process_.row());
        }
        return rows_[static_cast<std::size_t>(step)][static_cast<std::size_t>(node)];
    }

  private:
    TransitionMatrix<Scalar> matrix_;
    RowPropagation<Scalar> process_;
    std::vector<std::vector<Scalar>> rows_;
};

/// Survivors, or row τ of Δ^t: exact as long as the fractions stay short, else enclosures.
class Propagation {
  public:
    /// Throws UndefinedQuantity where the walk is asked for and is undefined. `system` must outlive this
    /// object.
    Propagation(const HeadSystem& system, Operator kind)
        : system_(system), kind_(kind), step_bits_(denominator_bits(system, kind)) {
        if (kind == Operator::walk) require_walk_defined(system);
    }
    Real at(int step, Node node, const RealArithmetic& arithmetic) {
        if (step_bits_ <= longest_exact_step && step * step_bits_ <= longest_exact_bits) {
            if (!exact_) exact_ = std::make_unique<Rows<Rational>>(exact_matrix_of(), start<Rational>());
            return exact_->at(step, node);
        }
        if (static_cast<double>(step) * system_.nodes() > most_entries) return arithmetic.unknown();
        if (!enclosed_)
            enclosed_ = std::make_unique<Rows<Enclosure>>(
                enclosure_matrix(float_matrix(system_, kind_, entry_bits)), start<Enclosure>());
        return Real::of(Quantity::within(enclosed_->at(step, node)), arithmetic.bits());
    }

  private:
    TransitionMatrix<Rational> exact_matrix_of() const {
        return kind_ == Operator::walk ? walk_matrix(system_) : diffusion_matrix(system_);
    }
    template <class Scalar>
    std::vector<Scalar> start() const {
        if (kind_ == Operator::walk) return initial_survivors<Scalar>(system_.nodes(), system_.sink());
        std::vector<Scalar> row(static_cast<std::size_t>(system_.nodes()), Scalar(0));
        row.back() = Scalar(1);
        return row;
    }

    const HeadSystem& system_;
    Operator kind_;
    double step_bits_;
    std::unique_ptr<Rows<Rational>> exact_;
    std::unique_ptr<Rows<Enclosure>> enclosed_;
};

}  // namespace crosshead
