#include "gradient.hpp"

#ifndef CROSSHEAD_TORCH

#include "torch_program.hpp"

namespace crosshead {

ExternalSearch gradient_search(const CheckOptions& options, const std::vector<std::string>& arguments) {
    if (options.method != Method::gradient) return {};
    continue_with_torch("--method gradient", arguments);
}

}  // namespace crosshead

#else

#include <fmt/format.h>

#include <cmath>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/search/sampling.hpp>
#include <crosshead/trainer/differentiable_system.hpp>

namespace crosshead {
namespace {

/// Steps from one start before the next.
constexpr int steps_from_a_start = 200;
/// Steps between two roundings.
constexpr int steps_between_roundings = 4;

std::optional<DifferentiableQuantity> differentiable(QuantityId id) {
    using Id = QuantityId;
    using To = DifferentiableQuantity;
    switch (id) {
        case Id::walk_weight:
            return To::walk_weight;
        case Id::diffusion_weight:
            return To::diffusion_weight;
        case Id::forward_probability:
            return To::forward_probability;
        case Id::mixture_forward_probability:
            return To::mixture_forward_probability;
        case Id::mixing_time:
            return To::mixing_time;
        case Id::mixing_time_tv:
            return To::mixing_time_tv;
        case Id::reverse_mixing_time:
            return To::reverse_mixing_time;
        case Id::reverse_mixing_time_tv:
            return To::reverse_mixing_time_tv;
        case Id::distance:
            return To::distance;
        case Id::survivors:
            return To::survivors;
        case Id::signal:
            return To::signal;
        case Id::mass:
            return To::mass;
        case Id::absorption_mean:
            return To::absorption_mean;
        case Id::absorption_worst:
            return To::absorption_worst;
        case Id::absorption:
            return To::absorption;
        case Id::fidelity:
            return To::fidelity;
        case Id::fidelity_without_sink:
            return To::fidelity_without_sink;
        case Id::node_fidelity:
            return To::node_fidelity;
        default:
            return std::nullopt;
    }
}

/// A Source (evaluator.hpp) of numbers that a DifferentiableSystem was asked for. What is not there yet is
/// put on the list of requests and is 1 until it has been answered.
class RelaxedSource {
  public:
    using Arithmetic = FastArithmetic;

    RelaxedSource(int nodes, int heads) : nodes_(nodes), heads_(heads) {}
    const FastArithmetic& arithmetic() const { return arithmetic_; }
    int nodes() const { return nodes_; }
    int heads() const { return heads_; }
    std::vector<QuantityRequest>& requests() { return requests_; }
    std::vector<double>& values() { return values_; }

    FastNumber number(QuantityId id, int head, const FastNumber& epsilon, const Indices& indices) {
        if (id == QuantityId::nodes) return FastNumber::point(nodes_);
        if (id == QuantityId::path_length) return FastNumber::point(nodes_ - 1);
        if (id == QuantityId::heads) return FastNumber::point(heads_);
        const auto quantity = differentiable(id);
        if (!quantity)
            throw UsageError(
                fmt::format("--method gradient: {} has no gradient; take --method climb for this conjecture",
                            quantity_info(id).name));
        const QuantityRequest request{*quantity, head, epsilon.lower, indices.step, indices.node};
        for (std::size_t k = 0; k < requests_.size(); ++k) {
            const QuantityRequest& known = requests_[k];
            if (known.quantity == request.quantity && known.head == request.head &&
                known.epsilon == request.epsilon && known.step == request.step && known.node == request.node)
                return FastNumber::point(values_[k]);
        }
        requests_.push_back(request);
        values_.push_back(1);
        return FastNumber::point(1);
    }
    /// With positive weights everywhere every node feeds every later one.
    Decision truth(QuantityId id, int, const Indices& indices) const {
        if (id == QuantityId::attained) return indices.node > 0 ? Decision::yes : Decision::no;
        return id == QuantityId::heads_commute ? Decision::no : Decision::yes;
    }

  private:
    int nodes_, heads_;
    FastArithmetic arithmetic_;
    std::vector<QuantityRequest> requests_;
    std::vector<double> values_;
};

/// The margin of a whole statement, and its gradient with respect to the quantities in it, by central
/// differences: the statement is a short formula, the quantities are what is expensive.
class Margin {
  public:
    Margin(const Instance& instance, int nodes, int heads)
        : source_(nodes, heads),
          evaluator_(instance.conjecture(), source_, &instance.constants()),
          root_(instance.conjecture().root) {}

