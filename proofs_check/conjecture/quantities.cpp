#include <algorithm>
#include <crosshead/proofs_check/conjecture/quantities.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

constexpr ArgumentKind of_epsilon[] = {ArgumentKind::epsilon};
constexpr ArgumentKind of_step[] = {ArgumentKind::step};
constexpr ArgumentKind of_node[] = {ArgumentKind::node};
constexpr ArgumentKind of_step_and_node[] = {ArgumentKind::step, ArgumentKind::node};
constexpr ArgumentKind of_two_nodes[] = {ArgumentKind::node, ArgumentKind::node};

using Id = QuantityId;
constexpr auto number = Type::number, boolean = Type::boolean;
constexpr auto no = PerHead::no, optional = PerHead::optional, required = PerHead::required;
constexpr auto neither = Better::neither, larger = Better::larger, smaller = Better::smaller;

constexpr QuantityInfo table[] = {
    {Id::nodes, "n", number, no, neither, {}, "number of nodes"},
    {Id::path_length, "N", number, no, neither, {}, "n - 1"},
    {Id::heads, "H", number, no, neither, {}, "number of heads"},
    {Id::walk_weight, "alpha", number, required, neither, {}, "walk weight of head h"},
    {Id::diffusion_weight, "beta", number, required, neither, {}, "diffusion weight of head h"},
    {Id::forward_probability,
     "p",
     number,
     optional,
     larger,
     {},
     "the bound sum of alpha_h p_h; p[h] = min over non-sink j of 1 - W[j][j] of head h"},
    {Id::mixture_forward_probability,
     "p_mix",
     number,
     no,
     larger,
     {},
     "min over non-sink j of 1 - W[j][j] of the mixture itself"},
    {Id::mixing_time, "tmix", number, optional, smaller, of_epsilon,
     "mixing time T_mix(eps) under the convention of the run; infinite where there is none"},
    {Id::mixing_time_tv, "tmix_tv", number, optional, smaller, of_epsilon,
     "T_mix(eps) in total variation, strict, from the worst start"},
    {Id::reverse_mixing_time, "tbwd", number, optional, smaller, of_epsilon,
     "reverse mixing time T_bwd(eps) under the convention of the run"},
    {Id::reverse_mixing_time_tv, "tbwd_tv", number, optional, smaller, of_epsilon,
     "T_bwd(eps) in total variation"},
    {Id::distance, "d", number, optional, smaller, of_step,
     "distance d(t) = 2 max over j of the survivor probability from j"},
    {Id::survivors, "survive", number, optional, smaller, of_step_and_node,
     "1 - (W^t)[sink][j]: not yet in the sink after t steps from j"},
    {Id::absorption_mean,
     "absorb_mean",
     number,
     optional,
     smaller,
     {},
     "expected steps to the sink, mean over all n starts"},
    {Id::absorption_worst,
     "absorb_worst",
     number,
     optional,
     smaller,
     {},
     "expected steps to the sink from the worst start"},
    {Id::absorption, "absorb", number, optional, smaller, of_node, "expected steps to the sink from j"},
    {Id::fidelity,
     "phi",
     number,
     optional,
     larger,
     {},
     "minimax fidelity: min of phi_node(j) over all nodes"},
    {Id::fidelity_without_sink,
     "phi_nosink",
     number,
     optional,
     larger,
     {},
     "minimax fidelity without counting the sink; undefined for n = 1"},
    {Id::node_fidelity, "phi_node", number, optional, larger, of_node,
     "fidelity of node j: supremum over t >= 1 of (D^t)[sink][j]"},
    {Id::peak, "peak", number, optional, smaller, of_node,
     "first t that attains phi_node(j); infinite where it is a limit"},
    {Id::attained, "attained", boolean, optional, neither, of_node, "some t attains phi_node(j) (0 included, where j does not reach the sink)"},
    {Id::signal, "signal", number, optional, larger, of_step_and_node,
     "(D^t)[sink][j]: what the sink holds of node j after t steps"},
    {Id::word_sum, "word_sum", number, no, neither, of_step_and_node,
     "the same as a sum over words: all products of t heads are formed one by one, up to 65,536 of them"},
    {Id::cross_signal, "cross_signal", number, no, neither, of_step_and_node,
     "the part of signal(t, j) that words of at least two different heads carry"},
    {Id::mass, "mass", number, optional, neither, of_step_and_node,
     "stopping certificate m_j(t): sum of (D^t)[sink][k] over the nodes k that j can reach"},
    {Id::longest_path,
     "longest_path",
     number,
     optional,
     neither,
     {},
     "edges on the longest path to the sink, over all starts (heads of weight 0 left out)"},
    {Id::longest_path_from, "longest_path_from", number, optional, neither, of_node,
     "edges on the longest path from j to the sink; undefined where there is none"},
    {Id::out_degree, "outdegree", number, optional, neither, of_node,
     "edges out of j in the union of the heads, self-loop counted"},
    {Id::out_degree_min,
     "outdegree_min",
     number,
     optional,
     neither,
     {},
     "least outdegree of a non-sink node"},
    {Id::out_degree_max, "outdegree_max", number, optional, neither, {}, "largest outdegree"},
    {Id::in_degree, "indegree", number, optional, neither, of_node,
     "edges into j in the union of the heads, self-loop counted"},
    {Id::in_degree_min, "indegree_min", number, optional, neither, {}, "least indegree"},
    {Id::in_degree_max, "indegree_max", number, optional, neither, {}, "largest indegree"},
    {Id::edges,
     "edges",
     number,
     optional,
     neither,
     {},
     "edges of the union of the heads, self-loops not counted"},
    {Id::edge, "edge", boolean, optional, neither, of_two_nodes, "there is an edge from i to j: edge(i, j)"},
    {Id::reaches_sink, "reaches_sink", boolean, optional, neither, {}, "every node reaches the sink"},
    {Id::unique_source,
     "unique_source",
     boolean,
     optional,
     neither,
     {},
     "node 0 is the only node without an in-edge from another node"},
    {Id::heads_commute,
     "heads_commute",
     boolean,
     no,
     neither,
     {},
     "the diffusion matrices of every two heads commute"},
};

}  // namespace

std::span<const QuantityInfo> quantities() {
    return table;
}

const QuantityInfo& quantity_info(QuantityId id) {
    const auto* row = &table[static_cast<std::size_t>(id)];
    if (row->id != id) throw std::logic_error("quantities.cpp: the table is not in the order of QuantityId");
    return *row;
}

const QuantityInfo* find_quantity(std::string_view name) {
    const auto* found = std::find_if(std::begin(table), std::end(table),
                                     [&](const QuantityInfo& row) { return row.name == name; });
    return found == std::end(table) ? nullptr : found;
}

}  // namespace crosshead
