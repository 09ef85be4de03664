#include <fmt/format.h>

#include <algorithm>
#include <crosshead/exact/absorption.hpp>
#include <crosshead/graphs/error.hpp>
#include <crosshead/numeric/exact_plan.hpp>
#include <crosshead/numeric/fidelity_measure.hpp>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/proofs_check/conjecture/measured_source.hpp>
#include <crosshead/proofs_check/conjecture/word_quantities.hpp>

namespace crosshead {
namespace {

/// A mixing time that was asked for, apart from those measured at once.
struct AskedTime {
    Rational epsilon;
    bool reverse;
    Convention convention;
    MixingTime time;
};

Real degree(const HeadSystem& system, bool out, Node node, int head) {
    std::vector<bool> ends(static_cast<std::size_t>(system.nodes()), false);
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        if (head >= 0 && static_cast<std::size_t>(head) != h) continue;
        const HeadDag& dag = system.head(h);
        for (std::size_t e = 0; e < dag.edge_count(); ++e)
            if ((out ? dag.sources()[e] : dag.destinations()[e]) == node)
                ends[static_cast<std::size_t>(out ? dag.destinations()[e] : dag.sources()[e])] = true;
    }
    return Rational(std::count(ends.begin(), ends.end(), true));
}

}  // namespace

struct MeasuredSource::Operator_ {
    explicit Operator_(HeadSystem s) : system(std::move(s)) {}
    HeadSystem system;
    std::optional<WalkMeasure> walk_measure;
    std::string walk_undefined_because;  // set where the walk was looked at and is undefined
    std::optional<std::vector<MixingTime>> reverse_times;
    std::optional<std::vector<FidelityMeasure>> fidelities;
    std::vector<AskedTime> asked;
    std::unique_ptr<Propagation> walk, diffusion;
    std::unique_ptr<WordQuantities> words;
    std::optional<Reachability> walk_reach, diffusion_reach;
};

MeasuredSource::MeasuredSource(const HeadSystem& system, const MeasureOptions& options,
                               const SystemMeasure* known)
    : system_(system), options_(options), known_(known), operators_(system.head_count() + 1) {}
MeasuredSource::~MeasuredSource() = default;

MeasuredSource::Operator_& MeasuredSource::operator_of(int head) {
    if (head < 0 && system_.head_count() == 1) head = 0;
    auto& slot = operators_[static_cast<std::size_t>(head + 1)];
    if (!slot)
        slot = std::make_unique<Operator_>(head < 0 ? system_
                                                    : system_.single_head(static_cast<std::size_t>(head)));
    return *slot;
}

const OperatorMeasure* MeasuredSource::known_of(int head) const {
    if (known_ == nullptr) return nullptr;
    return head < 0 ? &known_->mixture : &known_->heads[static_cast<std::size_t>(head)];
}

const WalkMeasure* MeasuredSource::walk_of(int head) {
    Operator_& one = operator_of(head);
    if (const auto* known = known_of(head)) {
        one.walk_undefined_because = known->walk_undefined_because;
        return known->walk ? &*known->walk : nullptr;
    }
    if (!one.walk_measure && one.walk_undefined_because.empty()) {
        try {
            one.walk_measure = measure_walk(one.system, options_);
        } catch (const UndefinedQuantity& error) {
            one.walk_undefined_because = error.what();
        }
    }
    return one.walk_measure ? &*one.walk_measure : nullptr;
}

const std::vector<FidelityMeasure>& MeasuredSource::fidelities_of(int head) {
    if (const auto* known = known_of(head)) return known->fidelity;
    Operator_& one = operator_of(head);
    if (!one.fidelities) one.fidelities = measure_fidelities(one.system, options_);
    return *one.fidelities;
}

