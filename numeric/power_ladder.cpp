#include <cmath>
#include <crosshead/numeric/power_ladder.hpp>

namespace crosshead {

PowerLadder::PowerLadder(const FloatMatrix& matrix)
    : nodes_(matrix.nodes), bits_(matrix.entry.bits()), entry_roundings_(matrix.roundings) {
    const auto n = static_cast<std::size_t>(nodes_);
    FloatArray first(packed(n, 0), bits_);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
            mpfr_set(first[packed(i, static_cast<std::size_t>(matrix.column[e]))], matrix.entry[e],
                     MPFR_RNDN);
    powers_.push_back(std::move(first));
}

double PowerLadder::roundings(std::size_t k) const {
    return std::ldexp(entry_roundings_ + nodes_, static_cast<int>(k)) - nodes_;
}

const FloatArray& PowerLadder::power(std::size_t k) {
    const auto n = static_cast<std::size_t>(nodes_);
    FloatArray product(1, bits_);
    while (powers_.size() <= k) {
        const FloatArray& root = powers_.back();
        FloatArray square(root.size(), bits_);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t m = 0; m <= i; ++m) {
                const mpfr_srcptr left = root[packed(i, m)];
                if (mpfr_zero_p(left)) continue;
                for (std::size_t j = 0; j <= m; ++j) {
                    const mpfr_ptr sum = square[packed(i, j)];
                    mpfr_mul(product[0], left, root[packed(m, j)], MPFR_RNDN);
                    mpfr_add(sum, sum, product[0], MPFR_RNDN);
                }
            }
        powers_.push_back(std::move(square));
    }
    return powers_[k];
}

void PowerLadder::advance(const FloatArray& row, std::size_t k, FloatArray& out) {
    const FloatArray& matrix = power(k);
    const auto n = static_cast<std::size_t>(nodes_);
    FloatArray product(1, bits_);
    out.set_zero();
    for (std::size_t i = 0; i < n; ++i) {
        if (mpfr_zero_p(row[i])) continue;
        for (std::size_t j = 0; j <= i; ++j) {
            mpfr_mul(product[0], row[i], matrix[packed(i, j)], MPFR_RNDN);
            mpfr_add(out[j], out[j], product[0], MPFR_RNDN);
        }
    }
}

void PowerLadder::advance_column(const FloatArray& column, std::size_t k, FloatArray& out) {
    const FloatArray& matrix = power(k);
    const auto n = static_cast<std::size_t>(nodes_);
    FloatArray product(1, bits_);
    out.set_zero();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            mpfr_mul(product[0], matrix[packed(i, j)], column[j], MPFR_RNDN);
            mpfr_add(out[i], out[i], product[0], MPFR_RNDN);
        }
}

}  // namespace crosshead
