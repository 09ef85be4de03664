// From a witness to the smallest one that single simplifications reach (design §5: minimal counterexamples).
#pragma once

#include <crosshead/proofs_check/search/domain.hpp>
#include <crosshead/proofs_check/search/instance.hpp>
#include <crosshead/proofs_check/search/search.hpp>
#include <optional>

namespace crosshead {

/// Whether a system meets the conditions of a domain that do not bound its size: reach, self-loops, distinct
/// heads.
bool meets_conditions(const Domain& domain, const HeadSystem& system);

/// Simplifies while the system stays a witness (exactly judged) that meets the domain's conditions: fewer
/// nodes, fewer heads, fewer edges, then simpler weights: 1 each, else smaller numerators and denominators.
/// Ends where no single step succeeds. Requires that `system` is a witness.
HeadSystem shrink_witness(const Domain& domain, const Instance& instance, const MeasureOptions& options,
                          const HeadSystem& system, const SearchLimits& limits);

/// For a parameter that is used as ε: the largest distance d(t) at which the system is still a witness.
/// T_mix(ε) changes at distances alone, so for a statement whose other side does not depend on ε it fails
/// exactly up to there. nullopt where it is a witness at no distance above the ε of the instance.
std::optional<Rational> largest_failing_epsilon(const Instance& instance, std::size_t parameter,
                                                const MeasureOptions& options, const HeadSystem& system);

}  // namespace crosshead
