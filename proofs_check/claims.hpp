// The catalogue: what each claim says, where it comes from, how we read it, and what it is checked on.
// A claim is written in the conjecture language wherever it fits; the same text is searched for
// counterexamples and held against trained models.
#pragma once

#include <crosshead/numeric/measure.hpp>
#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <crosshead/proofs_check/search/domain.hpp>
#include <crosshead/proofs_check/verdict.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// A system with what was measured of it.
struct MeasuredSystem {
    const HeadSystem& system;
    const SystemMeasure& measure;
    const MeasureOptions& options;  // that it was measured with: ε values and convention
};

/// One claim at one system and one parameter.
struct Judgement {
    std::string parameter;  // "epsilon = 1/4", "t <= 36", or empty
    Outcome outcome = Outcome::undecided;
    std::string left, right;  // both sides as text: exact, enclosure or infinity
    std::string note;         // why it is vacuous, where it fails, what is equal by definition
    /// (right − left) / |right|, an estimate: how far from violation; negative where violated. Absent where
    /// it is infinite or nothing was compared.
    std::optional<double> margin;
};

enum class ClaimKind {
    universal,     // holds in every system of a domain
    existential,   // some system has it
    distribution,  // about the distribution of a domain's heads, not one system (more_heads.hpp)
    measurement    // a published number that Crosshead computes in closed form; nothing to refute
};

struct Claim {
    std::string_view id;
    std::string_view source;     // theorem and paper
    std::string_view published;  // the statement as published
    std::string_view reading;    // what exactly is tested, in words
    ClaimKind kind = ClaimKind::universal;
    std::string_view statement;  // in the conjecture language; empty for distribution and measurement
    std::vector<std::string_view> mutants;  // statements close by that search must refute
    /// What it is checked on, the usual first. Ranges of nodes can be replaced.
    std::vector<Domain> domains;
    /// Held against models too: its quantities are those that measuring a layer gives.
    bool for_models = false;
    /// For models, in place of the statement: where equality is the rule, or horizons depend on the layer.
    std::vector<Judgement> (*judge_model)(const MeasuredSystem&) = nullptr;
    /// What is known beyond the domains, with its reason or the test that shows it; empty: nothing.
    std::string_view remark = {};

    bool existential() const { return kind == ClaimKind::existential; }
    /// The parsed statement. Requires one.
    std::shared_ptr<const Conjecture> conjecture() const;
};

/// In the order of the design: mixing, fidelity, families, reverse, published measurements.
std::span<const Claim> claims();
/// Those that are held against models.
std::span<const Claim* const> model_claims();
/// Throws UsageError with the nearest ids.
const Claim& claim_named(std::string_view id);

/// One judgement for each value of ε, or one. Requires claim.for_models.
std::vector<Judgement> judge(const Claim& claim, const MeasuredSystem& measured);

/// The verdict over many judgements of one claim.
Verdict verdict_over(const Claim& claim, std::span<const Judgement> judgements);

// Judges of their own, one a file.
std::vector<Judgement> judge_binomial_domination(const MeasuredSystem& measured);
std::vector<Judgement> judge_forward_probability(const MeasuredSystem& measured);

}  // namespace crosshead
