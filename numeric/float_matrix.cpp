#include <algorithm>
#include <crosshead/numeric/float_matrix.hpp>
#include <numeric>
#include <utility>

namespace crosshead {
namespace {

/// All edges' weights of one head, divided by the sum over the edges that share an entry of `ends`, times
/// `head_weight`.
FloatArray normalised_edges(const HeadDag& head, std::span<const Node> ends, const Rational& head_weight,
                            mpfr_prec_t bits) {
    const auto n = static_cast<std::size_t>(head.nodes());
    FloatArray shares(head.edge_count(), bits), sums(n, bits), divisors(n, bits), scalar(1, bits);
    const auto dyadic = head.dyadic_weights();
    const auto row_divisors = head.row_divisors();
    for (std::size_t i = 0; i < row_divisors.size(); ++i)
        mpfr_set_q(divisors[i], row_divisors[i].backend().data(), MPFR_RNDN);
    for (std::size_t e = 0; e < head.edge_count(); ++e) {
        if (dyadic.empty())
            mpfr_set_q(shares[e], head.weight(e).backend().data(), MPFR_RNDN);
        else
            mpfr_set_d(shares[e], dyadic[e], MPFR_RNDN);
        if (!row_divisors.empty())
            mpfr_div(shares[e], shares[e], divisors[static_cast<std::size_t>(head.destinations()[e])],
                     MPFR_RNDN);
        const auto end = static_cast<std::size_t>(ends[e]);
        mpfr_add(sums[end], sums[end], shares[e], MPFR_RNDN);
    }
    mpfr_set_q(scalar[0], head_weight.backend().data(), MPFR_RNDN);
    for (std::size_t e = 0; e < head.edge_count(); ++e) {
        mpfr_div(shares[e], shares[e], sums[static_cast<std::size_t>(ends[e])], MPFR_RNDN);
        mpfr_mul(shares[e], shares[e], scalar[0], MPFR_RNDN);
    }
    return shares;
}

/// Where each edge of each head goes in the rows of the union: row by row, columns ascending, no duplicates.
void lay_out_union(const HeadSystem& system, const ConvexWeights& head_weights, FloatMatrix& matrix) {
    std::vector<std::vector<Node>> rows(static_cast<std::size_t>(system.nodes()));
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        if (head_weights[h] == 0) continue;
        const HeadDag& head = system.head(h);
        for (std::size_t e = 0; e < head.edge_count(); ++e)
            rows[static_cast<std::size_t>(head.destinations()[e])].push_back(head.sources()[e]);
    }
    matrix.row_begin.push_back(0);
    for (auto& row : rows) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        matrix.column.insert(matrix.column.end(), row.begin(), row.end());
        matrix.row_begin.push_back(matrix.column.size());
    }
}

std::size_t slot_of(const FloatMatrix& matrix, Node row, Node column) {
    const auto i = static_cast<std::size_t>(row);
    const auto begin = matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_begin[i]);
    const auto end = matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_begin[i + 1]);
    return static_cast<std::size_t>(std::lower_bound(begin, end, column) - matrix.column.begin());
}

}  // namespace

FloatMatrix float_matrix(const HeadSystem& system, Operator kind, mpfr_prec_t bits) {
    if (kind == Operator::walk) require_walk_defined(system);
    const auto& head_weights = kind == Operator::walk ? system.walk_weights() : system.diffusion_weights();
    FloatMatrix matrix;
    matrix.nodes = system.nodes();
    lay_out_union(system, head_weights, matrix);
    matrix.entry = FloatArray(matrix.column.size(), bits);
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        if (head_weights[h] == 0) continue;
        const HeadDag& head = system.head(h);
        const auto shares = normalised_edges(
            head, kind == Operator::walk ? head.sources() : head.destinations(), head_weights[h], bits);
        for (std::size_t e = 0; e < head.edge_count(); ++e) {
            const mpfr_ptr entry = matrix.entry[slot_of(matrix, head.destinations()[e], head.sources()[e])];
            mpfr_add(entry, entry, shares[e], MPFR_RNDN);
        }
    }
    matrix.roundings = 10.0 + system.nodes() + static_cast<double>(system.head_count());
    return matrix;
}

namespace {

template <class Scalar, class Convert>
TransitionMatrix<Scalar> converted(const FloatMatrix& matrix, const Convert& convert) {
    TransitionMatrix<Scalar> result;
    result.nodes = matrix.nodes;
    result.row_begin = matrix.row_begin;
    result.column = matrix.column;
    result.entry.reserve(matrix.entry.size());
    for (std::size_t e = 0; e < matrix.entry.size(); ++e) result.entry.push_back(convert(matrix.entry[e]));
    return result;
}

}  // namespace

TransitionMatrix<Enclosure> enclosure_matrix(const FloatMatrix& matrix) {
    // roundings · 2^−128 is far below one unit in the last place of a double (2^−52): one step outward covers
    // it.
    return converted<Enclosure>(matrix, [](mpfr_srcptr entry) {
        return Enclosure(next_down(mpfr_get_d(entry, MPFR_RNDD)), next_up(mpfr_get_d(entry, MPFR_RNDU)));
    });
}

TransitionMatrix<double> double_matrix(const FloatMatrix& matrix) {
    return converted<double>(matrix, [](mpfr_srcptr entry) { return mpfr_get_d(entry, MPFR_RNDN); });
}

}  // namespace crosshead
