// Words, paths and polynomials as naively as they can be written: every word by counting in base H, its share
// as a full dense product, every node sequence one by one. Shares no code with what it checks, but for the
// number types.
#pragma once

#include <algorithm>
#include <crosshead/exact/mixture.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "naive.hpp"
#include "systems.hpp"

namespace crosshead::naive {

template <class Scalar>
using Square = std::vector<std::vector<Scalar>>;
using Letters = std::vector<std::uint16_t>;

/// W^(h) (walk) or Δ^(h) (diffusion) of each head, without its weight.
inline std::vector<Matrix> head_matrices(const HeadSystem& system, Operator kind) {
    std::vector<Matrix> heads;
    for (const auto& head : system.heads()) {
        const Matrix w = weights(head);
        Matrix normalised = zeros(w.size());
        for (std::size_t i = 0; i < w.size(); ++i)
            for (std::size_t j = 0; j < w.size(); ++j) {
                if (w[i][j] == 0) continue;
                Rational sum = 0;
                for (std::size_t k = 0; k < w.size(); ++k) sum += kind == Operator::walk ? w[k][j] : w[i][k];
                normalised[i][j] = w[i][j] / sum;
            }
        heads.push_back(std::move(normalised));
    }
    return heads;
}

/// The same, each times α_h (walk) or β_h (diffusion).
inline std::vector<Matrix> weighted_matrices(const HeadSystem& system, Operator kind) {
    auto heads = head_matrices(system, kind);
    for (std::size_t h = 0; h < heads.size(); ++h)
        for (auto& row : heads[h])
            for (auto& entry : row)
                entry *= kind == Operator::walk ? system.walk_weights()[h] : system.diffusion_weights()[h];
    return heads;
}

/// scale·M over machine integers; `scale` clears every denominator.
inline std::vector<Square<std::int64_t>> scaled(const std::vector<Matrix>& heads, int scale) {
    std::vector<Square<std::int64_t>> result;
    for (const auto& head : heads) {
        result.emplace_back();
        for (const auto& row : head) {
            result.back().emplace_back();
            for (const auto& entry : row) {
                const Rational integer = entry * scale;
                if (denominator(integer) != 1) throw std::logic_error("the scale leaves a denominator");
                result.back().back().push_back(numerator(integer).convert_to<std::int64_t>());
            }
        }
    }
    return result;
}

template <class Scalar>
Square<Scalar> dense_product(const Square<Scalar>& a, const Square<Scalar>& b) {
    const std::size_t n = a.size();
    Square<Scalar> result(n, std::vector<Scalar>(n, Scalar(0)));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < n; ++k)
                if (!(a[i][k] == 0) && !(b[k][j] == 0)) result[i][j] += a[i][k] * b[k][j];
    return result;
}

/// M^t.
template <class Scalar>
Square<Scalar> power(const Square<Scalar>& matrix, std::size_t steps) {
    Square<Scalar> result(matrix.size(), std::vector<Scalar>(matrix.size(), Scalar(0)));
    for (std::size_t i = 0; i < matrix.size(); ++i) result[i][i] = 1;
    for (std::size_t k = 0; k < steps; ++k) result = dense_product(matrix, result);
    return result;
}

template <class Scalar>
Square<Scalar> sum(const std::vector<Square<Scalar>>& heads) {
    auto result = heads.front();
    for (std::size_t h = 1; h < heads.size(); ++h)
        for (std::size_t i = 0; i < result.size(); ++i)
            for (std::size_t j = 0; j < result.size(); ++j) result[i][j] += heads[h][i][j];
    return result;
}

/// One word, and row τ of the product of its matrices: its share from every source.
template <class Scalar>
struct Product {
    Letters word;
    Square<Scalar> matrix;
    const Scalar& share(Node source) const { return matrix.back()[static_cast<std::size_t>(source)]; }
};

/// All H^t words of t letters: the numbers 0 … H^t − 1 in base H, the first letter the leading digit, so that
/// they come in lexicographic order.
template <class Scalar>
std::vector<Product<Scalar>> all_words(const std::vector<Square<Scalar>>& heads, std::size_t steps) {
    std::size_t words = 1;
    for (std::size_t k = 0; k < steps; ++k) words *= heads.size();
    std::vector<Product<Scalar>> result;
    for (std::size_t number = 0; number < words; ++number) {
        Letters word(steps);
        std::size_t left = number;
        for (std::size_t k = steps; k-- > 0; left /= heads.size())
            word[k] = static_cast<std::uint16_t>(left % heads.size());
        Square<Scalar> matrix = power(heads.front(), 0);
        for (const auto letter : word) matrix = dense_product(heads[letter], matrix);
        result.push_back({std::move(word), std::move(matrix)});
    }
    return result;
}

inline std::size_t switches(const Letters& word) {
    std::size_t count = 0;
    for (std::size_t k = 1; k < word.size(); ++k) count += word[k - 1] != word[k];
    return count;
}

inline std::size_t uses(const Letters& word, std::size_t head) {
    return static_cast<std::size_t>(std::count(word.begin(), word.end(), head));
}

/// The shares from `source` of the words that are `chosen`, summed.
template <class Scalar, class Chosen>
Scalar sum_where(const std::vector<Product<Scalar>>& words, Node source, const Chosen& chosen) {
    Scalar sum(0);
    for (const auto& one : words)
        if (chosen(one.word)) sum += one.share(source);
    return sum;
}

