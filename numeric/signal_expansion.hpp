// Where the signal of one node comes from: words, switches, heads and paths behind (Δ̄^t)[τ][j], or behind
// the walk's (W̄^t)[τ][j] (design §1).
//
// Exact over integers where a share's denominator stays short; certified enclosures otherwise. One set of
// templates (exact/words.hpp, signal_shares.hpp, strongest_paths.hpp) serves both.
#pragma once

#include <crosshead/exact/head_operators.hpp>
#include <crosshead/exact/letters.hpp>
#include <crosshead/exact/path_counts.hpp>
#include <crosshead/numeric/quantity.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace crosshead {

struct ExpansionOptions {
    Operator kind = Operator::diffusion;
    Node source = 0;
    std::size_t steps = 1;  // t ≥ 1
    std::size_t top = 10;   // words and paths listed
    /// Words that may be enumerated; beyond it the largest are searched best first, and at most as many
    /// prefixes are kept.
    std::uint64_t budget = std::uint64_t{1} << 20;
    /// Longest denominator of a share, in bits, that is still worked out exactly.
    double exact_bits = 16'384;
    /// Multiply-adds of machine words (about a nanosecond each) that exact distributions may take.
    double exact_work = 2e9;
};

/// Multiply-adds that the distributions by switches and uses take: 3/2·t² for each edge of each head.
double distribution_work(const HeadSystem& system, std::size_t steps);

/// One word and what it carries.
struct WordQuantity {
    Word word;
    Quantity share;  // of the step: not divided by the total
};

/// The largest words, and what is known of the others.
struct WordsMeasure {
    std::vector<WordQuantity> top;  // largest first; where shares tie, the lexicographically first
    bool enumerated = false;        // all words were visited
    /// Words whose share is not zero; absent where neither enumerating nor the graphs tell.
    std::optional<Integer> count;
    bool top_complete = true;   // false: the search ended early, larger words may be missing
    bool order_certain = true;  // false: enclosures of neighbours overlap
    Quantity listed;            // sum of `top`
    Quantity not_listed;        // total − listed
    Quantity others_at_most;    // no word outside `top` carries more (its upper end)
};

/// One node sequence, and what each head adds to each of its steps.
struct PathQuantity {
    std::vector<Node> nodes;  // v_0 … v_t
    Quantity share;
    /// Of each step, the head that carries most of it (the first, where they tie).
    std::vector<std::size_t> leading_head;
};

/// The whole of (Δ̄^t)[τ][j] and its parts. Every part is a share of the step itself; divide by `total` for
/// fractions of the signal.
struct SignalExpansion {
    ExpansionOptions options;
    bool exact = false;  // all shares are exact; else all are enclosures
    Quantity total;
    std::vector<Quantity> pure;                     // head h alone: the word h…h
    Quantity cross_head;                            // every word of at least two heads
    std::vector<Quantity> switches;                 // by number of head switches, 0..t−1
    std::vector<std::vector<Quantity>> uses;        // [h][c]: words with head h c times, c = 0..t
    std::vector<std::vector<Quantity>> first_last;  // [h_1][h_t]
    WordsMeasure words;
    PathCounts paths, paths_without_self_loops;
    std::vector<PathQuantity> strongest_paths;
};

/// Takes the signal apart. Where the parts do not sum to the total (exactly, or within their enclosures)
/// throws std::logic_error. Throws std::invalid_argument for t = 0 or an unknown source, and
/// UndefinedQuantity as walk_matrix does.
SignalExpansion expand_signal(const HeadSystem& system, const ExpansionOptions& options);

/// part / total as a quantity; nothing where the total is zero.
std::optional<Quantity> fraction_of(const Quantity& part, const Quantity& total);

/// Σ_c c·distribution[c] / total: the mean number of switches, or of uses; nothing where the total is zero.
std::optional<Quantity> mean_of(const std::vector<Quantity>& distribution, const Quantity& total);

/// One (W̄^t)[τ][j] or (Δ̄^t)[τ][j] for each node j.
std::vector<Quantity> signals_at(const HeadSystem& system, Operator kind, std::size_t steps);

}  // namespace crosshead
