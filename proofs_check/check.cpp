#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/check.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <crosshead/proofs_check/search/sampling.hpp>
#include <crosshead/proofs_check/search/shrink.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

bool uses_as_epsilon(const Expression& e, int slot) {
    if (e.operation == Operation::quantity) {
        const auto kinds = quantity_info(e.quantity).arguments;
        const std::size_t first = e.heads == HeadChoice::one ? 1 : 0;
        for (std::size_t k = 0; k < kinds.size(); ++k)
            if (kinds[k] == ArgumentKind::epsilon && e.operands[first + k].operation == Operation::variable &&
                e.operands[first + k].slot == slot)
                return true;
    }
    return std::any_of(e.operands.begin(), e.operands.end(),
                       [&](const Expression& operand) { return uses_as_epsilon(operand, slot); });
}

/// Looks for a use of heads that is not just "the head that a quantifier runs over".
bool uses_head_numbers(const Expression& e, std::vector<int>& head_slots) {
    const auto is_bound_head = [&](const Expression& index) {
        return index.operation == Operation::variable &&
               std::find(head_slots.begin(), head_slots.end(), index.slot) != head_slots.end();
    };
    if (is_bound_head(e)) return true;
    const bool same_or_not = e.operation == Operation::equal || e.operation == Operation::not_equal;
    if (same_or_not && is_bound_head(e.operands[0]) && is_bound_head(e.operands[1])) return false;
    const bool binder = e.slot >= 0 && e.operation != Operation::variable;
    if (binder && e.domain == DomainKind::heads) head_slots.push_back(e.slot);
    const bool indexed = e.operation == Operation::quantity && e.heads == HeadChoice::one;
    if (indexed && !is_bound_head(e.operands[0])) return true;
    return std::any_of(e.operands.begin() + (indexed ? 1 : 0), e.operands.end(),
                       [&](const Expression& operand) { return uses_head_numbers(operand, head_slots); });
}

/// Every system of a family, one for each number of nodes and heads.
std::vector<InstanceResult> search_family(const Domain& domain, const std::vector<Instance>& instances,
                                          const MeasureOptions& options, bool count,
                                          const SearchLimits& limits) {
    std::vector<InstanceResult> results(instances.size());
    FamilySpec spec;
    spec.family = *domain.family;
    bool whole = true;
    for (int n = domain.nodes_from; n <= domain.nodes_to && whole; ++n)
        for (int h = domain.heads_from; h <= domain.heads_to && whole; ++h) {
            spec.nodes = n;
            spec.heads = h;
            const HeadSystem system = generate_system(spec);
            MeasuredSource source(system, options);
            for (std::size_t k = 0; k < instances.size(); ++k) {
                auto& result = results[k];
                if (result.witness && !count) continue;
                const bool existential = instances[k].existential();
                const Statement statement = instances[k].judge(source);
                result.add(statement, existential, [&] { return system; });
                if (statement.outcome != (existential ? Outcome::holds : Outcome::fails) || result.witness)
                    continue;
                result.witness = system;
                result.minimality = Minimality::proved;  // all smaller members were judged
                if (limits.found) limits.found(k, system);
            }
            if (limits.progress)
                limits.progress(n - domain.nodes_from, domain.nodes_to - domain.nodes_from + 1, "family");
            whole = !limits.stopped();
        }
    for (auto& result : results) result.whole_domain = whole && (count || !result.witness);
    return results;
}

/// Runs the search that the options ask for.
std::vector<InstanceResult> search(const CheckedStatement& checked, const std::vector<Instance>& instances,
                                   const MeasureOptions& options, const InstanceStore& store,
                                   const SearchLimits& limits) {
    const CheckOptions& asked = checked.options;
    const bool drawn = asked.method != Method::exhaustive;
    checked.domain.validate(checked.domain.family ? max_family_nodes
                            : drawn               ? max_drawn_nodes
                                                  : max_small_nodes);
    if (checked.domain.family) return search_family(checked.domain, instances, options, asked.count, limits);
    if (asked.method == Method::exhaustive)
        return search_exhaustively(checked.domain, instances, options, {asked.count, asked.minimal}, limits);
    if (asked.method == Method::gradient) {
        if (!asked.gradient)
            throw NotBuiltError(
                "--method gradient needs LibTorch, and this program was built without it; install "
                "libtorch-dev and configure with -DCROSSHEAD_TORCH=ON");
        return asked.gradient(checked.domain, instances, options, limits);
    }
    SamplingOptions sampling;
    sampling.trials = asked.trials;
    sampling.seed = asked.seed;
    sampling.count = asked.count;
    for (auto& system : store.load(to_text(checked.conjecture->root, checked.conjecture->slot_names)))
        if (meets_conditions(checked.domain, system)) sampling.replay_first.push_back(std::move(system));
    return asked.method == Method::random
               ? search_randomly(checked.domain, instances, options, sampling, limits)
               : search_by_climbing(checked.domain, instances, options, sampling, limits);
}

