#include <fmt/format.h>

#include <algorithm>
#include <crosshead/exact/limb_propagation.hpp>
#include <crosshead/graphs/error.hpp>
#include <limits>
#include <stdexcept>

namespace crosshead {
namespace {

using limbs::Term;

/// Costs of the methods in processor cycles a word, measured on an x86-64 with AVX2. They choose a method;
/// no result depends on them.
constexpr double cost_of_added_term = 1.4;   // mpn_add_n, mpn_addmul_1
constexpr double cost_of_halved_term = 0.4;  // split, multiply, add: four words at once
constexpr double cost_of_joining_halves = 5;

/// Whole chunks, in an odd number: rows then start in different cache sets.
std::size_t stride_for(std::size_t words) {
    const std::size_t chunks = (words + limbs::chunk_words - 1) / limbs::chunk_words;
    return (chunks | 1) * limbs::chunk_words;
}

std::size_t padded(std::size_t words) {
    return (words + limbs::chunk_words - 1) / limbs::chunk_words * limbs::chunk_words;
}

std::vector<mp_limb_t> words_of(const Integer& value) {
    const auto* z = value.backend().data();
    const mp_limb_t* words = mpz_limbs_read(z);
    return {words, words + mpz_size(z)};
}

std::size_t normal_size(const mp_limb_t* words, std::size_t size) {
    while (size > 0 && words[size - 1] == 0) --size;
    return size;
}

std::size_t bit_length(const Integer& value) {
    return mpz_sizeinbase(value.backend().data(), 2);
}

/// The bounds in step() make this unreachable; a wrong exact number would be worse than a stop.
void require_none(mp_limb_t carry) {
    if (carry != 0) throw std::logic_error("exact propagation: a sum outgrew the words computed for it");
}

void check_row(int i, const IntegerRow& row) {
    if (row.sources.size() != row.numerators.size())
        throw InputError(fmt::format("exact propagation: row {} has {} sources and {} numerators", i,
                                     row.sources.size(), row.numerators.size()));
    std::vector<int> sorted = row.sources;
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty() && (sorted.front() < 0 || sorted.back() > i))
        throw InputError(fmt::format("exact propagation: row {} has source {}; sources lie in 0..{}", i,
                                     sorted.front() < 0 ? sorted.front() : sorted.back(), i));
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        throw InputError(fmt::format("exact propagation: row {} names source {} twice", i, *twice));
    if (std::find(row.numerators.begin(), row.numerators.end(), 0u) != row.numerators.end())
        throw InputError(fmt::format("exact propagation: row {} has a numerator 0; leave the entry out", i));
}

/// column minus next, as terms to add and terms to subtract; both are sorted by row.
void difference(const std::vector<Term>& column, const std::vector<Term>& next, std::vector<Term>& added,
                std::vector<Term>& subtracted) {
    auto mine = column.begin();
    auto other = next.begin();
    while (mine != column.end() || other != next.end()) {
        if (other == next.end() || (mine != column.end() && mine->row < other->row)) {
            added.push_back(*mine++);
        } else if (mine == column.end() || other->row < mine->row) {
            subtracted.push_back(*other++);
        } else {
            if (mine->coefficient > other->coefficient)
                added.push_back({mine->row, mine->coefficient - other->coefficient});
            if (mine->coefficient < other->coefficient)
                subtracted.push_back({mine->row, other->coefficient - mine->coefficient});
            ++mine, ++other;
        }
    }
}

bool all_units(const Term* begin, const Term* end) {
    return std::all_of(begin, end, [](const Term& term) { return term.coefficient == 1; });
}

Integer coefficient_sum(const std::vector<Term>& terms) {
    Integer sum = 0;
    for (const Term& term : terms) sum += term.coefficient;
    return sum;
}

}  // namespace

ExactRowPropagation::ExactRowPropagation(int nodes, std::span<const IntegerRow> rows,
                                         std::span<const Integer> denominators,
                                         DenominatorsOf denominators_of, LimbPath path)
    : nodes_(nodes),
      denominators_of_(denominators_of),
      sum_halves_(path == LimbPath::portable ? limbs::sum_halves_portable : limbs::best_sum_halves()) {
    const auto n = static_cast<std::size_t>(std::max(nodes, 0));
    if (nodes < 1 || rows.size() != n || denominators.size() != n)
        throw InputError(
            fmt::format("exact propagation: {} rows and {} denominators for {} nodes; one of each "
                        "for every node, and at least one node",
                        rows.size(), denominators.size(), nodes));
    for (int i = 0; i < nodes; ++i) check_row(i, rows[static_cast<std::size_t>(i)]);
    take_denominators(denominators);
    plan_sums(rows);
    start_at(nodes - 1);
}

void ExactRowPropagation::take_denominators(std::span<const Integer> denominators) {
    lcm_ = 1;
    for (std::size_t k = 0; k < denominators.size(); ++k) {
        if (denominators[k] <= 0)
            throw InputError(fmt::format("exact propagation: denominator {} of node {} is not positive",
                                         denominators[k].str(), k));
        lcm_ = boost::multiprecision::lcm(lcm_, denominators[k]);
    }
    for (const Integer& denominator : denominators) {
        factors_.push_back(words_of(lcm_ / denominator));
        factor_words_ = std::max(factor_words_, factors_.back().size());
    }
}