/// The words with a share, largest first, where they tie the lexicographically first.
template <class Scalar>
std::vector<std::pair<Letters, Scalar>> ranked(const std::vector<Product<Scalar>>& words, Node source) {
    std::vector<std::pair<Letters, Scalar>> list;
    for (const auto& one : words)
        if (one.share(source) != 0) list.emplace_back(one.word, one.share(source));
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return list;
}

/// The words' shares grouped by how often each letter occurs: the coefficients of the monomials.
template <class Scalar>
std::map<std::vector<std::uint32_t>, Scalar> grouped(const std::vector<Product<Scalar>>& words,
                                                     std::size_t heads, Node source) {
    std::map<std::vector<std::uint32_t>, Scalar> result;
    for (const auto& one : words) {
        std::vector<std::uint32_t> counts;
        for (std::size_t h = 0; h < heads; ++h)
            counts.push_back(static_cast<std::uint32_t>(uses(one.word, h)));
        result.try_emplace(counts, Scalar(0)).first->second += one.share(source);
    }
    return result;
}

/// visit(v_0 … v_t) for every sequence of nodes from `source` to the sink, t edges, whatever the edges.
inline void each_sequence(int nodes, Node source, std::size_t steps,
                          const std::function<void(const std::vector<Node>&)>& visit) {
    std::vector<Node> sequence{source};
    const std::function<void()> extend = [&] {
        if (sequence.size() == steps + 1) {
            if (sequence.back() == nodes - 1) visit(sequence);
            return;
        }
        for (Node next = 0; next < nodes; ++next) {
            sequence.push_back(next);
            extend();
            sequence.pop_back();
        }
    };
    extend();
}

struct Paths {
    std::vector<Integer> in_head;
    Integer in_union = 0, across = 0;
    bool operator==(const Paths&) const = default;
};

/// Each sequence looked at edge by edge; heads of weight 0 have no edges.
inline Paths count_paths(const HeadSystem& system, const ConvexWeights& head_weights, Node source,
                         std::size_t steps, bool self_loops) {
    const std::size_t heads = system.head_count();
    std::vector<Matrix> w;
    for (const auto& head : system.heads()) w.push_back(weights(head));
    Paths result;
    result.in_head.assign(heads, 0);
    each_sequence(system.nodes(), source, steps, [&](const std::vector<Node>& v) {
        std::vector<bool> in(heads, true);
        bool in_union = true;
        for (std::size_t k = 0; k < steps; ++k) {
            const auto j = static_cast<std::size_t>(v[k]), i = static_cast<std::size_t>(v[k + 1]);
            bool somewhere = false;
            for (std::size_t h = 0; h < heads; ++h) {
                const bool here = head_weights[h] != 0 && w[h][i][j] != 0 && (self_loops || i != j);
                somewhere = somewhere || here;
                in[h] = in[h] && here;
            }
            in_union = in_union && somewhere;
        }
        bool in_one = false;
        for (std::size_t h = 0; h < heads; ++h) {
            if (in[h]) ++result.in_head[h];
            in_one = in_one || in[h];
        }
        if (in_union) ++result.in_union;
        if (in_union && !in_one) ++result.across;
    });
    return result;
}

/// All node sequences with a share, strongest first, where they tie the lexicographically first.
inline std::vector<std::pair<std::vector<Node>, Rational>> ranked_paths(const Matrix& mixture, Node source,
                                                                        std::size_t steps) {
    std::vector<std::pair<std::vector<Node>, Rational>> list;
    each_sequence(static_cast<int>(mixture.size()), source, steps, [&](const std::vector<Node>& v) {
        Rational share = 1;
        for (std::size_t k = 0; k < steps; ++k)
            share *= mixture[static_cast<std::size_t>(v[k + 1])][static_cast<std::size_t>(v[k])];
        if (share != 0) list.emplace_back(v, share);
    });
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return list;
}

}  // namespace crosshead::naive

namespace crosshead::testing {

/// The whole of every range from the first trial on: left alone, RapidCheck begins with tiny ones.
template <class T>
rc::Gen<T> full_size(rc::Gen<T> generator) {
    return rc::gen::resize(rc::kNominalSize, std::move(generator));
}

/// Self-loops and other edges of weight 0..2 (self-loops at least 1), so that much is missing and much ties;
/// head weights are integers 0..3 over their sum, the last head's at least 1. Shrinks inside these
/// hypotheses.
inline rc::Gen<HeadSystem> sparse_systems(int most_nodes, int most_heads) {
    return rc::gen::exec([=] {
        const int nodes = *rc::gen::inRange(1, most_nodes + 1);
        const int heads = *rc::gen::inRange(1, most_heads + 1);
        std::vector<HeadDag> dags;
        for (int h = 0; h < heads; ++h) {
            std::vector<WeightedEdge> edges;
            for (Node j = 0; j < nodes; ++j)
                for (Node i = j; i < nodes; ++i)
                    edges.push_back({j, i, i == j ? *rc::gen::inRange(1, 3) : *rc::gen::inRange(0, 3)});
            dags.emplace_back(nodes, std::move(edges));
        }
        const auto weights = [&] {
            std::vector<Rational> scores;
            for (int h = 0; h < heads; ++h) scores.emplace_back(*rc::gen::inRange(h + 1 == heads ? 1 : 0, 4));
            return ConvexWeights::from_scores(std::move(scores), "weights");
        };
        const auto alpha = weights(), beta = weights();
        return HeadSystem(std::move(dags), alpha, beta);
    });
}

}  // namespace crosshead::testing
