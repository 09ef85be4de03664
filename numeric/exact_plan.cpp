#include <algorithm>
#include <cmath>
#include <crosshead/numeric/exact_plan.hpp>

namespace crosshead {
namespace {

double bits_of(const Integer& value) {
    return value == 0 ? 1 : static_cast<double>(msb(abs(value)) + 1);
}
double bits_of(const Rational& value) {
    return bits_of(numerator(value)) + bits_of(denominator(value));
}

/// Bits that one normalised row or column of a head can need in its denominator.
double head_bits(const HeadDag& head, Operator kind) {
    const double terms = std::log2(static_cast<double>(head.nodes())) + 1;
    if (head.is_uniform()) return terms;
    double weight = 0, divisor = 0;
    for (const auto& row_divisor : head.row_divisors())
        if (row_divisor != 1) divisor = std::max(divisor, bits_of(row_divisor));
    for (std::size_t e = 0; e < head.edge_count(); ++e)
        weight = std::max(
            weight, bits_of(head.dyadic_weights().empty() ? head.weight(e)
                                                          : rational_from_dyadic(head.dyadic_weights()[e])));
    // Rescaled rows stay on one denominator in Δ, but every row brings its own into a column of W; and
    // general rational weights share no denominator at all.
    const bool shares_denominator =
        !head.dyadic_weights().empty() && (divisor == 0 || kind == Operator::diffusion);
    return terms + (shares_denominator ? 2 * weight : head.nodes() * (weight + divisor));
}

}  // namespace

double denominator_bits(const HeadSystem& system, Operator kind) {
    const auto& weights = kind == Operator::walk ? system.walk_weights() : system.diffusion_weights();
    double bits = 0;
    for (std::size_t h = 0; h < system.head_count(); ++h)
        if (weights[h] != 0) bits += head_bits(system.head(h), kind) + bits_of(weights[h]);
    return bits;
}

std::optional<TransitionMatrix<Rational>> exact_matrix(const HeadSystem& system, Operator kind,
                                                       double max_bits) {
    if (denominator_bits(system, kind) * system.nodes() > max_bits) return std::nullopt;
    return kind == Operator::walk ? walk_matrix(system) : diffusion_matrix(system);
}

double exact_cost(const TransitionMatrix<Integer>& matrix, double steps) {
    const double limbs_a_step = bits_of(matrix.step_denominator) / 64;
    return static_cast<double>(matrix.entry.size()) * (8 * steps + limbs_a_step * steps * steps / 2);
}

}  // namespace crosshead