void ExactRowPropagation::plan_sums(std::span<const IntegerRow> rows) {
    const auto n = static_cast<std::size_t>(nodes_);
    std::vector<std::vector<Term>> columns(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t e = 0; e < rows[i].sources.size(); ++e)
            columns[static_cast<std::size_t>(rows[i].sources[e])].push_back(
                {static_cast<int>(i), rows[i].numerators[e]});
    plans_.resize(n);
    Integer largest = 1;
    for (std::size_t j = n; j-- > 0;) {
        plan_column(j, columns);
        if (plans_[j].method == Method::halves) halved_.push_back(j);
        largest = std::max(largest, coefficient_sum(columns[j]));
    }
    carry_words_ = (bit_length(2 * largest) + 63) / 64;
}

void ExactRowPropagation::plan_column(std::size_t column, const std::vector<std::vector<Term>>& columns) {
    const std::vector<Term>& direct = columns[column];
    ColumnPlan& plan = plans_[column];
    std::vector<Term> added, subtracted;
    double after_next = std::numeric_limits<double>::infinity();
    if (column + 1 < columns.size()) {
        difference(direct, columns[column + 1], added, subtracted);
        after_next = cost_of_added_term * static_cast<double>(added.size() + subtracted.size());
    }
    const auto size = static_cast<double>(direct.size());
    const double in_words = cost_of_added_term * size;
    const double in_halves = coefficient_sum(direct) < limbs::coefficient_limit
                                 ? cost_of_joining_halves + cost_of_halved_term * size
                                 : std::numeric_limits<double>::infinity();
    if (after_next < std::min(in_words, in_halves)) {
        plan.method = Method::words_after_next;
    } else {
        plan.method = in_halves < in_words ? Method::halves : Method::words;
        added = direct;
        subtracted.clear();
    }
    plan.begin = terms_.size();
    terms_.insert(terms_.end(), added.begin(), added.end());
    plan.middle = terms_.size();
    terms_.insert(terms_.end(), subtracted.begin(), subtracted.end());
    plan.end = terms_.size();
    plan.units = all_units(terms_.data() + plan.begin, terms_.data() + plan.end);
}

void ExactRowPropagation::start_at(int node) {
    if (node < 0 || node >= nodes_)
        throw std::invalid_argument(
            fmt::format("exact propagation: start {} is not in 0..{}", node, nodes_ - 1));
    reset(1);
    numbers_[static_cast<std::size_t>(node) * stride_] = 1;
    denominator_ = 1;
}

void ExactRowPropagation::start(std::span<const Integer> numerators, const Integer& denominator) {
    if (numerators.size() != static_cast<std::size_t>(nodes_) || denominator <= 0)
        throw std::invalid_argument(
            "exact propagation: a start needs one numerator for each node and a "
            "positive denominator");
    std::size_t words = 1;
    for (const Integer& numerator : numerators) {
        if (numerator < 0)
            throw std::invalid_argument("exact propagation: a start has no negative numerators");
        words = std::max(words, mpz_size(numerator.backend().data()));
    }
    reset(words);
    for (std::size_t k = 0; k < numerators.size(); ++k) {
        const Words own = words_of(numerators[k]);
        std::copy(own.begin(), own.end(), numbers_.data() + k * stride_);
    }
    denominator_ = denominator;
}

void ExactRowPropagation::reset(std::size_t words) {
    std::fill(numbers_.begin(), numbers_.end(), mp_limb_t{0});
    steps_ = 0;
    length_ = words;
    reserve_words(words + factor_words_ + carry_words_);
}

void ExactRowPropagation::reserve_words(std::size_t words) {
    if (words <= stride_) return;
    const std::size_t stride = stride_for(std::max(words, 2 * stride_));
    const auto n = static_cast<std::size_t>(nodes_);
    scratch_ = Words();  // before the rest grows: never more than the two arrays at once
    Words grown(n * stride);
    for (std::size_t k = 0; k < n && stride_ > 0; ++k)
        std::copy_n(numbers_.data() + k * stride_, stride_, grown.data() + k * stride);
    numbers_ = std::move(grown);
    scratch_.assign(n * stride, 0);
    stride_ = stride;
}

/// Bounds. Let S be the largest column sum of coefficients and X_t[k] < 2^(64·length). A sum over one column,
/// or what is added on the way from the next column's sum, is at most 2·S times the largest term (each
/// coefficient on the way is at most b[i][j] + b[i][j+1]), and 2·S fits carry_words. The factor L/D fits
/// factor_words. So all numbers of the step fit length + factor_words + carry_words words, in either order.
void ExactRowPropagation::step() {
    const std::size_t words = length_ + factor_words_ + carry_words_;
    reserve_words(words);
    if (denominators_of_ == DenominatorsOf::rows) {
        scale(numbers_, length_, scratch_, words);
        sum(scratch_, numbers_, words);
    } else {
        sum(numbers_, scratch_, length_ + carry_words_);
        scale(scratch_, length_ + carry_words_, numbers_, words);
    }
    length_ = 1;
    for (std::size_t k = 0; k < plans_.size(); ++k)
        length_ = std::max(length_, normal_size(numbers_.data() + k * stride_, words));
    denominator_ *= lcm_;
    ++steps_;
}

