// Checking a statement over a domain: search, shrink, explain. What `crosshead check` and `refute` run.
#pragma once

#include <crosshead/proofs_check/explanation.hpp>
#include <crosshead/proofs_check/search/instance_store.hpp>
#include <crosshead/proofs_check/search/search.hpp>
#include <crosshead/proofs_check/verdict.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

/// A search that this library does not bring itself (gradient ascent needs LibTorch).
using ExternalSearch = std::function<std::vector<InstanceResult>(const Domain&, const std::vector<Instance>&,
                                                                 const MeasureOptions&, const SearchLimits&)>;

enum class Method { exhaustive, random, climb, gradient };
std::string_view to_string(Method method);

struct CheckOptions {
    Method method = Method::exhaustive;
    Convention convention;
    bool count = false, minimal = false;
    std::uint64_t trials = 10'000, seed = 0;
    std::filesystem::path database;  // of found instances, for every method but exhaustive; empty: none
    ExternalSearch gradient;
};

/// One statement at one value of each parameter, over one domain.
struct CheckedInstance {
    Instance instance;
    InstanceResult search;
    Verdict verdict = Verdict::undecided;
    std::optional<Explanation> explanation;  // of the witness
    /// The parameter that stands for ε, and the largest distance at which the witness still fails.
    std::optional<std::pair<std::string, Rational>> largest_epsilon;
};

struct CheckedStatement {
    std::shared_ptr<const Conjecture> conjecture;
    bool existential = false;
    Domain domain;
    CheckOptions options;
    std::optional<Integer> domain_size;  // by closed form
    std::vector<CheckedInstance> instances;
    bool interrupted = false;
};

/// Searches, shrinks and explains. `limits.found` gets each raw witness before anything is shrunk.
/// Throws UsageError for a domain that a method cannot search.
CheckedStatement check_statement(std::shared_ptr<const Conjecture> conjecture, bool existential,
                                 const Domain& domain, const CheckOptions& options,
                                 const SearchLimits& limits);

/// Whether the truth of a statement can depend on the order of the heads: it names one by number, or compares or
/// computes with a head's index. Over unordered tuples such a statement would be judged in one order only.
bool depends_on_head_order(const Conjecture& conjecture);

/// The verdict of one instance after a search.
Verdict verdict_of(const InstanceResult& result, bool existential, Method method);

}  // namespace crosshead
