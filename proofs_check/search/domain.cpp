#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/search/domain.hpp>

namespace crosshead {
namespace {

constexpr int largest_heads = 8;

Integer power(const Integer& base, int exponent) {
    return boost::multiprecision::pow(base, static_cast<unsigned>(exponent));
}

Integer binomial(const Integer& m, int k) {
    Integer result = 1;
    for (int i = 0; i < k; ++i) result = result * (m - i) / (i + 1);
    return result;
}

/// Signed Stirling numbers of the first kind s(n, k): x(x−1)…(x−n+1) = Σ_k s(n, k) x^k.
std::vector<Integer> stirling_first(int n) {
    std::vector<Integer> row = {1};
    for (int m = 0; m < n; ++m) {
        std::vector<Integer> next(row.size() + 1, 0);
        for (std::size_t k = 0; k < row.size(); ++k) {
            next[k + 1] += row[k];
            next[k] -= m * row[k];
        }
        row = std::move(next);
    }
    return row;
}

/// Ordered H-tuples of heads, equal ones allowed, whose heads (every, any) or union (united) meet the domain.
Integer ordered_tuples(const Domain& domain, int nodes, int heads) {
    const Integer k = domain.max_edge_weight;
    Integer count = power(k, heads);  // the sink's self-loop in each head
    for (int m = 1; m < nodes; ++m) {
        // Node with m later nodes: its self-loop, and each later node with weight 0..K.
        const Integer all = power(k + 1, m);
        Integer choices;
        if (domain.reach == SinkReach::every)
            choices = power(all - 1, heads);
        else if (domain.reach == SinkReach::united)
            choices = power(all, heads) - 1;
        else
            choices = power(all, heads);
        count *= power(k, heads) * choices;
    }
    return count;
}

std::string range_text(int from, int to) {
    return from == to ? std::to_string(from) : fmt::format("{}..{}", from, to);
}

/// Every way to share `units` among the heads from `first` on, each at least one.
void compositions(std::uint32_t units, std::size_t first, std::vector<std::uint32_t>& scores,
                  std::vector<std::vector<std::uint32_t>>& all) {
    if (first + 1 == scores.size()) {
        scores[first] = units;
        all.push_back(scores);
        return;
    }
    const auto later = static_cast<std::uint32_t>(scores.size() - first - 1);
    for (std::uint32_t mine = 1; mine + later <= units; ++mine) {
        scores[first] = mine;
        compositions(units - mine, first + 1, scores, all);
    }
}

std::vector<std::vector<std::uint32_t>> scores_of(const HeadWeightChoice& choice, int heads) {
    std::vector<std::uint32_t> scores(static_cast<std::size_t>(heads), 1);
    if (choice.grid == 0) return {scores};
    std::vector<std::vector<std::uint32_t>> all;
    compositions(static_cast<std::uint32_t>(choice.grid), 0, scores, all);
    return all;
}

/// Heads, node by node: the choices of the column of node j are taken in turn for every j.
class HeadEnumeration {
  public:
    HeadEnumeration(const Domain& domain, int nodes) : domain_(domain), nodes_(nodes) {}

    std::vector<SmallHead> run() {
        fill(nodes_ - 1, nodes_ - 1);
        std::vector<std::pair<int, std::size_t>> order;
        for (std::size_t k = 0; k < heads_.size(); ++k) order.emplace_back(edge_count(heads_[k], nodes_), k);
        std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : heads_[a.second].weight < heads_[b.second].weight;
        });
        std::vector<SmallHead> sorted;
        for (const auto& [edges, k] : order) sorted.push_back(heads_[k]);
        return sorted;
    }

  private:
    /// Chooses w(j→i), w(j→i−1), …, w(j→j), then the columns of the nodes before j.
    void fill(int i, int j) {
        if (i == j) {
            // Without its self-loop, a node needs another in-edge, and a way out.
            const bool ends = j == 0 || j + 1 == nodes_;
            const bool may_miss = !domain_.self_loops && !ends;
            bool leaves = false;
            for (int k = j + 1; k < nodes_; ++k) leaves = leaves || head_.at(k, j) != 0;
            if (domain_.reach == SinkReach::every && !leaves && j + 1 < nodes_) return;
            for (int weight = may_miss && leaves ? 0 : 1; weight <= domain_.max_edge_weight; ++weight) {
                head_.at(j, j) = static_cast<std::uint16_t>(weight);
                if (j == 0)
                    take();
                else
                    fill(nodes_ - 1, j - 1);
            }
            return;
        }
        for (int weight = 0; weight <= domain_.max_edge_weight; ++weight) {
            head_.at(i, j) = static_cast<std::uint16_t>(weight);
            fill(i - 1, j);
        }
        head_.at(i, j) = 0;
    }

    void take() {
        for (int i = 0; i < nodes_; ++i) {
            bool entered = false;
            for (int j = 0; j <= i; ++j) entered = entered || head_.at(i, j) != 0;
            if (!entered) return;
        }
        if (heads_.size() == max_pool_heads)
            throw UsageError(
                fmt::format("--nodes {}: more than {} heads to enumerate; take fewer nodes or smaller "
                            "--edge-weights, or --method random",
                            nodes_, max_pool_heads));
        heads_.push_back(head_);
    }

    const Domain& domain_;
    int nodes_;
    SmallHead head_;
    std::vector<SmallHead> heads_;
};

const FamilyInfo& family_info(Family family) {
    const auto all = families();
    return *std::find_if(all.begin(), all.end(),
                         [&](const FamilyInfo& info) { return info.family == family; });
}

SmallHead small_head(const HeadDag& dag) {
    SmallHead head;
    for (std::size_t e = 0; e < dag.edge_count(); ++e) head.at(dag.destinations()[e], dag.sources()[e]) = 1;
    return head;
}

}  // namespace

