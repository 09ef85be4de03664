// Exact row-vector propagation over a common denominator, on machine words: nothing is ever reduced.
//
// M is non-negative and lower triangular, its entries integers b[i][j] over a denominator D of their row
// (diffusion) or of their column (walk). With L = lcm of all D, Q_0 the denominator of the start and
// Q_{t+1} = Q_t·L, every x_t[k] is X_t[k]/Q_t with an integer X_t[k]:
//   rows:     Y[i] = X_t[i]·(L/D_i),   X_{t+1}[j] = Σ_i Y[i]·b[i][j]
//   columns:  Y[j] = Σ_i X_t[i]·b[i][j],   X_{t+1}[j] = Y[j]·(L/D_j)
// so a step costs n products of a long by a short integer, and one long addition for each edge at most.
#pragma once

#include <gmp.h>

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
    /// denominator for each node. Throws InputError naming the row for anything else.
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

    /// X_t[node]: the numerator over denominator(), not reduced.
    Integer numerator(int node) const;
    /// The same as little-endian words without leading zeros (empty for 0); valid until the next step.
    std::span<const mp_limb_t> words(int node) const;
    /// Q_t.
    const Integer& denominator() const { return denominator_; }
    /// L: what the denominator is multiplied by in a step.
    const Integer& denominator_per_step() const { return lcm_; }
    /// x_t[node] in lowest terms: costs a gcd of long numbers.
    Rational value(int node) const;

    int nodes() const { return nodes_; }
    /// Bytes of the two word arrays after `steps` steps from a start with a one-word denominator, before any
    /// doubling: 16·n·⌈(steps·log2 L + 64)/64 + short factor and carry words⌉.
    std::size_t bytes(std::size_t steps) const;

  private:
    /// How one column is summed: from nothing, or from the next column's sum where few entries differ.
    struct Term {
        int row;
        std::uint64_t coefficient;
    };
    struct ColumnPlan {
        std::size_t added_begin, added_end;            // terms to add
        std::size_t subtracted_begin, subtracted_end;  // terms to subtract, only from a copied sum
        bool from_next_column;
        bool small_coefficients;  // Σ of the coefficients < 2^31: sums fit split words
    };

    void plan_columns(std::span<const IntegerRow> rows);
    void plan_column(int column, const std::vector<std::vector<Term>>& columns);
    void reserve_words(std::size_t words);
    void scale(std::vector<mp_limb_t>& from, std::vector<mp_limb_t>& to, std::size_t to_words);
    void sum_columns(const std::vector<mp_limb_t>& from, std::vector<mp_limb_t>& to, std::size_t to_words);
    void sum_from_next(int column, const mp_limb_t* from, mp_limb_t* to, std::size_t to_words) const;
    void sum_long(const ColumnPlan& plan, const mp_limb_t* from, mp_limb_t* sum, std::size_t words) const;

    int nodes_;
    DenominatorsOf denominators_of_;
    bool use_avx2_;
    Integer lcm_, denominator_;
    std::vector<std::vector<mp_limb_t>> factors_;  // L / D of each node
    std::vector<Term> terms_;
    std::vector<ColumnPlan> plans_;
    std::size_t steps_ = 0;
    std::size_t stride_ = 0;          // words reserved for each number
    std::size_t length_ = 0;          // words that the longest X_t[k] takes
    std::vector<mp_limb_t> numbers_;  // X_t, n × stride_, zero beyond each number
    std::vector<mp_limb_t> scratch_;  // Y
};

}  // namespace crosshead
