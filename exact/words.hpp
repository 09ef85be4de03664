// The words of (Δ̄^t)[τ][j]: all of them, depth first, or the largest ones alone, best first (design §1).
//
// Shares are numerators over step_denominator^t of the operators, whose entries carry the head weights.
#pragma once

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <crosshead/exact/letters.hpp>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace crosshead {

template <class Scalar>
struct WordShare {
    Word word;
    Scalar share = Scalar(0);  // β_{h_1} … β_{h_t} · (Δ^(h_t) … Δ^(h_1))[τ][j]
};

/// Which of two shares is the larger one. Enclosures bring their own, by their middles.
template <class Scalar>
bool larger_share(const Scalar& a, const Scalar& b) {
    return b < a;
}

template <class Scalar>
const Scalar& larger_of(const Scalar& a, const Scalar& b) {
    return a < b ? b : a;
}

inline bool is_pure(const Word& word) {
    return std::all_of(word.begin(), word.end(), [&](auto h) { return h == word.front(); });
}

/// How many words of t letters have a share that is not zero: prefixes are told apart by the nodes that they
/// reach alone. Nothing where more than `most_states` such sets occur at one length.
template <class Scalar>
std::optional<Integer> count_words(const HeadOperators<Scalar>& operators, Node source, std::size_t steps,
                                   std::size_t most_states) {
    using Support = boost::dynamic_bitset<>;
    const auto live = live_nodes(operators, steps);
    const auto n = static_cast<std::size_t>(operators.nodes());
    Support start(n);
    start.set(static_cast<std::size_t>(source));
    std::map<Support, Integer> prefixes{{start, 1}};
    for (std::size_t k = 1; k <= steps; ++k) {
        std::map<Support, Integer> longer;
        for (const auto& [support, count] : prefixes)
            for (const auto& head : operators.heads) {
                Support reached(n);
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t e = head.row_begin[i];
                         live[steps - k][i] && e < head.row_begin[i + 1] && !reached.test(i); ++e)
                        if (support.test(static_cast<std::size_t>(head.column[e]))) reached.set(i);
                if (reached.any()) longer[reached] += count;
                if (longer.size() > most_states) return std::nullopt;
            }
        prefixes = std::move(longer);
    }
    Integer count = 0;
    for (const auto& [support, prefix_count] : prefixes) count += prefix_count;
    return count;
}

/// Calls visit(word, share) for every word of t ≥ 1 letters whose share is not zero by the graphs alone, in
/// lexicographic order; false where it was cut short after `most` products of a matrix with a vector.
/// Prefixes share their products; a prefix that no completion carries into the sink is left at once.
template <class Scalar, class Visit>
bool for_each_word(const HeadOperators<Scalar>& operators, Node source, std::size_t steps, std::uint64_t most,
                   const Visit& visit) {
    const auto live = live_nodes(operators, steps);
    std::vector<std::vector<Scalar>> columns(
        steps, std::vector<Scalar>(static_cast<std::size_t>(operators.nodes()), Scalar(0)));
    columns[0] = unit_vector<Scalar>(operators.nodes(), source);
    Word word(steps, 0);
    std::uint64_t products = 0;
    const std::function<bool(std::size_t)> descend = [&](std::size_t depth) {
        const bool last = depth + 1 == steps;
        for (std::size_t h = 0; h < operators.head_count(); ++h) {
            if (++products > most) return false;
            word[depth] = static_cast<std::uint16_t>(h);
            if (last) {
                Scalar share = into_sink(operators.heads[h], columns[depth]);
                if (!(share == 0)) visit(word, share);
            } else if (apply_letter(operators.heads[h], columns[depth], live[steps - depth - 1],
                                    columns[depth + 1]) &&
                       !descend(depth + 1)) {
                return false;
            }
        }
        return true;
    };
    return descend(0);
}

/// The `count` largest of the words that are offered in lexicographic order; the first where shares tie.
template <class Scalar>
class LargestWords {
  public:
    explicit LargestWords(std::size_t count) : count_(count) {}

    void offer(const Word& word, const Scalar& share) {
        if (count_ == 0 || (words_.size() == count_ && !larger_share(share, words_.back().share))) return;
        if (words_.size() == count_) words_.pop_back();
        const auto place =
            std::upper_bound(words_.begin(), words_.end(), share,
                             [](const Scalar& a, const auto& b) { return larger_share(a, b.share); });
        words_.insert(place, {word, share});
    }
    const std::vector<WordShare<Scalar>>& words() const { return words_; }

