// What words carry, for the evaluator: the sum over all of them, and the part of those that change heads. A
// part of measured_source.cpp.
#pragma once

#include <crosshead/exact/words.hpp>
#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/proofs_check/conjecture/propagation.hpp>

namespace crosshead {

/// Words of one length that are enumerated for word_sum(t, j); where there are more, its value stays unknown.
inline constexpr std::uint64_t most_words = std::uint64_t{1} << 16;

/// And letters of one word: the enumeration goes as deep as the word is long.
inline constexpr int most_letters = 1000;

/// Whether the H^t words of t letters are within these limits.
inline bool enumerable_words(int heads, int steps) {
    std::uint64_t words = 1;
    for (int k = 0; heads > 1 && k < steps; ++k)
        if ((words *= static_cast<std::uint64_t>(heads)) > most_words) return false;
    return steps <= most_letters;
}

/// Row τ of the sum of all words of t letters that use two heads or more, t = 0, 1, 2, … as far as it was
/// asked for: c_{t+1} = Σ_g (c_t + Σ_{h≠g} q_h) M^(g), where q_h = e_τ (M^(h))^t are the words of one head.
/// Sums of products alone: nothing is subtracted, and an enclosure of it is tight.
template <class Scalar>
class CrossRows {
  public:
    /// `operators` carry the head weights, over step denominator 1.
    explicit CrossRows(HeadOperators<Scalar> operators) : operators_(std::move(operators)) {
        const int n = operators_.nodes();
        pure_.assign(operators_.head_count(), unit_vector<Scalar>(n, n - 1));
        rows_.emplace_back(static_cast<std::size_t>(n), Scalar(0));
    }
    const Scalar& at(int step, Node node) {
        while (rows_.size() <= static_cast<std::size_t>(step)) advance();
        return rows_[static_cast<std::size_t>(step)][static_cast<std::size_t>(node)];
    }

  private:
    using Row = std::vector<Scalar>;
    void advance() {
        const bool first = rows_.size() == 1;  // before the first letter there is one word, of no head
        const std::size_t n = rows_.front().size(), heads = operators_.head_count();
        Row next(n, Scalar(0));
        std::vector<Row> pure(heads, Row(n, Scalar(0)));
        for (std::size_t g = 0; g < heads; ++g) {
            Row entering = rows_.back();
            for (std::size_t h = 0; h < heads && !first; ++h)
                for (std::size_t i = 0; h != g && i < n; ++i) entering[i] += pure_[h][i];
            add_row(operators_.heads[g], entering, next);
            add_row(operators_.heads[g], pure_[g], pure[g]);
        }
        rows_.push_back(std::move(next));
        pure_ = std::move(pure);
    }
    /// sum += row · M.
    static void add_row(const TransitionMatrix<Scalar>& matrix, const Row& row, Row& sum) {
        for (std::size_t i = 0; i < row.size(); ++i)
            for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
                add_product(sum[static_cast<std::size_t>(matrix.column[e])], matrix.entry[e], row[i]);
    }

    HeadOperators<Scalar> operators_;
    std::vector<Row> pure_, rows_;
};

/// word_sum and cross_signal of a system: exact as long as the fractions stay short, else enclosures.
class WordQuantities {
  public:
    /// `system` must outlive this object.
    explicit WordQuantities(const HeadSystem& system)
        : system_(system), step_bits_(denominator_bits(system, Operator::diffusion)) {}

    /// Σ over words of β_{h_1} … β_{h_t} (Δ^(h_t) … Δ^(h_1))[τ][node], by enumerating them.
    Real sum(int step, Node node, const RealArithmetic& arithmetic) {
        if (!enumerable_words(static_cast<int>(system_.head_count()), step)) return arithmetic.unknown();
        if (step == 0) return Rational(node == system_.sink() ? 1 : 0);  // the empty word
        if (is_exact(step)) {
            if (!exact_words_) exact_words_ = over_common_denominator(rational_operators());
            const Integer scale =
                boost::multiprecision::pow(exact_words_->step_denominator, static_cast<unsigned>(step));
            return Rational(sum_of(*exact_words_, step, node), scale);
        }
        if (!enclosed_words_) enclosed_words_ = enclosed_operators();
        return Real::of(Quantity::within(sum_of(*enclosed_words_, step, node)), arithmetic.bits());
    }
    /// The part of it that words of at least two different heads carry.
    Real cross(int step, Node node, const RealArithmetic& arithmetic) {
        if (is_exact(step)) {
            if (!exact_cross_) exact_cross_.emplace(rational_operators());
            return exact_cross_->at(step, node);
        }
        if (static_cast<double>(step) * system_.nodes() > most_entries) return arithmetic.unknown();
        if (!enclosed_cross_) enclosed_cross_.emplace(enclosed_operators());
        return Real::of(Quantity::within(enclosed_cross_->at(step, node)), arithmetic.bits());
    }

  private:
    bool is_exact(int step) const {
        return step_bits_ <= longest_exact_step && step * step_bits_ <= longest_exact_bits;
    }
    HeadOperators<Rational> rational_operators() const {
        return head_operators(system_, Operator::diffusion, HeadWeights::applied);
    }
    HeadOperators<Enclosure> enclosed_operators() const {
        return enclosure_operators(system_, Operator::diffusion, HeadWeights::applied);
    }
    template <class Scalar>
    static Scalar sum_of(const HeadOperators<Scalar>& operators, int step, Node node) {
        Scalar sum(0);
        for_each_word(operators, node, static_cast<std::size_t>(step),
                      std::numeric_limits<std::uint64_t>::max(),
                      [&](const Word&, const Scalar& share) { sum += share; });
        return sum;
    }

    const HeadSystem& system_;
    double step_bits_;
    std::optional<HeadOperators<Integer>> exact_words_;
    std::optional<HeadOperators<Enclosure>> enclosed_words_;
    std::optional<CrossRows<Rational>> exact_cross_;
    std::optional<CrossRows<Enclosure>> enclosed_cross_;
};

}  // namespace crosshead
