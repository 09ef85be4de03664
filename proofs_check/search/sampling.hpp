// Random systems that meet a domain's conditions by construction, and searches that draw or change them.
#pragma once

#include <rapidcheck.h>

#include <crosshead/proofs_check/search/search.hpp>

namespace crosshead {

/// Whether the heads meet the domain's conditions on reach, self-loops, distinctness and in-weights.
bool meets_conditions(const Domain& domain, const IntegerSystem& system);

/// Systems of the domain; node and head numbers, edges, weights and head weights all drawn. Every node gets
/// the edge that its condition needs first, so nothing is filtered but equal heads; shrinking stays inside.
/// Unlike an exhaustive search, it is not bound to max_small_nodes.
rc::Gen<IntegerSystem> systems_of(const Domain& domain);

struct SamplingOptions {
    std::uint64_t trials = 10'000;
    std::uint64_t seed = 0;
    bool count = false;  // go on after a witness
    /// Systems to judge before any is drawn: what earlier runs found.
    std::vector<HeadSystem> replay_first;
};

/// Draws `trials` systems and judges each for every instance that has no witness yet. Witnesses are shrunk by
/// RapidCheck inside the domain.
std::vector<InstanceResult> search_randomly(const Domain& domain, const std::vector<Instance>& instances,
                                            const MeasureOptions& options, const SamplingOptions& sampling,
                                            const SearchLimits& limits);

/// Local search: from a random system, single changes of edges and weights that do not raise the margin
/// (existential: do not lower it), started afresh after `climb_patience` changes without progress. `trials`
/// counts judged systems.
std::vector<InstanceResult> search_by_climbing(const Domain& domain, const std::vector<Instance>& instances,
                                               const MeasureOptions& options, const SamplingOptions& sampling,
                                               const SearchLimits& limits);
inline constexpr int climb_patience = 400;

}  // namespace crosshead
