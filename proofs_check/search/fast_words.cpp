// What words carry, in certified doubles. Every number is a sum of products of non-negative ones; an entry of
// β_h Δ^(h) carries three roundings with its product.
#include <crosshead/proofs_check/conjecture/word_quantities.hpp>
#include <crosshead/proofs_check/search/fast_source.hpp>

namespace crosshead {
namespace {

using Row = std::array<double, max_small_nodes>;

/// row · β Δ of one head.
Row times(const Row& row, const PreparedHead& head, double beta, int nodes) {
    Row next{};
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j <= i; ++j)
            next[static_cast<std::size_t>(j)] +=
                row[static_cast<std::size_t>(i)] *
                (beta * head.diffusion[static_cast<std::size_t>(triangle_index(i, j))]);
    return next;
}

/// Σ over the words of `steps` letters that follow what made `row`, at `node`. A letter costs at most n − 1
/// additions in its product and H − 1 in the sum over heads: what a step of the mixture costs.
double sum_over_words(const Row& row, const PreparedHead* const* heads, const double* beta, int head_count,
                      int nodes, int steps, int node) {
    if (steps == 0) return row[static_cast<std::size_t>(node)];
    double sum = 0;
    for (int h = 0; h < head_count; ++h)
        sum += sum_over_words(times(row, *heads[h], beta[h], nodes), heads, beta, head_count, nodes,
                              steps - 1, node);
    return sum;
}

}  // namespace

FastNumber FastSource::word_sum(int step, int node) {
    if (step > OperatorBatch::max_steps || !enumerable_words(heads_, step)) return FastNumber::unknown();
    std::array<const PreparedHead*, max_heads> heads{};
    for (int h = 0; h < heads_; ++h) heads[idx(h)] = &prepared(h);
    Row start{};
    start[idx(nodes_ - 1)] = 1;
    return batch(-1).probability(
        sum_over_words(start, heads.data(), beta_double_.data(), heads_, nodes_, step, node), step);
}

/// The recursion of CrossRows. A step costs H − 1 additions before the products, and n − 1 + H − 1 after
/// them: less than two steps of the mixture.
FastNumber FastSource::cross_signal(int step, int node) {
    if (step > OperatorBatch::max_steps) return FastNumber::unknown();
    std::array<Row, max_heads> pure{};
    Row cross{};
    for (auto& row : pure) row[idx(nodes_ - 1)] = 1;
    for (int t = 0; t < step; ++t) {
        Row next{};
        for (int g = 0; g < heads_; ++g) {
            Row entering = cross;
            for (int h = 0; h < heads_ && t > 0; ++h)
                for (int i = 0; h != g && i < nodes_; ++i) entering[idx(i)] += pure[idx(h)][idx(i)];
            const Row left = times(entering, prepared(g), beta_double_[idx(g)], nodes_);
            for (int i = 0; i < nodes_; ++i) next[idx(i)] += left[idx(i)];
        }
        for (int h = 0; h < heads_; ++h)
            pure[idx(h)] = times(pure[idx(h)], prepared(h), beta_double_[idx(h)], nodes_);
        cross = next;
    }
    return batch(-1).probability(cross[idx(node)], 2 * step);
}

}  // namespace crosshead