/// to[k] = from[k] · L/D_k. Every number of `to` is zero from its end to to_words, rounded up to whole
/// chunks.
void ExactRowPropagation::scale(const Words& from, std::size_t from_words, Words& to,
                                std::size_t to_words) const {
    for (std::size_t k = 0; k < factors_.size(); ++k) {
        const mp_limb_t* source = from.data() + k * stride_;
        mp_limb_t* target = to.data() + k * stride_;
        const Words& factor = factors_[k];
        const std::size_t size = normal_size(source, from_words);
        std::size_t written = 0;
        if (size > 0) {
            written = size + factor.size();
            const auto long_size = static_cast<mp_size_t>(size);
            const auto short_size = static_cast<mp_size_t>(factor.size());
            if (size >= factor.size())
                mpn_mul(target, source, long_size, factor.data(), short_size);
            else
                mpn_mul(target, factor.data(), short_size, source, long_size);
        }
        std::fill(target + written, target + padded(to_words), mp_limb_t{0});
    }
}

/// to[j] = Σ_i from[i]·b[i][j] in `words` words, zero beyond them to the end of the chunk.
void ExactRowPropagation::sum(const Words& from, Words& to, std::size_t words) {
    sum_in_halves(from, to, words);
    for (std::size_t j = plans_.size(); j-- > 0;)
        if (plans_[j].method != Method::halves) sum_in_words(j, from, to, words);
}

/// Chunk after chunk over all columns, so that one chunk of every number stays in the first-level cache.
void ExactRowPropagation::sum_in_halves(const Words& from, Words& to, std::size_t words) {
    carries_.assign(halved_.size(), 0);
    for (std::size_t at = 0; at < words; at += limbs::chunk_words)
        for (std::size_t c = 0; c < halved_.size(); ++c) {
            const ColumnPlan& plan = plans_[halved_[c]];
            std::uint64_t low[limbs::chunk_words], high[limbs::chunk_words];
            sum_halves_(from.data() + at, stride_, terms_.data() + plan.begin, plan.end - plan.begin,
                        plan.units, low, high);
            mp_limb_t* target = to.data() + halved_[c] * stride_ + at;
            carries_[c] = limbs::join_halves(low, high, carries_[c], target);
        }
    for (const std::uint64_t carry : carries_) require_none(carry);
}

void ExactRowPropagation::sum_in_words(std::size_t column, const Words& from, Words& to,
                                       std::size_t words) const {
    const ColumnPlan& plan = plans_[column];
    mp_limb_t* target = to.data() + column * stride_;
    const mp_limb_t* so_far = target + stride_;  // the next column's sum, until the first term is in
    const auto size = static_cast<mp_size_t>(words);
    std::fill(target + words, target + padded(words), mp_limb_t{0});
    if (plan.method == Method::words) {
        std::fill(target, target + words, mp_limb_t{0});
        so_far = target;
    }
    for (std::size_t e = plan.begin; e < plan.end; ++e) {
        const Term& term = terms_[e];
        const mp_limb_t* own = from.data() + static_cast<std::size_t>(term.row) * stride_;
        if (term.coefficient == 1) {
            require_none(e < plan.middle ? mpn_add_n(target, so_far, own, size)
                                         : mpn_sub_n(target, so_far, own, size));
        } else {
            if (so_far != target) std::copy(so_far, so_far + words, target);
            require_none(e < plan.middle ? mpn_addmul_1(target, own, size, term.coefficient)
                                         : mpn_submul_1(target, own, size, term.coefficient));
        }
        so_far = target;
    }
    if (so_far != target) std::copy(so_far, so_far + words, target);
}

std::span<const mp_limb_t> ExactRowPropagation::words(int node) const {
    const mp_limb_t* own = numbers_.data() + static_cast<std::size_t>(node) * stride_;
    return {own, normal_size(own, length_)};
}

Integer ExactRowPropagation::numerator(int node) const {
    const auto own = words(node);
    Integer value;
    mpz_import(value.backend().data(), own.size(), -1, sizeof(mp_limb_t), 0, 0, own.data());
    return value;
}

Rational ExactRowPropagation::value(int node) const {
    return Rational(numerator(node), denominator_);
}

std::size_t ExactRowPropagation::bytes(std::size_t steps) const {
    const std::size_t number = (steps * bit_length(lcm_) + 63) / 64 + 1 + factor_words_ + carry_words_;
    return 2 * sizeof(mp_limb_t) * static_cast<std::size_t>(nodes_) * stride_for(2 * number);
}

}  // namespace crosshead