Real MeasuredSource::number(QuantityId id, int head, const Real& epsilon, const Indices& indices) {
    using Id = QuantityId;
    switch (id) {
        case Id::nodes:
            return Rational(nodes());
        case Id::path_length:
            return Rational(nodes() - 1);
        case Id::heads:
            return Rational(heads());
        case Id::walk_weight:
            return system_.walk_weights()[static_cast<std::size_t>(head)];
        case Id::diffusion_weight:
            return system_.diffusion_weights()[static_cast<std::size_t>(head)];
        case Id::forward_probability:
            return head < 0 ? forward_probability_bound() : walk_quantity(id, head);
        case Id::mixture_forward_probability:
            return walk_quantity(Id::forward_probability, -1);
        case Id::mixing_time:
            return mixing_time(head, epsilon, false, false);
        case Id::mixing_time_tv:
            return mixing_time(head, epsilon, false, true);
        case Id::reverse_mixing_time:
            return mixing_time(head, epsilon, true, false);
        case Id::reverse_mixing_time_tv:
            return mixing_time(head, epsilon, true, true);
        case Id::distance:
            return distance(head, indices.step);
        case Id::survivors:
            return propagated(head, Operator::walk, indices.step, indices.node);
        case Id::signal:
            return propagated(head, Operator::diffusion, indices.step, indices.node);
        case Id::mass:
            return mass(head, indices.step, indices.node);
        case Id::word_sum:
            return words_of(head).sum(indices.step, indices.node, arithmetic_);
        case Id::cross_signal:
            return words_of(head).cross(indices.step, indices.node, arithmetic_);
        case Id::absorption_mean:
        case Id::absorption_worst:
            return walk_quantity(id, head);
        case Id::absorption:
            return absorption(head, indices.node);
        case Id::fidelity:
        case Id::fidelity_without_sink:
        case Id::node_fidelity:
        case Id::peak:
            return fidelity(id, head, indices.node);
        default:
            return graph_quantity(id, head, indices);
    }
}

MixingTime MeasuredSource::measured_time(int head, const Rational& epsilon, bool reverse,
                                         const Convention& convention) {
    Operator_& one = operator_of(head);
    const auto& at_once = options_.epsilons;
    if (const auto found = std::find(at_once.begin(), at_once.end(), epsilon);
        found != at_once.end() && convention == options_.convention) {
        const auto k = static_cast<std::size_t>(found - at_once.begin());
        if (!reverse) return walk_of(head)->mixing_times[k];
        if (const auto* known = known_of(head)) return known->reverse_mixing_times[k];
        if (!one.reverse_times) one.reverse_times = measure_reverse_mixing(one.system, options_);
        return (*one.reverse_times)[k];
    }
    for (const auto& asked : one.asked)
        if (asked.epsilon == epsilon && asked.reverse == reverse && asked.convention == convention)
            return asked.time;
    MeasureOptions options = options_;
    options.epsilons = {epsilon};
    options.convention = convention;
    const MixingTime time = reverse ? measure_reverse_mixing(one.system, options).front()
                                    : measure_walk(one.system, options).mixing_times.front();
    one.asked.push_back({epsilon, reverse, convention, time});
    return time;
}

Real MeasuredSource::mixing_time(int head, const Real& epsilon, bool reverse, bool total_variation) {
    if (RealArithmetic::is_undefined(epsilon)) return epsilon;
    if (epsilon.infinite()) return Rational(0);
    if (!reverse && walk_of(head) == nullptr)
        return Real::undefined(operator_of(head).walk_undefined_because);
    const Convention convention = total_variation ? Convention{} : options_.convention;
    const auto at = [&](const Rational& value) {  // total variation is half of L1
        return measured_time(head, total_variation ? Rational(2 * value) : value, reverse, convention);
    };
    if (epsilon.exact()) return Real::of(at(*epsilon.exact()), arithmetic_.bits());
    // T never grows with ε: the ends of an enclosure of ε give those of T.
    Rational lower, upper;
    if (mpfi_bounded_p(epsilon.interval()->get()) == 0 ||
        mpfi_is_strictly_pos(epsilon.interval()->get()) <= 0)
        return arithmetic_.unknown();
    mpfr_get_q(lower.backend().data(), &epsilon.interval()->get()->left);
    mpfr_get_q(upper.backend().data(), &epsilon.interval()->get()->right);
    const MixingTime first = at(upper), last = at(lower);
    if (first.never) return Real::infinity();
    const bool bounded = !last.never && last.upper;
    return Real::of(MixingTime{false, first.lower, bounded ? last.upper : std::nullopt}, arithmetic_.bits());
}

