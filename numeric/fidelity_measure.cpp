#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <crosshead/exact/absorption.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/numeric/certified_scan.hpp>
#include <crosshead/numeric/exact_plan.hpp>
#include <crosshead/numeric/fidelity_measure.hpp>
#include <crosshead/numeric/long_chain.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

/// The largest power of two within the scan budget: the long chain takes over at a power of two.
std::size_t scan_doublings(const FloatMatrix& matrix, const MeasureOptions& options) {
    return static_cast<std::size_t>(std::bit_width(options.scan_steps(matrix.nodes, matrix.entry.size())) -
                                    1);
}

/// Expected steps of the walk down from τ until it reaches a node whose only in-edge is its self-loop, from
/// above; at least 1.
double expected_length(const TransitionMatrix<Enclosure>& diffusion) {
    const auto n = static_cast<std::size_t>(diffusion.nodes);
    std::vector<Enclosure> length(n);
    for (std::size_t i = 0; i < n; ++i) {
        Enclosure leak, steps(1);
        for (std::size_t e = diffusion.row_begin[i]; e < diffusion.row_begin[i + 1]; ++e) {
            const auto j = static_cast<std::size_t>(diffusion.column[e]);
            if (j == i) continue;
            leak += diffusion.entry[e];
            steps += diffusion.entry[e] * length[j];
        }
        length[i] = leak == 0 ? Enclosure() : steps / leak;
    }
    return std::max(1.0, length[n - 1].upper());
}

std::vector<CertifiedFidelity> certified(const HeadSystem& system, const FloatMatrix& matrix,
                                         const Reachability& reach, const MeasureOptions& options) {
    const std::size_t scanned = scan_doublings(matrix, options);
    auto result = certified_fidelities(double_matrix(matrix), reach, std::size_t{1} << scanned);
    const bool all_final =
        std::all_of(result.begin(), result.end(), [](const auto& fidelity) { return fidelity.final; });
    if (all_final || matrix.nodes > options.long_chain_nodes) return result;
    // The walk down from τ is over after about its expected length; 64 times that leaves e^−64 of the mass.
    const double expected = expected_length(enclosure_matrix(matrix));
    constexpr double longest =
        0x1p300;  // the bounds on errors are doubles: 3·log2(T) bits must not underflow them
    if (!(expected < longest)) return result;
    const auto log2_steps = static_cast<std::size_t>(std::ceil(std::log2(expected))) + 6;
    const auto bits = static_cast<mpfr_prec_t>(64 * ((3 * log2_steps + 60 + 63) / 64 + 1));
    PowerLadder ladder(float_matrix(system, Operator::diffusion, bits));
    refine_long_fidelities(ladder, reach, scanned, log2_steps + 1, result);
    return result;
}

FidelityMeasure from_certified(const CertifiedFidelity& fidelity) {
    FidelityMeasure result;
    result.value = Quantity::within(fidelity.value);
    result.attained_from = fidelity.attained_from;
    result.attained_to = fidelity.final ? std::optional(fidelity.attained_to) : std::nullopt;
    return result;
}

void settle_exactly(const TransitionMatrix<Rational>& exact, const Reachability& reach,
                    const MeasureOptions& options, std::vector<FidelityMeasure>& measures) {
    const auto integers = over_common_denominator(exact, Operator::diffusion);
    Integer last = 1;
    for (const auto& measure : measures)
        if (measure.kind == FidelityKind::attained)
            last = std::max(last, measure.attained_to.value_or(Integer(1) << 62));
    // The certificate closes some time after the maximum; affordable means room for eight times as long.
    const double steps = 8 * last.convert_to<double>() + 64;
    if (exact_cost(integers, steps) > options.exact_budget) return;
    const auto found = exact_fidelities(integers, reach, static_cast<std::size_t>(steps));
    for (std::size_t j = 0; j < measures.size(); ++j) {
        auto& measure = measures[j];
        if (measure.kind != FidelityKind::attained || !found[j].final) continue;
        if (!measure.value.enclosure.contains(found[j].value))
            throw std::logic_error(
                fmt::format("fidelity of node {}: the exact value {} lies outside its enclosure", j,
                            to_string(found[j].value)));
        if (measure.attained_from > found[j].attained_at ||
            (measure.attained_to && *measure.attained_to < found[j].attained_at))
            throw std::logic_error(fmt::format(
                "fidelity of node {}: attained at {}, outside the certified range", j, found[j].attained_at));
        measure.value = Quantity::of(found[j].value);
        measure.attained_from = found[j].attained_at;
        measure.attained_to = measure.attained_from;
    }
}

}  // namespace

std::vector<FidelityMeasure> measure_fidelities(const HeadSystem& system, const FloatMatrix& matrix,
                                                const std::optional<TransitionMatrix<Rational>>& exact,
                                                const MeasureOptions& options) {
    const Reachability reach(system, system.diffusion_weights());
    const auto kinds = fidelity_kinds(reach);
    const auto scanned = certified(system, matrix, reach, options);
    const auto limits = absorption_probabilities(enclosure_matrix(matrix));
    std::vector<std::optional<Rational>> exact_limits(kinds.size());
    if (exact) exact_limits = absorption_probabilities(*exact);
    std::vector<FidelityMeasure> measures(kinds.size());
    for (std::size_t j = 0; j < kinds.size(); ++j) {
        if (kinds[j] == FidelityKind::attained) measures[j] = from_certified(scanned[j]);
        if (kinds[j] == FidelityKind::unreachable) measures[j].value = Quantity::of(0);
        if (kinds[j] == FidelityKind::limit && !exact_limits[j]) {
            const Enclosure& limit = *limits[j];
            measures[j].value =
                Quantity::within({limit.lower(), std::min(1.0, limit.upper())});  // a probability
        }
        if (kinds[j] == FidelityKind::limit && exact_limits[j])
            measures[j].value = Quantity::of(*exact_limits[j]);
        measures[j].kind = kinds[j];
    }
    // A sink that only keeps its own signal: (Δ̄^t)[τ][τ] = 1 for every t.
    if (kinds.back() == FidelityKind::attained && !reach.has_other_in_edge(system.sink())) {
        measures.back().value = Quantity::of(1);
        measures.back().attained_to = 1;
    }
    if (exact) settle_exactly(*exact, reach, options, measures);
    return measures;
}

MinimaxFidelity minimax_fidelity(const std::vector<FidelityMeasure>& fidelity, std::size_t nodes) {
    MinimaxFidelity result{0, true, fidelity.front()};
    Quantity least = fidelity.front().value;
    for (std::size_t j = 1; j < nodes; ++j) {
        least = smaller(least, fidelity[j].value);
        const Decision below = less(fidelity[j].value, result.fidelity.value);
        if (below == Decision::yes ||
            (below == Decision::undecided &&
             fidelity[j].value.approximation() < result.fidelity.value.approximation()))
            result = {static_cast<Node>(j), true, fidelity[j]};
    }
    for (std::size_t j = 0; j < nodes; ++j)
        if (static_cast<Node>(j) != result.node &&
            less(result.fidelity.value, fidelity[j].value) == Decision::undecided)
            result.node_decided = false;
    result.fidelity.value = least;
    return result;
}

}  // namespace crosshead
