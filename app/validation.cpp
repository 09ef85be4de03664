#include "validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "context.hpp"
#include "table.hpp"

namespace crosshead {

std::size_t ClaimEvidence::count(Outcome outcome) const {
    return static_cast<std::size_t>(
        std::count_if(judgements.begin(), judgements.end(),
                      [&](const Judgement& judgement) { return judgement.outcome == outcome; }));
}

std::optional<std::size_t> ClaimEvidence::most_telling() const {
    const bool witness_wanted = verdict == Verdict::witnessed;
    // Small is telling: a failure first, then what is undecided, then the least margin; for a witness the
    // largest.
    const auto key = [&](std::size_t i) {
        const auto& judgement = judgements[i];
        const int rank = judgement.outcome == Outcome::fails       ? 0
                         : judgement.outcome == Outcome::undecided ? 1
                                                                   : 2;
        const double margin = judgement.margin.value_or(std::numeric_limits<double>::max());
        return witness_wanted ? std::pair(-rank, -margin) : std::pair(rank, margin);
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < judgements.size(); ++i)
        if (judgements[i].outcome != Outcome::vacuous && (!best || key(i) < key(*best))) best = i;
    return best;
}

ClaimEvidence evidence(const Validation& validation, std::size_t claim) {
    ClaimEvidence result;
    for (const auto& layer : validation.layers)
        for (const auto& judgement : layer.judgements[claim]) {
            result.judgements.push_back(judgement);
            result.where.push_back(&layer);
        }
    result.verdict = verdict_over(*model_claims()[claim], result.judgements);
    return result;
}

bool any_refuted(const Validation& validation) {
    for (std::size_t c = 0; c < model_claims().size(); ++c)
        if (evidence(validation, c).verdict == Verdict::refuted) return true;
    return false;
}

namespace {

bool several_inputs(const Validation& validation) {
    return std::any_of(validation.layers.begin(), validation.layers.end(),
                       [](const auto& layer) { return layer.input > 0; });
}

std::string layer_name(const Validation& validation, const ValidatedLayer& layer) {
    return several_inputs(validation) ? fmt::format("input {} layer {}", layer.input, layer.layer)
                                      : fmt::format("layer {}", layer.layer);
}

Quantity best_head_fidelity(const SystemMeasure& measure) {
    Quantity best = measure.heads.front().minimax.fidelity.value;
    for (const auto& head : measure.heads) best = larger(best, head.minimax.fidelity.value);
    return best;
}

std::vector<std::string> measured_cells(const OperatorMeasure& measure) {
    std::vector<std::string> cells;
    if (measure.walk) {
        for (const auto& time : measure.walk->mixing_times) cells.push_back(to_text(time));
        cells.push_back(to_text(measure.walk->absorption_mean));
    } else {
        cells.assign(measure.reverse_mixing_times.size() + 1, "undefined");
    }
    return cells;
}

/// The mixtures, one row a layer: mixing, absorption and the published proxy side by side, then fidelity.
Table mixture_table(const Validation& validation) {
    std::vector<std::string> header = {"mixture"};
    for (const auto& epsilon : validation.options.epsilons)
        header.push_back(fmt::format("T_mix({})", to_string(epsilon)));
    for (const char* name : {"absorption mean", "published proxy", "phi mixture", "phi best head", "gain"})
        header.push_back(name);
    Table table(header);
    for (const auto& layer : validation.layers) {
        std::vector<std::string> row = {layer_name(validation, layer)};
        for (auto& cell : measured_cells(layer.measure.mixture)) row.push_back(std::move(cell));
        row.push_back(fmt::format("≈{:.4f}", layer.published_proxy));
        row.push_back(to_text(layer.measure.mixture.minimax.fidelity.value));
        row.push_back(to_text(best_head_fidelity(layer.measure)));
        row.push_back(layer.measure.fidelity_gain ? to_text(*layer.measure.fidelity_gain) : "undefined");
        table.add(std::move(row));
    }
    return table;
}

Table head_table(const Validation& validation) {
    std::vector<std::string> header = {"head", "weight"};
    for (const auto& epsilon : validation.options.epsilons)
        header.push_back(fmt::format("T_mix({})", to_string(epsilon)));
    for (const char* name : {"absorption mean", "p", "phi", "node"}) header.push_back(name);
    Table table(header);
    for (const auto& layer : validation.layers)
        for (std::size_t h = 0; h < layer.measure.heads.size(); ++h) {
            const auto& head = layer.measure.heads[h];
            std::vector<std::string> row = {fmt::format("{} head {}", layer_name(validation, layer), h),
                                            to_text(Quantity::of(layer.system.walk_weights()[h]))};
            for (auto& cell : measured_cells(head)) row.push_back(std::move(cell));
            row.push_back(head.walk ? to_text(head.walk->forward_probability) : "undefined");
            row.push_back(to_text(head.minimax.fidelity.value));
            row.push_back(layer.system.name(head.minimax.node));
            table.add(std::move(row));
        }
    return table;
}

/// "holds 16 of 16; closest: layer 3, epsilon = 1/100: T_mix = 475, 2N/p = 18999.9…".
std::string evidence_text(const Validation& validation, const ClaimEvidence& found) {
    std::string text;
    for (const auto outcome : {Outcome::holds, Outcome::fails, Outcome::undecided, Outcome::vacuous})
        if (const auto count = found.count(outcome); count > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(outcome), count);
    if (const auto telling = found.most_telling()) {
        const Judgement& judgement = found.judgements[*telling];
        text += fmt::format("; {} {}",
                            found.verdict == Verdict::witnessed   ? "witness:"
                            : judgement.outcome == Outcome::fails ? "worst:"
                                                                  : "closest:",
                            layer_name(validation, *found.where[*telling]));
        for (const auto& part : {judgement.parameter, judgement.left, judgement.right, judgement.note})
            if (!part.empty()) text += ", " + part;
    } else if (!found.judgements.empty()) {
        text += ": " + found.judgements.front().note;
    }
    return text;
}

std::string heading(const Validation& validation) {
    const auto& system = validation.layers.front().system;
    std::string text = fmt::format(
        "{}: {} layer{} measured, {} head{} on {} nodes; head weights {}; {}", validation.file,
        validation.layers.size(), validation.layers.size() == 1 ? "" : "s", system.head_count(),
        system.head_count() == 1 ? "" : "s", system.nodes(), validation.weights, validation.inputs);
    if (validation.accuracy) text += fmt::format("; accuracy {:.4f}", *validation.accuracy);
    return text;
}

constexpr const char* legend =
    "A fraction or integer is exact; a±b is an enclosure that holds the true value; ≈ is an estimate. The "
    "published proxy is the "
    "expected length of the reference code's walks (rows of the transposed attention as they stand, at most "
    "100 steps); it is not a "
    "mixing time. phi is the minimax fidelity over all nodes, gain = phi of the mixture over phi of the best "
    "head.";

Json judgement_json(const Judgement& judgement, const ValidatedLayer& layer) {
    Json result = {{"input", layer.input},
                   {"layer", layer.layer},
                   {"outcome", std::string(to_string(judgement.outcome))}};
    for (const auto& [key, text] : {std::pair("parameter", &judgement.parameter),
                                    {"left", &judgement.left},
                                    {"right", &judgement.right},
                                    {"note", &judgement.note}})
        if (!text->empty()) result[key] = *text;
    if (judgement.margin) result["margin"] = {{"estimate", *judgement.margin}};
    return result;
}

}  // namespace

std::string validation_text(const Validation& validation) {
    std::string text = heading(validation) + "\n\n" + mixture_table(validation).text() + "\n";
    std::size_t width = 0;
    for (const auto* claim : model_claims()) width = std::max(width, claim->id.size());
    for (std::size_t c = 0; c < model_claims().size(); ++c) {
        const auto found = evidence(validation, c);
        text += fmt::format("{:<{}}  {:<11}  {}\n", model_claims()[c]->id, width, to_string(found.verdict),
                            evidence_text(validation, found));
    }
    text +=
        "\nexhausted: holds in all of these; refuted: fails in one; witnessed: one of these satisfies it; "
        "vacuous: hypotheses not met.\n";
    text += std::string(legend) + "\n" + convention_text(validation.options.convention);
    for (const auto& note : validation.notes) text += "note: " + note + "\n";
    return text;
}

std::string validation_markdown(const Validation& validation) {
    std::string text = fmt::format("# Validation of {}\n\n{}.\n\n", validation.file, heading(validation));
    text += "## Verdicts\n\n";
    Table verdicts({"claim", "verdict", "evidence"}, Table::Cells::prose);
    for (std::size_t c = 0; c < model_claims().size(); ++c) {
        const auto found = evidence(validation, c);
        verdicts.add({std::string(model_claims()[c]->id), "**" + std::string(to_string(found.verdict)) + "**",
                      evidence_text(validation, found)});
    }
    text += verdicts.markdown() +
            "\n*exhausted*: holds in every system listed here (it says nothing about others). *refuted*: "
            "fails in at least one. *witnessed*: an "
            "existence claim that at least one system satisfies; *unwitnessed*: none of these does. "
            "*vacuous*: no system meets the hypotheses. "
            "*undecided*: an enclosure straddles.\n\n";
    text += "## Layers\n\n" + mixture_table(validation).markdown() + "\n" + legend + "\n\n";
    text += "## Heads\n\n" + head_table(validation).markdown() + "\n";
    text += "## What the claims say\n\n";
    for (const auto* claim : model_claims())
        text += fmt::format("- **{}** ({}). Published: {}. Read as: {}.\n", claim->id, claim->source,
                            claim->published, claim->reading);
    text += "\n## Conventions\n\nNodes are positions, the sink is the last one, N = n − 1. " +
            convention_text(validation.options.convention) +
            "Each head's columns are normalised and the heads mixed with the walk weights α for W, its rows "
            "and the diffusion weights β "
            "for Δ. Attention rows are first rescaled exactly to sum 1";
    const auto furthest = std::max_element(
        validation.layers.begin(), validation.layers.end(),
        [](const auto& a, const auto& b) { return a.residual.largest < b.residual.largest; });
    text += fmt::format("; the furthest off was {} head {} row {}, by ≈{:.2g}.\n\n",
                        layer_name(validation, *furthest), furthest->residual.head, furthest->residual.row,
                        furthest->residual.largest);
    if (!validation.notes.empty()) text += "## Notes\n\n";
    for (const auto& note : validation.notes) text += "- " + note + "\n";
    text += fmt::format("\n## Reproduce\n\n    {}\n", validation.command);
    return text;
}

Json validation_json(const Validation& validation, bool full) {
    Json document = {{"schema", "crosshead.validate/1"},
                     {"convention", to_json(validation.options.convention)}};
    document["file"] = validation.file;
    document["model"] = validation.model;
    document["inputs"] = validation.inputs;
    document["weights"] = validation.weights;
    document["accuracy"] = validation.accuracy ? Json(*validation.accuracy) : Json(nullptr);
    document["results"] = Json::array();
    for (std::size_t c = 0; c < model_claims().size(); ++c) {
        const auto found = evidence(validation, c);
        Json result = {{"claim", std::string(model_claims()[c]->id)},
                       {"verdict", std::string(to_string(found.verdict))},
                       {"systems", validation.layers.size()},
                       {"judged", found.judgements.size()},
                       {"met_hypotheses", found.judgements.size() - found.count(Outcome::vacuous)},
                       {"violations", found.count(Outcome::fails)}};
        if (const auto telling = found.most_telling())
            result["closest"] = judgement_json(found.judgements[*telling], *found.where[*telling]);
        result["judgements"] = Json::array();
        for (std::size_t i = 0; i < found.judgements.size(); ++i)
            result["judgements"].push_back(judgement_json(found.judgements[i], *found.where[i]));
        document["results"].push_back(std::move(result));
    }
    document["layers"] = Json::array();
    for (const auto& layer : validation.layers) {
        Json object = {{"input", layer.input}, {"layer", layer.layer}, {"system", system_json(layer.system)}};
        object["largest_row_residual"] = {
            {"estimate", layer.residual.largest}, {"head", layer.residual.head}, {"row", layer.residual.row}};
        object["published_mixing_proxy"] = {{"estimate", layer.published_proxy}};
        object.update(layer_json(layer.measure, validation.options, full));
        document["layers"].push_back(std::move(object));
    }
    document["notes"] = validation.notes;
    document["command"] = validation.command;
    return document;
}

}  // namespace crosshead