void Domain::validate(int most_nodes) const {
    const auto range = [](const char* option, int from, int to, int least, int most) {
        if (from > to)
            throw UsageError(fmt::format("{} {}..{}: the range is empty; write the smaller number first",
                                         option, from, to));
        if (from < least || to > most)
            throw UsageError(fmt::format(
                "{} {}: must lie within {}..{} for this search{}", option, range_text(from, to), least, most,
                most == max_small_nodes ? "; --method random takes larger systems" : ""));
    };
    range("--nodes", nodes_from, nodes_to, 2, most_nodes);
    range("--heads", heads_from, heads_to, 1, largest_heads);
    range("--edge-weights", max_edge_weight, max_edge_weight, 1, 1000);
    for (const auto& [option, choice] :
         {std::pair("--alpha", walk_weights), std::pair("--beta", diffusion_weights)})
        if (choice.grid != 0 && (choice.grid < heads_to || choice.grid > 1000))
            throw UsageError(
                fmt::format("{} grid:{}: a grid shares that many units among the heads, at least one "
                            "each; use {}..1000",
                            option, choice.grid, heads_to));
}

std::string Domain::description() const {
    const std::string nodes = fmt::format("on {} nodes", range_text(nodes_from, nodes_to));
    std::string text;
    if (family) {
        text = fmt::format("the {} graph {}, {} head{}", family_info(*family).name, nodes,
                           range_text(heads_from, heads_to), heads_to == 1 ? "" : "s alike");
    } else {
        const char* kind = tuples == Tuples::distinct    ? "unordered tuples of distinct heads"
                           : tuples == Tuples::multisets ? "unordered tuples of heads"
                                                         : "ordered tuples of heads";
        text = heads_to == 1 ? fmt::format("single heads {}", nodes)
                             : fmt::format("{}, {} heads, {}", kind, range_text(heads_from, heads_to), nodes);
        text += reach == SinkReach::every    ? ", every node of every head reaches the sink"
                : reach == SinkReach::united ? ", every node reaches the sink in the union of the heads"
                                             : ", whether or not the sink is reached";
    }
    text += max_edge_weight == 1 ? ", uniform weights" : fmt::format(", edge weights 1..{}", max_edge_weight);
    if (!self_loops) text += ", self-loops optional but at node 0 and the sink";
    const auto grid = [](const HeadWeightChoice& choice) {
        return choice.grid == 0 ? std::string("uniform")
                                : fmt::format("all positive multiples of 1/{}", choice.grid);
    };
    if (heads_to > 1) {
        if (tied_weights)
            text += ", alpha = beta " + grid(walk_weights);
        else if (walk_weights.grid == diffusion_weights.grid)
            text += ", alpha and beta " + grid(walk_weights);
        else
            text += ", alpha " + grid(walk_weights) + ", beta " + grid(diffusion_weights);
    }
    return text;
}

std::vector<SmallHead> enumerate_heads(const Domain& domain, int nodes) {
    if (domain.family) {
        FamilySpec spec;
        spec.family = *domain.family;
        spec.nodes = nodes;
        return {small_head(generate_system(spec).head(0))};
    }
    return HeadEnumeration(domain, nodes).run();
}

std::vector<HeadScores> enumerate_head_scores(const Domain& domain, int heads) {
    std::vector<HeadScores> result;
    const auto walk = scores_of(domain.walk_weights, heads);
    if (domain.tied_weights) {
        for (const auto& scores : walk) result.push_back({scores, scores});
        return result;
    }
    for (const auto& alpha : walk)
        for (const auto& beta : scores_of(domain.diffusion_weights, heads)) result.push_back({alpha, beta});
    return result;
}

std::optional<Integer> closed_form_tuples(const Domain& domain, int nodes, int heads) {
    if (domain.family) return Integer(1);
    if (!domain.self_loops) return std::nullopt;
    if (domain.tuples == Tuples::ordered) return ordered_tuples(domain, nodes, heads);
    // Whether a tuple is in the domain depends on the set of its heads alone. With T_k ordered k-tuples and
    // D_k ordered k-tuples of distinct heads, T_H = Σ_k S(H, k) D_k, so D_H = Σ_k s(H, k) T_k.
    const auto distinct_sets = [&](int k) {
        const auto stirling = stirling_first(k);
        Integer ordered = 0, orders = 1;
        for (int i = 1; i <= k; ++i) {
            ordered += stirling[static_cast<std::size_t>(i)] * ordered_tuples(domain, nodes, i);
            orders *= i;
        }
        return Integer(ordered / orders);
    };
    if (domain.tuples == Tuples::distinct) return distinct_sets(heads);
    Integer multisets = 0;  // a set of k heads underlies C(H−1, k−1) multisets of H
    for (int k = 1; k <= heads; ++k) multisets += distinct_sets(k) * binomial(heads - 1, k - 1);
    return multisets;
}

std::optional<Integer> closed_form_systems(const Domain& domain) {
    Integer total = 0;
    for (int n = domain.nodes_from; n <= domain.nodes_to; ++n)
        for (int h = domain.heads_from; h <= domain.heads_to; ++h) {
            const auto tuples = closed_form_tuples(domain, n, h);
            if (!tuples) return std::nullopt;
            const auto ways = [&](const HeadWeightChoice& choice) {
                return choice.grid == 0 ? Integer(1) : binomial(choice.grid - 1, h - 1);
            };
            total += *tuples * ways(domain.walk_weights) *
                     (domain.tied_weights ? Integer(1) : ways(domain.diffusion_weights));
        }
    return total;
}

}  // namespace crosshead