Real MeasuredSource::walk_quantity(QuantityId id, int head) {
    const WalkMeasure* walk = walk_of(head);
    if (walk == nullptr) return Real::undefined(operator_of(head).walk_undefined_because);
    const Quantity& quantity = id == QuantityId::forward_probability ? walk->forward_probability
                               : id == QuantityId::absorption_mean   ? walk->absorption_mean
                                                                     : walk->absorption_worst;
    return Real::of(quantity, arithmetic_.bits());
}

Real MeasuredSource::forward_probability_bound() {
    if (known_ != nullptr && known_->forward_probability_bound)
        return Real::of(*known_->forward_probability_bound, arithmetic_.bits());
    Real sum = Rational(0);
    for (int h = 0; h < heads(); ++h) {
        const Rational& alpha = system_.walk_weights()[static_cast<std::size_t>(h)];
        if (alpha == 0) continue;
        sum = arithmetic_.add(sum,
                              arithmetic_.multiply(alpha, walk_quantity(QuantityId::forward_probability, h)));
    }
    return sum;
}

Real MeasuredSource::propagated(int head, Operator kind, int step, Node node) {
    Operator_& one = operator_of(head);
    auto& propagation = kind == Operator::walk ? one.walk : one.diffusion;
    try {
        if (!propagation) propagation = std::make_unique<Propagation>(one.system, kind);
    } catch (const UndefinedQuantity& error) {
        return Real::undefined(error.what());
    }
    return propagation->at(step, node, arithmetic_);
}

WordQuantities& MeasuredSource::words_of(int head) {
    Operator_& one = operator_of(head);
    if (!one.words) one.words = std::make_unique<WordQuantities>(one.system);
    return *one.words;
}

Real MeasuredSource::distance(int head, int step) {
    Real largest = Rational(0);
    for (Node j = 0; j < nodes(); ++j)
        largest = arithmetic_.larger(largest, propagated(head, Operator::walk, step, j));
    return arithmetic_.multiply(Rational(2), largest);
}

Real MeasuredSource::mass(int head, int step, Node node) {
    Operator_& one = operator_of(head);
    if (!one.diffusion_reach) one.diffusion_reach.emplace(one.system, one.system.diffusion_weights());
    const auto& reached = one.diffusion_reach->reached_from(node);
    Real sum = Rational(0);
    for (auto k = reached.find_first(); k != boost::dynamic_bitset<>::npos; k = reached.find_next(k))
        sum = arithmetic_.add(sum, propagated(head, Operator::diffusion, step, static_cast<Node>(k)));
    return sum;
}

Real MeasuredSource::absorption(int head, Node node) {
    Operator_& one = operator_of(head);
    const auto at_node = [&](const auto& times) { return times[static_cast<std::size_t>(node)]; };
    try {
        require_walk_defined(one.system);
    } catch (const UndefinedQuantity& error) {
        return Real::undefined(error.what());
    }
    const Node sink = one.system.sink();
    if (const auto exact = exact_matrix(one.system, Operator::walk, longest_exact_step)) {
        const auto time = at_node(absorption_times(*exact, sink));
        return time ? Real(*time) : Real::infinity();
    }
    const auto time = at_node(
        absorption_times(enclosure_matrix(float_matrix(one.system, Operator::walk, entry_bits)), sink));
    return time ? Real::of(Quantity::within(*time), arithmetic_.bits()) : Real::infinity();
}

Real MeasuredSource::fidelity(QuantityId id, int head, Node node) {
    const auto& fidelities = fidelities_of(head);
    const auto least = [&](std::size_t count) {
        return Real::of(minimax_fidelity(fidelities, count).fidelity.value, arithmetic_.bits());
    };
    if (id == QuantityId::fidelity) return least(fidelities.size());
    if (id == QuantityId::fidelity_without_sink)
        return fidelities.size() > 1 ? least(fidelities.size() - 1)
                                     : Real::undefined("one node: without the sink there is none");
    const FidelityMeasure& one = fidelities[static_cast<std::size_t>(node)];
    if (id == QuantityId::node_fidelity) return Real::of(one.value, arithmetic_.bits());
    switch (one.kind) {
        case FidelityKind::attained:
            return Real::of(MixingTime{false, one.attained_from, one.attained_to}, arithmetic_.bits());
        case FidelityKind::limit:
            return Real::infinity();
        case FidelityKind::unreachable:
            return Rational(1);  // 0 from the first step on
    }
    return Real::infinity();
}

