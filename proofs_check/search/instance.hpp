// One statement at one value of each parameter, judged at one system after another.
#pragma once

#include <crosshead/numeric/measure.hpp>
#include <crosshead/proofs_check/conjecture/evaluator.hpp>
#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <crosshead/proofs_check/conjecture/fast_arithmetic.hpp>
#include <crosshead/proofs_check/conjecture/measured_source.hpp>
#include <crosshead/proofs_check/search/fast_source.hpp>
#include <memory>
#include <string>
#include <vector>

namespace crosshead {

/// What is searched: the parameters' values are put in. Copies share the conjecture.
class Instance {
  public:
    /// `values`: one for each parameter of the conjecture.
    Instance(std::shared_ptr<const Conjecture> conjecture, std::vector<Rational> values, bool existential);

    const Conjecture& conjecture() const { return *conjecture_; }
    const std::vector<Rational>& values() const { return values_; }
    bool existential() const { return existential_; }
    /// By Expression::id: the values of what does not depend on the system.
    const std::vector<std::optional<FastNumber>>& constants() const { return constants_; }
    /// "eps = 1/4, k = 2", or empty.
    std::string parameters_text() const;
    /// The same statement with another value of one parameter.
    Instance with_value(std::size_t parameter, const Rational& value) const;

    /// Exactly: intervals tighten until the statement is decided, or are 4,096 bits wide.
    Statement judge(MeasuredSource& source) const;
    /// In certified doubles; undecided and undefined are for judge(MeasuredSource&) to settle.
    Statement judge(FastSource& source) const;
    /// The comparison that decided, from exact values.
    Cause<Real> cause(MeasuredSource& source, bool holds) const;

  private:
    std::shared_ptr<const Conjecture> conjecture_;
    std::vector<Rational> values_;
    bool existential_;
    std::vector<std::optional<FastNumber>> constants_;  // by Expression::id
};

/// All combinations of parameter values.
std::vector<Instance> instances_of(const std::shared_ptr<const Conjecture>& conjecture, bool existential);

/// The ε values worth measuring at once for these instances.
std::vector<Rational> epsilons_of(const std::vector<Instance>& instances);

/// Judges any system: in doubles where it is small and they suffice, else exactly. Keeps scratch space.
class SystemJudge {
  public:
    explicit SystemJudge(const MeasureOptions& options) : options_(options), fast_(options.convention) {}
    Statement judge(const Instance& instance, const IntegerSystem& system);
    Statement judge_exactly(const Instance& instance, const HeadSystem& system) const;

  private:
    const MeasureOptions& options_;
    FastSource fast_;
    HeadMemo memo_;
    std::vector<SmallHead> heads_;
    std::vector<PreparedHead> prepared_;
};

}  // namespace crosshead
