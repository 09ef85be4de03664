#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/numeric/exact_plan.hpp>
#include <crosshead/numeric/float_matrix.hpp>

namespace crosshead {

HeadOperators<Enclosure> enclosure_operators(const HeadSystem& system, Operator kind, HeadWeights weights) {
    if (kind == Operator::walk && weights == HeadWeights::applied) require_walk_defined(system);
    HeadOperators<Enclosure> result;
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const Rational weight = weights == HeadWeights::applied ? head_weights(system, kind)[h] : Rational(1);
        if (weight == 0) {  // no entries, even where the walk is undefined
            TransitionMatrix<Enclosure> none;
            none.nodes = system.nodes();
            none.row_begin.assign(static_cast<std::size_t>(system.nodes()) + 1, 0);
            result.heads.push_back(std::move(none));
            continue;
        }
        auto matrix = enclosure_matrix(float_matrix(only_head(system, h), kind, entry_bits));
        if (weight != 1)
            for (auto& entry : matrix.entry) entry *= Enclosure::of(weight);
        result.heads.push_back(std::move(matrix));
    }
    return result;
}

std::optional<HeadOperators<Integer>> exact_operators(const HeadSystem& system, Operator kind,
                                                      HeadWeights weights, double max_step_bits) {
    // Far more than the step denominator may be long, as the bound is a loose one, but still cheap to build.
    constexpr double loose = 64;
    if (denominator_bits(system, kind) > loose * std::max(max_step_bits, 64.0)) return std::nullopt;
    auto operators = over_common_denominator(head_operators(system, kind, weights));
    if (static_cast<double>(msb(operators.step_denominator)) > max_step_bits) return std::nullopt;
    return operators;
}

}  // namespace crosshead