    double at(DifferentiableSystem& system) {
        double margin = 0;
        for (std::size_t known = 0;;) {
            margin = value();
            if (source_.requests().size() == known) return margin;
            known = source_.requests().size();
            source_.values() = system.values(source_.requests());
        }
    }
    /// Asks nothing new: the last values, anew.
    double again_at(DifferentiableSystem& system) {
        if (!source_.requests().empty()) source_.values() = system.values(source_.requests());
        return at(system);
    }
    std::vector<double> gradient() {
        std::vector<double> result(source_.requests().size(), 0);
        for (std::size_t k = 0; k < result.size(); ++k) {
            const double here = source_.values()[k], step = 1e-6 * std::max(1.0, std::abs(here));
            source_.values()[k] = here + step;
            const double up = value();
            source_.values()[k] = here - step;
            const double down = value();
            source_.values()[k] = here;
            if (std::isfinite(up) && std::isfinite(down)) result[k] = (up - down) / (2 * step);
        }
        return result;
    }

  private:
    double value() { return evaluator_.boolean(root_).margin; }
    RelaxedSource source_;
    Evaluator<RelaxedSource> evaluator_;
    const Expression& root_;
};

GradientOptions gradient_options(const Domain& domain, std::uint64_t start, std::uint64_t seed) {
    GradientOptions options;
    const auto node_choices = static_cast<std::uint64_t>(domain.nodes_to - domain.nodes_from + 1);
    const auto head_choices = static_cast<std::uint64_t>(domain.heads_to - domain.heads_from + 1);
    options.nodes = domain.nodes_from + static_cast<int>(start % node_choices);
    options.heads = domain.heads_from + static_cast<int>(start / node_choices % head_choices);
    options.seed = seed * 1'000'003 + start;
    options.uniform_edges = domain.max_edge_weight == 1;
    options.max_edge_weight = domain.max_edge_weight;
    options.learn_walk_weights = domain.walk_weights.grid != 0;
    options.learn_diffusion_weights = domain.diffusion_weights.grid != 0;
    options.tied_weights = domain.tied_weights;
    if (const int grid = std::max(domain.walk_weights.grid, domain.diffusion_weights.grid); grid != 0)
        options.head_weight_grid = grid;
    options.every_head_reaches = domain.reach == SinkReach::every;
    return options;
}

/// One instance, from one start after another.
class Ascent {
  public:
    Ascent(const Domain& domain, const Instance& instance, SystemJudge& judge, const CheckOptions& asked,
           const SearchLimits& limits)
        : domain_(domain), instance_(instance), judge_(judge), asked_(asked), limits_(limits) {}

    InstanceResult run(std::size_t index) {
        // Trials are judged systems; starts whose roundings leave the domain count as one, so that it ends.
        for (std::uint64_t start = 0; result_.systems + start < asked_.trials && is_open(); ++start)
            from_start(start, index);
        return std::move(result_);
    }

  private:
    bool is_open() const { return (asked_.count || !result_.witness) && !limits_.stopped(); }

    void from_start(std::uint64_t start, std::size_t index) {
        const GradientOptions options = gradient_options(domain_, start, asked_.seed);
        DifferentiableSystem system(options);
        Margin margin(instance_, options.nodes, options.heads);
        const double sign = instance_.existential() ? 1 : -1;
        std::optional<IntegerSystem> last;
        for (int step = 0; step < steps_from_a_start && is_open() && result_.systems < asked_.trials;
             ++step) {
            const double now = margin.again_at(system);
            if (step % steps_between_roundings == 0) {
                if (limits_.progress)
                    limits_.progress(static_cast<double>(result_.systems), static_cast<double>(asked_.trials),
                                     fmt::format("gradient, margin {:.3g}", now));
                const RoundedSystem rounded = system.rounded();
                IntegerSystem next{rounded.nodes, rounded.heads, rounded.walk_scores,
                                   rounded.diffusion_scores};
                if (next != last && meets_conditions(domain_, next)) judge(next, sign * now > 0, index);
                last = std::move(next);
            }
            auto gradient = margin.gradient();
            if (gradient.empty()) return;
            for (double& slope : gradient) slope *= sign;
            system.ascend(gradient);
        }
    }

    void judge(const IntegerSystem& system, bool hit, std::size_t index) {
        const Statement statement = judge_.judge(instance_, system);
        const bool witness = statement.outcome == (instance_.existential() ? Outcome::holds : Outcome::fails);
        result_.add(statement, instance_.existential(), [&] { return system.system(); });
        if (hit && !witness) ++result_.spurious;
        if (!witness || result_.witness) return;
        result_.witness = system.system();
        if (limits_.found) limits_.found(index, *result_.witness);
    }

    const Domain& domain_;
    const Instance& instance_;
    SystemJudge& judge_;
    const CheckOptions& asked_;
    const SearchLimits& limits_;
    InstanceResult result_;
};

}  // namespace

ExternalSearch gradient_search(const CheckOptions& options, const std::vector<std::string>&) {
    if (options.method != Method::gradient) return {};
    return [asked = options](const Domain& domain, const std::vector<Instance>& instances,
                             const MeasureOptions& measure, const SearchLimits& limits) {
        SystemJudge judge(measure);
        std::vector<InstanceResult> results;
        for (std::size_t k = 0; k < instances.size(); ++k)
            results.push_back(Ascent(domain, instances[k], judge, asked, limits).run(k));
        return results;
    };
}

}  // namespace crosshead

#endif
