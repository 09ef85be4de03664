// Exact row-vector propagation over a common denominator, on machine words: nothing is ever reduced.
//
// M is non-negative and lower triangular, its entries integers b[i][j] over a denominator D of their row
// (diffusion) or of their column (walk). With L = lcm of all D, Q_0 the denominator of the start and
// Q_{t+1} = Q_t·L, every x_t[k] is X_t[k]/Q_t with an integer X_t[k]:
//   rows:     Y[i] = X_t[i]·(L/D_i),           X_{t+1}[j] = Σ_i Y[i]·b[i][j]
//   columns:  Y[j] = Σ_i X_t[i]·b[i][j],       X_{t+1}[j] = Y[j]·(L/D_j)
// so a step costs n products of a long by a short integer, and the sums. Three things make the sums cheap:
//   - column j often equals column j+1 but for a few entries (full causal graphs and windows: one or two),
//   and
//     then its sum is the next column's sum plus and minus those terms;
//   - otherwise long sums with small coefficients delay all carries to the end (limb_sums.hpp);
//   - what is left, few terms or large coefficients, is GMP's word arithmetic.
#pragma once

#include <gmp.h>

#include <crosshead/exact/limb_sums.hpp>
#include <crosshead/graphs/rational.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosshead {

/// The positive entries of one row of the matrix: numerators[e] at column sources[e].
struct IntegerRow {
    std::vector<int> sources;
    std::vector<std::uint64_t> numerators;
};

/// Whether denominators belong to rows (destinations: diffusion) or to columns (sources: walk).
enum class DenominatorsOf { rows, columns };

/// Which machine code sums. `automatic` takes AVX2 where this processor has it; results are identical.
enum class LimbPath { automatic, portable };

/// x_t = x_0 M^t, exactly, one step at a time.
class ExactRowPropagation {
  public:
    /// One row for each node (row i: sources ≤ i, each at most once, numerators > 0) and one positive
    /// denominator for each node. The vector starts as e_τ, τ = n-1. Throws InputError naming the row for
    /// anything else.
    ExactRowPropagation(int nodes, std::span<const IntegerRow> rows, std::span<const Integer> denominators,
                        DenominatorsOf denominators_of, LimbPath path = LimbPath::automatic);

    /// x_0 = e_node. Throws std::invalid_argument unless 0 ≤ node < n.
    void start_at(int node);
    /// x_0[k] = numerators[k] / denominator. Throws std::invalid_argument unless there are n numerators ≥ 0
    /// and the denominator is > 0.
    void start(std::span<const Integer> numerators, const Integer& denominator);

    /// x_t → x_{t+1}. Allocates only when the numbers outgrow the space, which then doubles.
    void step();
    std::size_t steps() const { return steps_; }  // t

    /// X_t[node]: the numerator over denominator(), not reduced. Requires 0 ≤ node < n, here and below.
    Integer numerator(int node) const;
    /// The same as little-endian words without leading zeros (empty for 0); valid until the next step.
    std::span<const mp_limb_t> words(int node) const;
    /// x_t[node] in lowest terms: costs a gcd of long numbers.
    Rational value(int node) const;
    /// Q_t.
    const Integer& denominator() const { return denominator_; }
    /// L: what the denominator is multiplied by in a step.
    const Integer& denominator_per_step() const { return lcm_; }

    int nodes() const { return nodes_; }
    /// Most bytes that the numbers take in the first `steps` steps from a start whose numerators and
    /// denominator fit one word, for x_t ≤ 1: two arrays of n numbers of 2w words each (space doubles when it
    /// runs out), rounded up to an odd number of cache lines; w = ⌈t·log2 L / 64⌉ + 1 and what one step adds.
    std::size_t bytes(std::size_t steps) const;

  private:
    using Words = std::vector<mp_limb_t>;
    enum class Method {
        halves,            // split words, carries delayed
        words,             // GMP's additions, one term after another, from zero
        words_after_next,  // the same, from the next column's sum
    };
    /// How column j is summed: terms_[begin, middle) are added, terms_[middle, end) subtracted.
    struct ColumnPlan {
        std::size_t begin = 0, middle = 0, end = 0;
        Method method = Method::words;
        bool units = false;  // every coefficient is 1
    };

    void take_denominators(std::span<const Integer> denominators);
    void plan_sums(std::span<const IntegerRow> rows);
    void plan_column(std::size_t column, const std::vector<std::vector<limbs::Term>>& columns);
    void reset(std::size_t words);
    void reserve_words(std::size_t words);
    void scale(const Words& from, std::size_t from_words, Words& to, std::size_t to_words) const;
    void sum(const Words& from, Words& to, std::size_t words);
    void sum_in_halves(const Words& from, Words& to, std::size_t words);
    void sum_in_words(std::size_t column, const Words& from, Words& to, std::size_t words) const;

    int nodes_;
    DenominatorsOf denominators_of_;
    limbs::SumHalves sum_halves_;
    Integer lcm_, denominator_;
    std::vector<Words> factors_;    // L/D of each node
    std::size_t factor_words_ = 1;  // the longest of them
    std::size_t carry_words_ = 1;   // what a sum can be longer than its terms
    std::vector<limbs::Term> terms_;
    std::vector<ColumnPlan> plans_;
    std::vector<std::size_t> halved_;     // the columns that are summed in halves,
    std::vector<std::uint64_t> carries_;  // and the carry of each
    std::size_t steps_ = 0;
    std::size_t stride_ = 0;   // words reserved for each number
    std::size_t length_ = 1;   // words that the longest X_t[k] takes
    Words numbers_, scratch_;  // X_t and Y: n × stride_; X_t is zero beyond length_
};

}  // namespace crosshead
