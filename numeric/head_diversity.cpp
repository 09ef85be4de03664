#include <cmath>
#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/numeric/enclosure_shares.hpp>
#include <crosshead/numeric/head_diversity.hpp>
#include <set>

namespace crosshead {
namespace {

Rational difference(const Rational& a, const Rational& b) {
    return abs(a - b);
}
/// |a − b| for any a and b in the enclosures.
Enclosure difference(const Enclosure& a, const Enclosure& b) {
    const double apart = std::max(a.lower() - b.upper(), b.lower() - a.upper());
    const double span = std::max(a.upper() - b.lower(), b.upper() - a.lower());
    return {apart > 0 ? next_down(apart) : 0, span > 0 ? next_up(span) : 0};
}
Rational larger_of(const Rational& a, const Rational& b) {
    return a < b ? b : a;
}
bool exceeds(const Rational& a, const Rational& b) {
    return b < a;
}
bool exceeds(const Enclosure& a, const Enclosure& b) {
    return a.middle() > b.middle();
}
bool may_exceed(const Rational& a, const Rational& b) {
    return b < a;
}
bool may_exceed(const Enclosure& a, const Enclosure& b) {
    return a.upper() > b.lower();
}
Quantity quantity(const Rational& value) {
    return Quantity::of(value);
}
Quantity quantity(const Enclosure& value) {
    return Quantity::within(value);
}

template <class Scalar>
using Dense = std::vector<std::vector<Scalar>>;

template <class Scalar>
Dense<Scalar> dense(const TransitionMatrix<Scalar>& matrix) {
    const auto n = static_cast<std::size_t>(matrix.nodes);
    Dense<Scalar> result(n, std::vector<Scalar>(n, Scalar(0)));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
            result[i][static_cast<std::size_t>(matrix.column[e])] = matrix.entry[e];
    return result;
}

/// a·b, through the entries that a has.
template <class Scalar>
Dense<Scalar> product(const TransitionMatrix<Scalar>& a, const TransitionMatrix<Scalar>& b) {
    const auto n = static_cast<std::size_t>(a.nodes);
    Dense<Scalar> result(n, std::vector<Scalar>(n, Scalar(0)));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            const auto k = static_cast<std::size_t>(a.column[e]);
            for (std::size_t f = b.row_begin[k]; f < b.row_begin[k + 1]; ++f)
                result[i][static_cast<std::size_t>(b.column[f])] += a.entry[e] * b.entry[f];
        }
    return result;
}

template <class Scalar>
void measure_commutator(const TransitionMatrix<Scalar>& a, const TransitionMatrix<Scalar>& b,
                        HeadPairDiversity& result) {
    const auto ab = product(a, b), ba = product(b, a);
    const std::size_t n = ab.size();
    Scalar most(0), bound(0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const Scalar entry = difference(ab[i][j], ba[i][j]);
            bound = larger_of(bound, entry);
            if (!exceeds(entry, most)) continue;
            most = entry;
            result.commutator_row = static_cast<Node>(i);
            result.commutator_column = static_cast<Node>(j);
        }
    result.commutator = quantity(bound);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if ((static_cast<Node>(i) != result.commutator_row ||
                 static_cast<Node>(j) != result.commutator_column) &&
                may_exceed(difference(ab[i][j], ba[i][j]), most))
                result.commutator_place_decided = false;
}

template <class Scalar>
void measure_distances(const TransitionMatrix<Scalar>& a, const TransitionMatrix<Scalar>& b, Operator kind,
                       HeadPairDiversity& result) {
    const auto first = dense(a), second = dense(b);
    const std::size_t n = first.size();
    std::vector<Scalar> distance(n, Scalar(0));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            distance[kind == Operator::diffusion ? i : j] += difference(first[i][j], second[i][j]);
    Scalar most(0), bound(0), sum(0);
    for (std::size_t k = 0; k < n; ++k) {
        sum += distance[k];
        bound = larger_of(bound, distance[k]);
        if (!exceeds(distance[k], most)) continue;
        most = distance[k];
        result.largest_distance_node = static_cast<Node>(k);
    }
    result.largest_distance = quantity(Scalar(bound / Scalar(2)));
    result.mean_distance = quantity(Scalar(sum / Scalar(static_cast<int>(2 * n))));
}

Quantity jaccard(const HeadDag& a, const HeadDag& b) {
    const auto edges = [](const HeadDag& head) {
        std::set<std::pair<Node, Node>> all;
        for (std::size_t e = 0; e < head.edge_count(); ++e)
            if (head.sources()[e] != head.destinations()[e])
                all.emplace(head.sources()[e], head.destinations()[e]);
        return all;
    };
    const auto first = edges(a), second = edges(b);
    std::size_t both = 0;
    for (const auto& edge : first) both += second.count(edge);
    const std::size_t either = first.size() + second.size() - both;
    return Quantity::of(either == 0 ? Rational(1) : Rational(both, either));
}

template <class Scalar>
std::vector<HeadPairDiversity> measure_pairs(const HeadSystem& system, Operator kind,
                                             const HeadOperators<Scalar>& operators) {
    std::vector<HeadPairDiversity> pairs;
    for (std::size_t g = 0; g < system.head_count(); ++g)
        for (std::size_t h = g + 1; h < system.head_count(); ++h) {
            HeadPairDiversity pair;
            pair.first = g;
            pair.second = h;
            measure_commutator(operators.heads[g], operators.heads[h], pair);
            measure_distances(operators.heads[g], operators.heads[h], kind, pair);
            pair.jaccard = jaccard(system.head(g), system.head(h));
            pairs.push_back(std::move(pair));
        }
    return pairs;
}

}  // namespace

std::vector<HeadPairDiversity> head_diversity(const HeadSystem& system, Operator kind) {
    constexpr double small_bits = 512;  // of the common denominator of all entries
    const bool small = exact_operators(system, kind, HeadWeights::left_out, small_bits).has_value();
    if (small) return measure_pairs(system, kind, head_operators(system, kind, HeadWeights::left_out));
    auto pairs = measure_pairs(system, kind, enclosure_operators(system, kind, HeadWeights::left_out));
    std::optional<HeadOperators<Rational>> exact;
    for (auto& pair : pairs)
        if (pair.commutator.enclosure.lower() == 0 && !pair.commutator.exact) {
            if (!exact) exact = head_operators(system, kind, HeadWeights::left_out);
            pair.commutator_place_decided = true;
            measure_commutator(exact->heads[pair.first], exact->heads[pair.second], pair);
        }
    return pairs;
}

}  // namespace crosshead
