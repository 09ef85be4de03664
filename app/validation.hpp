// What `crosshead validate` found, and its three forms: text, Markdown, JSON.
#pragma once

#include <crosshead/graphs/attention.hpp>
#include <crosshead/proofs_check/claims.hpp>
#include <optional>
#include <string>
#include <vector>

#include "json_output.hpp"

namespace crosshead {

/// One layer on one input.
struct ValidatedLayer {
    std::size_t input = 0, layer = 0;
    HeadSystem system;
    RowResidual residual;
    SystemMeasure measure;
    double published_proxy = 0;                      // estimate, in steps
    std::vector<std::vector<Judgement>> judgements;  // one list a claim, in the order of model_claims()
};

struct Validation {
    std::string file;
    Json model = nullptr;            // configuration; null for attention files
    std::string inputs;              // "2 sequences of the copy task, seed 1"
    std::string weights;             // "out-proj-norm"
    std::optional<double> accuracy;  // next-token accuracy on the inputs, where the task is known
    MeasureOptions options;
    std::vector<ValidatedLayer> layers;
    std::vector<std::string> notes;
    std::string command;
};

/// All judgements of one claim (by index into model_claims()), and the layer of each.
struct ClaimEvidence {
    std::vector<Judgement> judgements;
    std::vector<const ValidatedLayer*> where;
    Verdict verdict;

    std::size_t count(Outcome outcome) const;
    /// A failure if there is one, else the least margin; nullopt where nothing was tested.
    std::optional<std::size_t> most_telling() const;
};
ClaimEvidence evidence(const Validation& validation, std::size_t claim);

/// True where some claim over all systems is refuted.
bool any_refuted(const Validation& validation);

std::string validation_text(const Validation& validation);
std::string validation_markdown(const Validation& validation);
/// Schema crosshead.validate/1 (docs/formats.md).
Json validation_json(const Validation& validation, bool full);

}  // namespace crosshead
