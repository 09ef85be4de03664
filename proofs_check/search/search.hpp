// What every search method is given, and what it reports for each instance.
#pragma once

#include <atomic>
#include <crosshead/proofs_check/search/domain.hpp>
#include <crosshead/proofs_check/search/instance.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

/// A system that matters, and how far from violation the statement is there.
struct Extreme {
    double margin = 0;  // an estimate; < 0 (or ≤ 0 for a strict statement) where violated
    HeadSystem system;
};

/// How small a witness is known to be.
enum class Minimality {
    raw,     // as it was found
    shrunk,  // no single simplification keeps it a witness
    proved   // everything smaller in the domain was exhausted: nodes, then heads, then edges
};

struct InstanceResult {
    std::uint64_t systems = 0;     // judged
    std::uint64_t met = 0;         // of these, met the hypotheses and were defined
    std::uint64_t violations = 0;  // universal: failed. existential: satisfied
    std::uint64_t undefined = 0;   // something in the statement has no value there
    std::uint64_t undecided = 0;   // intervals of 4,096 bits still straddle
    std::uint64_t spurious = 0;    // looked like a witness in floating point, and were none
    bool whole_domain = false;     // every system of the domain was judged
    std::optional<Extreme>
        closest;  // least margin (existential: largest), among those that met the hypotheses
    std::optional<HeadSystem> witness;
    std::string undefined_example;  // why, in the first undefined system
    Minimality minimality = Minimality::raw;

    /// Counts one judged system; keeps `system()` where it is a new extreme or the first witness.
    void add(const Statement& statement, bool existential, const std::function<HeadSystem()>& system);
};

struct SearchLimits {
    const std::atomic<bool>* stop = nullptr;  // set by SIGINT
    /// done, total (0: unknown), detail.
    std::function<void(double, double, const std::string&)> progress;
    /// Called with a witness the moment that it is found, before anything is shrunk: instance, system.
    std::function<void(std::size_t, const HeadSystem&)> found;
    bool stopped() const { return stop != nullptr && stop->load(); }
};

struct ExhaustiveOptions {
    bool count = false;    // go through everything; otherwise an instance ends with its first witness
    bool minimal = false;  // the witness with the fewest edges at the smallest size
};

/// Judges every system of the domain, smallest first, for every instance. Witnesses are re-judged exactly; a
/// disagreement throws std::logic_error, as does a domain whose size is not its closed form.
std::vector<InstanceResult> search_exhaustively(const Domain& domain, const std::vector<Instance>& instances,
                                                const MeasureOptions& options,
                                                const ExhaustiveOptions& exhaustive,
                                                const SearchLimits& limits);

}  // namespace crosshead
