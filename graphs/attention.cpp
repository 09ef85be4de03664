#include <fmt/format.h>

#include <cmath>
#include <crosshead/graphs/attention.hpp>
#include <crosshead/graphs/error.hpp>
#include <span>

namespace crosshead {
namespace {

/// The first entry, in row order, that cannot stand in causal attention.
void require_causal_weights(std::span<const double> head, std::size_t n, const std::string& place) {
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const double weight = head[i * n + j];
            const auto refuse = [&](const std::string& why) {
                throw InputError(fmt::format("{} row {} column {} is {}: {}", place, i, j, weight, why));
            };
            if (!std::isfinite(weight)) refuse("attention is finite; export it again");
            if (weight < 0) refuse("attention is not negative; export it after the softmax");
            if (weight > 0 && j > i)
                refuse(
                    "a head is causal, and this query attends to a later position; export attention of a "
                    "causal "
                    "model (rows are queries, columns are keys)");
        }
}

}  // namespace

AttentionSystem heads_from_attention(const AttentionLayer& layer, const AttentionOptions& options,
                                     const std::string& place) {
    const std::size_t n = layer.nodes;
    RowResidual residual;
    std::vector<HeadDag> heads;
    for (std::size_t h = 0; h < layer.heads; ++h) {
        const std::string head_place = fmt::format("{} head {}", place, h);
        const auto head = std::span(layer.values).subspan(h * n * n, n * n);
        require_causal_weights(head, n, head_place);
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j <= i; ++j) sum += head[i * n + j];
            const double off = std::abs(sum - 1);
            if (off > options.row_sum_tolerance && !options.renormalise)
                throw InputError(
                    fmt::format("{} row {} sums to {:.6g} (tolerance {:g}); pass --renormalise to rescale it",
                                head_place, i, sum, options.row_sum_tolerance));
            if (off > residual.largest) residual = {off, h, i};
        }
        heads.push_back(
            HeadDag::from_dense(static_cast<int>(n), head, HeadDag::Rows::divided_by_their_sum, head_place));
    }
    return {HeadSystem(std::move(heads)), residual};
}

}  // namespace crosshead