void finish_witness(CheckedInstance& one, const CheckedStatement& checked, const MeasureOptions& options,
                    const SearchLimits& limits) {
    if (!one.search.witness) return;
    if (one.search.minimality == Minimality::raw) {
        one.search.witness =
            shrink_witness(checked.domain, one.instance, options, *one.search.witness, limits);
        if (!limits.stopped()) one.search.minimality = Minimality::shrunk;
    }
    MeasuredSource source(*one.search.witness, options);
    one.explanation = explain(one.instance, source);
    const Outcome telling = checked.existential ? Outcome::holds : Outcome::fails;
    if (one.explanation->statement.outcome != telling)
        throw std::logic_error("the witness does not stand up to a second exact evaluation");
    for (std::size_t k = 0; k < checked.conjecture->parameters.size() && options.convention == Convention{};
         ++k) {
        const Parameter& parameter = checked.conjecture->parameters[k];
        if (!uses_as_epsilon(checked.conjecture->root, parameter.slot)) continue;
        if (const auto largest = largest_failing_epsilon(one.instance, k, options, *one.search.witness))
            one.largest_epsilon = {parameter.name, *largest};
        break;
    }
}

}  // namespace

std::string_view to_string(Method method) {
    switch (method) {
        case Method::exhaustive:
            return "exhaustive";
        case Method::random:
            return "random";
        case Method::climb:
            return "climb";
        case Method::gradient:
            return "gradient";
    }
    return "";
}

bool depends_on_head_order(const Conjecture& conjecture) {
    std::vector<int> head_slots;
    return uses_head_numbers(conjecture.root, head_slots);
}

Verdict verdict_of(const InstanceResult& result, bool existential, Method method) {
    if (result.witness) return existential ? Verdict::witnessed : Verdict::refuted;
    if (result.undecided > 0) return Verdict::undecided;
    if (result.met == 0) return Verdict::vacuous;
    if (method == Method::exhaustive && result.whole_domain)
        return existential ? Verdict::unwitnessed : Verdict::exhausted;
    return existential ? Verdict::unwitnessed : Verdict::unrefuted;
}

CheckedStatement check_statement(std::shared_ptr<const Conjecture> conjecture, bool existential,
                                 const Domain& domain, const CheckOptions& options,
                                 const SearchLimits& limits) {
    CheckedStatement checked{conjecture, existential, domain, options, std::nullopt, {}, false};
    if (domain.family)
        checked.domain_size =
            Integer(domain.nodes_to - domain.nodes_from + 1) * (domain.heads_to - domain.heads_from + 1);
    const auto instances = instances_of(conjecture, existential);
    MeasureOptions measure;
    measure.epsilons = epsilons_of(instances);
    measure.convention = options.convention;
    const InstanceStore store(options.method == Method::exhaustive ? std::filesystem::path()
                                                                   : options.database);
    SearchLimits with_store = limits;
    with_store.found = [&](std::size_t k, const HeadSystem& system) {
        if (limits.found) limits.found(k, system);
        store.store(to_text(conjecture->root, conjecture->slot_names), system);
    };
    if (!domain.family && options.method == Method::exhaustive)
        checked.domain_size = closed_form_systems(domain);
    auto results = search(checked, instances, measure, store, with_store);
    checked.interrupted = limits.stopped();
    for (std::size_t k = 0; k < instances.size(); ++k) {
        CheckedInstance one{instances[k], std::move(results[k]), Verdict::undecided, std::nullopt,
                            std::nullopt};
        one.verdict = verdict_of(one.search, existential, options.method);
        finish_witness(one, checked, measure, limits);
        if (one.search.witness && one.search.minimality == Minimality::shrunk &&
            options.method != Method::exhaustive)
            store.store(to_text(conjecture->root, conjecture->slot_names), *one.search.witness);
        checked.instances.push_back(std::move(one));
    }
    return checked;
}

}  // namespace crosshead
