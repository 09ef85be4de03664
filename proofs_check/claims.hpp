// The claims that a measured system is held against: what they say, where they come from, how we read them.
// Each claim has a file of its own, named after it, that opens with source and reading.
#pragma once

#include <crosshead/numeric/measure.hpp>
#include <crosshead/proofs_check/verdict.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// A system with what was measured of it; claims read both.
struct MeasuredSystem {
    const HeadSystem& system;
    const SystemMeasure& measure;
    const MeasureOptions& options;  // that it was measured with: ε values and convention
};

/// One claim at one system and one parameter.
struct Judgement {
    std::string parameter;  // "epsilon = 1/4", "t <= 36", or empty
    Outcome outcome = Outcome::undecided;
    std::string left, right;  // both sides as text: exact, enclosure or never
    std::string note;         // why it is vacuous, where it fails, what is equal by definition
    /// (right − left) / right, an estimate: how far from violation; negative where violated. Absent where a
    /// side is infinite or undefined.
    std::optional<double> margin;
};

struct Claim {
    std::string_view id;
    std::string_view source;     // theorem and paper
    std::string_view published;  // the statement as published
    std::string_view reading;    // what exactly is tested
    bool existential = false;    // satisfied by one system, rather than by all
    std::vector<Judgement> (*judge)(const MeasuredSystem&) = nullptr;
};

/// In the order of the design: mixing, then fidelity.
std::span<const Claim> claims();
/// Throws UsageError listing the ids.
const Claim& claim_named(std::string_view id);

/// The verdict over many judgements of one claim.
Verdict verdict_over(const Claim& claim, std::span<const Judgement> judgements);

// The judges, one a file.
std::vector<Judgement> judge_mixing_literal(const MeasuredSystem& measured);
std::vector<Judgement> judge_mixing_every_epsilon(const MeasuredSystem& measured);
std::vector<Judgement> judge_binomial_domination(const MeasuredSystem& measured);
std::vector<Judgement> judge_forward_probability(const MeasuredSystem& measured);
std::vector<Judgement> judge_mixture_no_slower(const MeasuredSystem& measured);
std::vector<Judgement> judge_mixture_no_faster(const MeasuredSystem& measured);
std::vector<Judgement> judge_amplification(const MeasuredSystem& measured);

}  // namespace crosshead
