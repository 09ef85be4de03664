#include <fmt/format.h>

#include <algorithm>
#include <crosshead/proofs_check/search/instance.hpp>

namespace crosshead {
namespace {

constexpr mpfr_prec_t first_bits = 64, last_bits = 4096;

/// The values of all subtrees of numbers that depend on constants and parameters alone.
class ConstantFolding {
  public:
    ConstantFolding(const Conjecture& conjecture, const std::vector<Rational>& values)
        : values_(values),
          source_(empty_),
          evaluator_(conjecture, source_),
          constants_(static_cast<std::size_t>(conjecture.node_count)) {
        for (std::size_t k = 0; k < values.size(); ++k)
            evaluator_.set(conjecture.parameters[k].slot, Real(values[k]));
    }
    std::vector<std::optional<FastNumber>> run(const Expression& root) {
        visit(root);
        return std::move(constants_);
    }

  private:
    /// A source that is never asked.
    struct NoSource {
        using Arithmetic = RealArithmetic;
        const RealArithmetic& arithmetic_;
        const RealArithmetic& arithmetic() const { return arithmetic_; }
        int nodes() const { return 0; }
        int heads() const { return 0; }
        Real number(QuantityId, int, const Real&, const Indices&) const {
            return Real::undefined("not constant");
        }
        Decision truth(QuantityId, int, const Indices&) const { return Decision::undecided; }
    };

    bool is_leaf_constant(const Expression& e) const {
        if (e.operation == Operation::variable) return static_cast<std::size_t>(e.slot) < values_.size();
        return e.operation == Operation::constant;
    }
    /// Whether the subtree is constant; evaluates it then.
    bool visit(const Expression& e) {
        const bool leaf = e.operation == Operation::variable || e.operation == Operation::constant;
        // A binder's own variable is not constant; what stands under one is looked at all the same.
        const bool binder = e.slot >= 0 && !leaf;
        bool constant = leaf ? is_leaf_constant(e) : e.operation != Operation::quantity && !binder;
        for (const auto& operand : e.operands) constant = visit(operand) && constant;
        if (constant && e.type == Type::number) {
            const Real value = evaluator_.number(e);
            if (!RealArithmetic::is_undefined(value))
                constants_[static_cast<std::size_t>(e.id)] = FastNumber::of(value);
        }
        return constant && e.type == Type::number;
    }

    const std::vector<Rational>& values_;
    RealArithmetic empty_{128};
    NoSource source_;
    Evaluator<NoSource> evaluator_;
    std::vector<std::optional<FastNumber>> constants_;
};

template <class Source>
void set_parameters(Evaluator<Source>& evaluator, const Conjecture& conjecture,
                    const std::vector<Rational>& values, const typename Source::Arithmetic& arithmetic) {
    for (std::size_t k = 0; k < values.size(); ++k)
        evaluator.set(conjecture.parameters[k].slot, arithmetic.constant(values[k]));
}

bool is_settled(const Statement& statement) {
    return statement.outcome != Outcome::undecided && !statement.undefined;
}

}  // namespace

double comparison_margin(double left, double right) {
    if (left == right) return 0;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (std::isinf(right)) return right > 0 ? 1 : -infinite;
    if (std::isinf(left)) return left > 0 ? -infinite : 1;
    return (right - left) / std::abs(right != 0 ? right : left);
}

Instance::Instance(std::shared_ptr<const Conjecture> conjecture, std::vector<Rational> values,
                   bool existential)
    : conjecture_(std::move(conjecture)),
      values_(std::move(values)),
      existential_(existential),
      constants_(ConstantFolding(*conjecture_, values_).run(conjecture_->root)) {}

std::string Instance::parameters_text() const {
    std::string text;
    for (std::size_t k = 0; k < values_.size(); ++k)
        text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", conjecture_->parameters[k].name,
                            to_string(values_[k]));
    return text;
}

Instance Instance::with_value(std::size_t parameter, const Rational& value) const {
    auto values = values_;
    values[parameter] = value;
    return Instance(conjecture_, std::move(values), existential_);
}

Statement Instance::judge(MeasuredSource& source) const {
    Statement statement;
    for (mpfr_prec_t bits = first_bits; bits <= last_bits; bits *= 4) {
        source.set_bits(bits);
        Evaluator<MeasuredSource> evaluator(*conjecture_, source);
        set_parameters(evaluator, *conjecture_, values_, source.arithmetic());
        statement = evaluator.statement(conjecture_->root);
        if (statement.outcome != Outcome::undecided) break;
    }
    return statement;
}

Statement Instance::judge(FastSource& source) const {
    Evaluator<FastSource> evaluator(*conjecture_, source, &constants_);
    set_parameters(evaluator, *conjecture_, values_, source.arithmetic());
    return evaluator.statement(conjecture_->root);
}

Cause<Real> Instance::cause(MeasuredSource& source, bool holds) const {
    Evaluator<MeasuredSource> evaluator(*conjecture_, source);
    set_parameters(evaluator, *conjecture_, values_, source.arithmetic());
    Cause<Real> cause;
    evaluator.find_cause(conjecture_->root, holds, cause);
    return cause;
}

std::vector<Instance> instances_of(const std::shared_ptr<const Conjecture>& conjecture, bool existential) {
    std::vector<std::vector<Rational>> combinations = {{}};
    for (const auto& parameter : conjecture->parameters) {
        std::vector<std::vector<Rational>> longer;
        for (const auto& values : combinations)
            for (const auto& value : parameter.values) {
                longer.push_back(values);
                longer.back().push_back(value);
            }
        combinations = std::move(longer);
    }
    std::vector<Instance> result;
    for (auto& values : combinations) result.emplace_back(conjecture, std::move(values), existential);
    return result;
}

std::vector<Rational> epsilons_of(const std::vector<Instance>& instances) {
    constexpr std::size_t most = 16;
    std::vector<Rational> epsilons;
    const auto add = [&](const Rational& value) {
        if (value > 0 && value <= 2 && epsilons.size() < most &&
            std::find(epsilons.begin(), epsilons.end(), value) == epsilons.end())
            epsilons.push_back(value);
    };
    for (const auto& instance : instances)
        for (const auto& value : instance.values()) add(value);
    for (const auto& value : MeasureOptions{}.epsilons) add(value);
    return epsilons;
}

Statement SystemJudge::judge(const Instance& instance, const IntegerSystem& system) {
    if (system.is_small() && system.heads.size() <= static_cast<std::size_t>(FastSource::max_heads)) {
        const std::size_t count = system.heads.size();
        heads_.resize(count);
        prepared_.resize(count);
        memo_.reset(count);
        const auto weights = [](const std::vector<std::uint32_t>& scores) {
            return ConvexWeights::from_scores({scores.begin(), scores.end()}, "head weights").values();
        };
        fast_.configure(system.nodes, weights(system.walk_scores), weights(system.diffusion_scores));
        for (std::size_t h = 0; h < count; ++h) {
            heads_[h] = system.small_head(h);
            prepared_[h] = PreparedHead(heads_[h], system.nodes);
            for (int lane = 0; lane < FastSource::lanes; ++lane)
                fast_.load(lane, static_cast<int>(h), heads_[h], prepared_[h], h);
        }
        fast_.start(memo_);
        fast_.choose(0);
        const Statement statement = instance.judge(fast_);
        if (is_settled(statement) && !fast_.was_loose()) return statement;
    }
    return judge_exactly(instance, system.system());
}

Statement SystemJudge::judge_exactly(const Instance& instance, const HeadSystem& system) const {
    MeasuredSource source(system, options_);
    return instance.judge(source);
}

}  // namespace crosshead
