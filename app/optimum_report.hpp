// How an optimum over head weights is shown: tables and sentences for people, the keys of
// crosshead.optimise/1.
#pragma once

#include <crosshead/graphs/head_system.hpp>
#include <crosshead/numeric/weight_optimisation.hpp>
#include <string>

#include "json_output.hpp"

namespace crosshead {

struct OptimisedLayer {
    std::size_t index;
    HeadSystem system;
    WeightOptimum optimum;
};

std::string optimum_text(const OptimisedLayer& layer, const OptimisationOptions& options);
Json optimum_json(const OptimisedLayer& layer, const OptimisationOptions& options, bool full);

/// "minimax fidelity over beta (larger is better)".
std::string goal_text(const OptimisationOptions& options);

}  // namespace crosshead