  private:
    std::size_t count_;
    std::vector<WordShare<Scalar>> words_;  // largest first
};

/// What best-first search found: the largest words in order, and what bounds every word that is not listed.
template <class Scalar>
struct BestWords {
    std::vector<WordShare<Scalar>> words;
    Scalar others_at_most = Scalar(0);
    bool complete = true;  // false: the budget ended the search before `count` words were found
};

/// bound[s][i]: no word of s letters brings more from node i into the sink. The max-product recursion
/// bound[s][i] = max_h Σ_k bound[s−1][k] M^(h)[k][i] lets each node choose its own word, so it is never too
/// small; over step_denominator^s.
template <class Scalar>
std::vector<std::vector<Scalar>> completion_bounds(const HeadOperators<Scalar>& operators,
                                                   std::size_t steps) {
    const auto n = static_cast<std::size_t>(operators.nodes());
    std::vector<std::vector<Scalar>> bound{unit_vector<Scalar>(operators.nodes(), operators.nodes() - 1)};
    for (std::size_t s = 1; s <= steps; ++s) {
        std::vector<Scalar> best(n, Scalar(0));
        for (const auto& head : operators.heads) {
            std::vector<Scalar> sum(n, Scalar(0));
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t e = head.row_begin[k]; e < head.row_begin[k + 1]; ++e)
                    add_product(sum[static_cast<std::size_t>(head.column[e])], head.entry[e],
                                bound[s - 1][k]);
            for (std::size_t i = 0; i < n; ++i) best[i] = larger_of(best[i], sum[i]);
        }
        bound.push_back(std::move(best));
    }
    return bound;
}

/// The `count` largest words of t ≥ 1 letters without enumerating all: prefixes are expanded in the order of
/// their bounds (equal ones in lexicographic order), so that a word is complete only when nothing left can
/// exceed it. Keeps at most `most_prefixes` prefixes of n scalars each.
template <class Scalar>
BestWords<Scalar> best_words(const HeadOperators<Scalar>& operators, Node source, std::size_t steps,
                             std::size_t count, std::size_t most_prefixes) {
    struct Prefix {
        Word word;
        std::vector<Scalar> column;
        Scalar bound;
    };
    const auto later = [](const Prefix& a, const Prefix& b) {
        if (larger_share(b.bound, a.bound)) return true;
        if (larger_share(a.bound, b.bound)) return false;
        return b.word < a.word;
    };
    const auto bounds = completion_bounds(operators, steps);
    const auto live = live_nodes(operators, steps);
    std::vector<Prefix> open;  // a heap
    const auto push = [&](Prefix prefix) {
        prefix.bound = Scalar(0);
        const auto& completion = bounds[steps - prefix.word.size()];
        for (std::size_t i = 0; i < prefix.column.size(); ++i)
            add_product(prefix.bound, prefix.column[i], completion[i]);
        if (prefix.bound == 0) return;
        open.push_back(std::move(prefix));
        std::push_heap(open.begin(), open.end(), later);
    };
    BestWords<Scalar> result;
    push({{}, unit_vector<Scalar>(operators.nodes(), source), Scalar(0)});
    while (!open.empty() && result.words.size() < count) {
        if (open.size() > most_prefixes) {
            result.complete = false;
            break;
        }
        std::pop_heap(open.begin(), open.end(), later);
        Prefix prefix = std::move(open.back());
        open.pop_back();
        if (prefix.word.size() == steps) {
            result.words.push_back({std::move(prefix.word), std::move(prefix.bound)});
            continue;
        }
        for (std::size_t h = 0; h < operators.head_count(); ++h) {
            Prefix longer{prefix.word, std::vector<Scalar>(prefix.column.size(), Scalar(0)), Scalar(0)};
            longer.word.push_back(static_cast<std::uint16_t>(h));
            if (apply_letter(operators.heads[h], prefix.column, live[steps - longer.word.size()],
                             longer.column))
                push(std::move(longer));
        }
    }
    if (!open.empty()) result.others_at_most = open.front().bound;
    return result;
}

}  // namespace crosshead