Real MeasuredSource::graph_quantity(QuantityId id, int head, const Indices& indices) {
    using Id = QuantityId;
    Operator_& one = operator_of(head);
    if (id == Id::longest_path || id == Id::longest_path_from) {
        if (!one.walk_reach) one.walk_reach.emplace(one.system, one.system.walk_weights());
        int longest = one.walk_reach->longest_path_to_sink(indices.node);
        if (id == Id::longest_path)
            for (Node j = 0; j < nodes(); ++j)
                longest = std::max(longest, one.walk_reach->longest_path_to_sink(j));
        return longest < 0 ? Real::undefined("no path to the sink") : Real(Rational(longest));
    }
    if (id == Id::edges) {
        int count = 0;
        for (Node i = 0; i < nodes(); ++i)
            for (Node j = i + 1; j < nodes(); ++j)
                if (truth(Id::edge, head, {0, i, j}) == Decision::yes) ++count;
        return Rational(count);
    }
    const bool out = id == Id::out_degree || id == Id::out_degree_min || id == Id::out_degree_max;
    if (id == Id::out_degree || id == Id::in_degree) return degree(system_, out, indices.node, head);
    const bool least = id == Id::out_degree_min || id == Id::in_degree_min;
    const int end = id == Id::out_degree_min ? std::max(1, nodes() - 1) : nodes();
    Real extreme = degree(system_, out, 0, head);
    for (Node j = 1; j < end; ++j) {
        const Real next = degree(system_, out, j, head);
        extreme = least ? arithmetic_.smaller(extreme, next) : arithmetic_.larger(extreme, next);
    }
    return extreme;
}

Decision MeasuredSource::truth(QuantityId id, int head, const Indices& indices) {
    const auto yes_if = [](bool value) { return value ? Decision::yes : Decision::no; };
    Operator_& one = operator_of(head);
    switch (id) {
        case QuantityId::attained:
            return yes_if(fidelities_of(head)[static_cast<std::size_t>(indices.node)].kind !=
                          FidelityKind::limit);
        case QuantityId::edge:
            for (std::size_t h = 0; h < system_.head_count(); ++h) {
                if (head >= 0 && static_cast<std::size_t>(head) != h) continue;
                const HeadDag& dag = system_.head(h);
                const auto [begin, end] = dag.edges_from(indices.node);
                for (std::size_t e = begin; e < end; ++e)
                    if (dag.destinations()[e] == indices.second_node) return Decision::yes;
            }
            return Decision::no;
        case QuantityId::reaches_sink:
            if (!one.walk_reach) one.walk_reach.emplace(one.system, one.system.walk_weights());
            return yes_if(one.walk_reach->all_reach_sink());
        case QuantityId::unique_source: {
            if (!one.diffusion_reach) one.diffusion_reach.emplace(one.system, one.system.diffusion_weights());
            for (Node j = 1; j < nodes(); ++j)
                if (!one.diffusion_reach->has_other_in_edge(j)) return Decision::no;
            return Decision::yes;
        }
        default:
            return yes_if(heads_commute());
    }
}

bool MeasuredSource::heads_commute() const {
    using Dense = std::vector<std::vector<Rational>>;
    const auto n = static_cast<std::size_t>(nodes());
    std::vector<Dense> heads;
    for (std::size_t h = 0; h < system_.head_count(); ++h) {
        const auto sparse = diffusion_matrix(system_.single_head(h));
        Dense dense(n, std::vector<Rational>(n));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t e = sparse.row_begin[i]; e < sparse.row_begin[i + 1]; ++e)
                dense[i][static_cast<std::size_t>(sparse.column[e])] = sparse.entry[e];
        heads.push_back(std::move(dense));
    }
    // (AB)[i][j] for lower triangular A, B.
    const auto entry = [](const Dense& a, const Dense& b, std::size_t i, std::size_t j) {
        Rational sum = 0;
        for (std::size_t k = j; k <= i; ++k) sum += a[i][k] * b[k][j];
        return sum;
    };
    for (std::size_t g = 0; g < heads.size(); ++g)
        for (std::size_t h = g + 1; h < heads.size(); ++h)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j <= i; ++j)
                    if (entry(heads[g], heads[h], i, j) != entry(heads[h], heads[g], i, j)) return false;
    return true;
}

}  // namespace crosshead
