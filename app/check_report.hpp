// What `crosshead check` and `refute` found, in their three forms: text, Markdown, JSON.
#pragma once

#include <crosshead/proofs_check/check.hpp>
#include <crosshead/proofs_check/more_heads.hpp>
#include <optional>
#include <string>
#include <vector>

#include "json_output.hpp"

namespace crosshead {

/// A statement close by a claim, which the same search must refute.
struct CheckedMutant {
    std::string statement;
    bool refuted = false;
};

/// One claim or conjecture with what came of it.
struct CheckedClaim {
    std::string id;  // empty for a conjecture that was typed
    std::string source, published, reading;
    std::string statement;  // in the conjecture language; empty for a claim about distributions
    std::optional<CheckedStatement> checked;
    std::vector<MoreHeadsResult> distribution;  // more-heads-better-best: one for each number of nodes
    Domain domain;
    std::vector<CheckedMutant> mutants;
    std::vector<std::string> notes;  // for the reader: what was chosen for a reason
};

struct CheckRun {
    std::vector<CheckedClaim> claims;
    Convention convention;
    std::string command;
    bool full = false;
    bool count = false;
};

/// A universal statement has a counterexample.
bool any_refuted(const CheckRun& run);
bool was_interrupted(const CheckRun& run);

/// "unrefuted in 10000 trials (9873 met the hypotheses)", "exhausted: 210 systems".
std::string verdict_text(const CheckedStatement& checked, const CheckedInstance& one);
/// The witness in a line: sizes, sides, minimality.
std::string witness_text(const CheckedInstance& one);
/// All instances of one statement, a line each; and the first witness.
std::string check_text(const CheckedClaim& claim, bool with_witness);

std::string check_run_text(const CheckRun& run);
std::string check_run_markdown(const CheckRun& run);
/// {"exact": …, "approx": …}, {"lower": …, "upper": …, "approx": …}, "infinite" or null.
Json real_json(const Real& value, bool full);
/// Schema crosshead.check/1 (docs/formats.md).
Json check_run_json(const CheckRun& run);

}  // namespace crosshead
