// Simplices of head weights, and the operators at their vertices.
#pragma once

#include <crosshead/exact/head_operators.hpp>
#include <map>
#include <vector>

namespace crosshead {

/// A simplex of head weights: H vertices, each H weights that sum to 1. Vertices are dyadic and exact in both
/// scalars (double, Rational), as they come from halving edges only.
template <class Scalar>
struct WeightCell {
    std::vector<std::vector<Scalar>> vertices;

    /// All weights of H heads.
    static WeightCell whole(std::size_t heads) {
        WeightCell cell;
        for (std::size_t h = 0; h < heads; ++h) {
            cell.vertices.emplace_back(heads, Scalar(0));
            cell.vertices.back()[h] = Scalar(1);
        }
        return cell;
    }
    std::vector<Scalar> middle() const {
        std::vector<Scalar> sum(vertices.size(), Scalar(0));
        for (const auto& vertex : vertices)
            for (std::size_t h = 0; h < sum.size(); ++h) sum[h] += vertex[h];
        for (auto& weight : sum) weight /= Scalar(static_cast<int>(vertices.size()));
        return sum;
    }
    /// Σ_h |a_h − b_h| of the longest edge.
    Scalar diameter() const {
        const auto [a, b] = longest_edge();
        return distance(a, b);
    }
    /// The two halves along the longest edge (the first of several).
    std::pair<WeightCell, WeightCell> halves() const {
        const auto [a, b] = longest_edge();
        auto middle = vertices[a];
        for (std::size_t h = 0; h < middle.size(); ++h) middle[h] = (middle[h] + vertices[b][h]) / Scalar(2);
        std::pair<WeightCell, WeightCell> result{*this, *this};
        result.first.vertices[b] = middle;
        result.second.vertices[a] = middle;
        return result;
    }

  private:
    Scalar distance(std::size_t a, std::size_t b) const {
        Scalar sum(0);
        for (std::size_t h = 0; h < vertices.size(); ++h) {
            const Scalar difference = vertices[a][h] - vertices[b][h];
            sum += difference < 0 ? Scalar(-difference) : difference;
        }
        return sum;
    }
    std::pair<std::size_t, std::size_t> longest_edge() const {
        std::pair<std::size_t, std::size_t> longest{0, 0};
        Scalar length(0);
        for (std::size_t a = 0; a < vertices.size(); ++a)
            for (std::size_t b = a + 1; b < vertices.size(); ++b)
                if (const Scalar one = distance(a, b); length < one) {
                    length = one;
                    longest = {a, b};
                }
        return longest;
    }
};

/// The heads' operators on one pattern of entries, so that mixing them is a loop over numbers.
template <class Scalar>
class AlignedOperators {
  public:
    /// `operators`: without head weights, step denominator 1.
    explicit AlignedOperators(const HeadOperators<Scalar>& operators) {
        const auto n = static_cast<std::size_t>(operators.nodes());
        pattern_.nodes = operators.nodes();
        pattern_.row_begin.push_back(0);
        entries_.resize(operators.head_count());
        for (std::size_t i = 0; i < n; ++i) {
            std::map<Node, std::vector<Scalar>> row;
            for (std::size_t h = 0; h < operators.head_count(); ++h) {
                const auto& head = operators.heads[h];
                for (std::size_t e = head.row_begin[i]; e < head.row_begin[i + 1]; ++e)
                    row.try_emplace(head.column[e], operators.head_count(), Scalar(0)).first->second[h] =
                        head.entry[e];
            }
            for (auto& [column, by_head] : row) {
                pattern_.column.push_back(column);
                for (std::size_t h = 0; h < entries_.size(); ++h) entries_[h].push_back(by_head[h]);
            }
            pattern_.row_begin.push_back(pattern_.column.size());
        }
        pattern_.entry.assign(pattern_.column.size(), Scalar(0));
    }

    int nodes() const { return pattern_.nodes; }
    std::size_t head_count() const { return entries_.size(); }
    std::size_t edge_count() const { return pattern_.column.size(); }
    const TransitionMatrix<Scalar>& pattern() const { return pattern_; }
    const std::vector<Scalar>& entries(std::size_t head) const { return entries_[head]; }
    /// Σ_h weight_h · M^(h).
    TransitionMatrix<Scalar> mixed(const std::vector<Scalar>& weights) const {
        auto result = pattern_;
        for (std::size_t h = 0; h < entries_.size(); ++h) {
            if (weights[h] == 0) continue;
            for (std::size_t e = 0; e < result.entry.size(); ++e)
                result.entry[e] += weights[h] * entries_[h][e];
        }
        return result;
    }
    std::vector<TransitionMatrix<Scalar>> at_vertices(const WeightCell<Scalar>& cell) const {
        std::vector<TransitionMatrix<Scalar>> result;
        for (const auto& vertex : cell.vertices) result.push_back(mixed(vertex));
        return result;
    }

  private:
    TransitionMatrix<Scalar> pattern_;
    std::vector<std::vector<Scalar>> entries_;
};

}  // namespace crosshead
