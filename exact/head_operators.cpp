#include <crosshead/exact/head_operators.hpp>

namespace crosshead {

const ConvexWeights& head_weights(const HeadSystem& system, Operator kind) {
    return kind == Operator::walk ? system.walk_weights() : system.diffusion_weights();
}

HeadSystem only_head(const HeadSystem& system, std::size_t h) {
    std::vector<Rational> weights(system.head_count(), Rational(0));
    weights[h] = 1;
    const ConvexWeights vertex(std::move(weights), "head weights");
    return system.with_weights(vertex, vertex);
}

HeadOperators<Rational> head_operators(const HeadSystem& system, Operator kind, HeadWeights weights) {
    HeadOperators<Rational> result;
    if (kind == Operator::walk && weights == HeadWeights::applied) require_walk_defined(system);
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const Rational weight = weights == HeadWeights::applied ? head_weights(system, kind)[h] : Rational(1);
        if (weight == 0) {
            TransitionMatrix<Rational> none;
            none.nodes = system.nodes();
            none.row_begin.assign(static_cast<std::size_t>(system.nodes()) + 1, 0);
            result.heads.push_back(std::move(none));
            continue;
        }
        const HeadSystem alone = only_head(system, h);
        auto matrix = kind == Operator::walk ? walk_matrix(alone) : diffusion_matrix(alone);
        for (auto& entry : matrix.entry) entry *= weight;
        result.heads.push_back(std::move(matrix));
    }
    return result;
}

HeadOperators<Integer> over_common_denominator(const HeadOperators<Rational>& operators) {
    Integer common = 1;
    for (const auto& head : operators.heads)
        for (const auto& entry : head.entry) common = lcm(common, denominator(entry));
    auto result = converted<Integer>(operators, [&](const Rational& entry) -> Integer {
        return numerator(entry) * (common / denominator(entry));
    });
    result.step_denominator = common;
    return result;
}

}  // namespace crosshead
