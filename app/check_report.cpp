#include "check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <crosshead/exact/mixture.hpp>
#include <crosshead/graphs/dot.hpp>
#include <crosshead/graphs/json_io.hpp>

#include "context.hpp"
#include "table.hpp"

namespace crosshead {
namespace {

std::string plural(std::uint64_t count, const std::string& noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "0->1 1->2 | 0->2 1->2 (2)": edges of each head with weights other than 1; self-loops of weight 1 left
/// out.
std::string edges_text(const HeadSystem& system) {
    std::string text;
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const HeadDag& head = system.head(h);
        if (h > 0) text += " | ";
        std::string edges;
        for (std::size_t e = 0; e < head.edge_count(); ++e) {
            const Rational weight = head.weight(e);
            if (head.sources()[e] == head.destinations()[e] && weight == 1) continue;
            edges +=
                fmt::format("{}{}->{}", edges.empty() ? "" : " ", head.sources()[e], head.destinations()[e]);
            if (weight != 1) edges += fmt::format(" ({})", to_string(weight));
        }
        text += edges.empty() ? "no edges" : edges;
    }
    return text;
}

std::string decimal(const Real& value) {
    if (value.exact() && denominator(*value.exact()) != 1)
        return fmt::format(" ≈ {:.6g}", value.approximation());
    return "";
}

std::string minimality_text(Minimality minimality) {
    switch (minimality) {
        case Minimality::raw:
            return "as found";
        case Minimality::shrunk:
            return "shrunk: no single simplification keeps it a witness";
        case Minimality::proved:
            return "minimal, proved: everything smaller in the domain (nodes, then heads, then edges) was "
                   "exhausted";
    }
    return "";
}

/// The first instance with a witness.
const CheckedInstance* first_witness(const CheckedStatement& checked) {
    for (const auto& one : checked.instances)
        if (one.search.witness) return &one;
    return nullptr;
}

std::string margin_text(double margin) {
    if (std::isinf(margin)) return margin > 0 ? "infinity" : "-infinity";
    return fmt::format("{:.4g}", margin == 0 ? 0.0 : margin);
}

std::string distribution_text(const MoreHeadsResult& result) {
    std::string values;
    for (const auto& [value, count] : result.distribution)
        values +=
            fmt::format("{}{} ({})", values.empty() ? "" : ", ", to_string(value), plural(count, "head"));
    std::string text =
        fmt::format("{} nodes, {}: p_h = {}; ", result.nodes, plural(result.heads, "head"), values);
    if (result.verdict == Verdict::vacuous) return text + "one value, so the best of more heads is no better";
    std::string reached;
    for (const auto& probability : result.best_reached)
        reached += fmt::format("{}{}", reached.empty() ? "" : ", ", to_string(probability));
    return text + fmt::format("P(max = {}) for H = 1, 2, …: {}", to_string(result.distribution.back().first),
                              reached);
}

std::string mutant_text(const CheckedMutant& mutant) {
    return fmt::format("mutant {}: {}",
                       mutant.refuted ? "refuted, as it must be" : "NOT refuted on this domain",
                       mutant.statement);
}

/// Exact matrices as a Markdown table.
std::string matrix_markdown(const TransitionMatrix<Rational>& matrix) {
    const auto n = static_cast<std::size_t>(matrix.nodes);
    std::vector<std::string> header = {"to \\ from"};
    for (std::size_t j = 0; j < n; ++j) header.push_back(std::to_string(j));
    Table table(header);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<std::string> row(n + 1, "0");
        row[0] = std::to_string(i);
        for (std::size_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
            row[static_cast<std::size_t>(matrix.column[e]) + 1] = to_string(matrix.entry[e]);
        table.add(row);
    }
    return table.markdown();
}

std::string sides_markdown(const Explanation& explanation) {
    Table table({"quantity", "exact", "decimal"}, Table::Cells::prose);
    const auto add = [&](const std::string& name, const Real& value) {
        table.add({"`" + name + "`", to_text(value), fmt::format("{:.10g}", value.approximation())});
    };
    if (explanation.left) add(explanation.left_text, *explanation.left);
    if (explanation.right) add(explanation.right_text, *explanation.right);
    for (const auto& [name, value] : explanation.quantities)
        if (name != explanation.left_text && name != explanation.right_text) add(name, value);
    for (const auto& [name, value] : explanation.steps) add(name, value);
    return table.markdown();
}

std::string witness_markdown(const CheckedStatement& checked, const CheckedInstance& one) {
    constexpr int most_nodes_drawn = 16;
    const HeadSystem& system = *one.search.witness;
    std::string text =
        fmt::format("### {}{}\n\n", checked.existential ? "Witness" : "Counterexample",
                    one.instance.values().empty() ? "" : ": " + one.instance.parameters_text());
    text += fmt::format("{}.\n\n", witness_text(one));
    const Explanation& explanation = *one.explanation;
    text += fmt::format("Decided by `{}`", explanation.comparison);
    for (std::size_t k = 0; k < explanation.bindings.size(); ++k)
        text += fmt::format("{}{} = {}", k == 0 ? " at " : ", ", explanation.bindings[k].first,
                            to_text(explanation.bindings[k].second));
    text += ":\n\n" + sides_markdown(explanation) + "\n";
    if (one.largest_epsilon)
        text += fmt::format("The largest {} at which this system is a counterexample: **{}**.\n\n",
                            one.largest_epsilon->first, to_string(one.largest_epsilon->second));
    text += fmt::format("{}.\n\n", minimality_text(one.search.minimality));
    Table heads({"head", "edges (self-loops of weight 1 left out)", "alpha", "beta"}, Table::Cells::prose);
    for (std::size_t h = 0; h < system.head_count(); ++h)
        heads.add({std::to_string(h), edges_text(system.single_head(h)), to_string(system.walk_weights()[h]),
                   to_string(system.diffusion_weights()[h])});
    text += heads.markdown() + "\n";
    if (system.nodes() <= most_nodes_drawn) {
        text += "Walk matrix of the mixture (columns sum to 1):\n\n";
        try {
            text += matrix_markdown(walk_matrix(system));
        } catch (const std::runtime_error& error) {
            text += fmt::format("undefined: {}\n", error.what());
        }
        text += "\nDiffusion matrix of the mixture (rows sum to 1):\n\n" +
                matrix_markdown(diffusion_matrix(system));
    }
    text += "\nAs input for `crosshead measure`:\n\n```json\n" + format_head_system(system) + "```\n\n";
    return text + "As a drawing (Graphviz):\n\n```dot\n" + format_dot(system) + "```\n\n";
}

}  // namespace

bool any_refuted(const CheckRun& run) {
    for (const auto& claim : run.claims) {
        if (claim.checked)
            for (const auto& one : claim.checked->instances)
                if (one.verdict == Verdict::refuted) return true;
        for (const auto& result : claim.distribution)
            if (result.verdict == Verdict::refuted) return true;
    }
    return false;
}

bool was_interrupted(const CheckRun& run) {
    return std::any_of(run.claims.begin(), run.claims.end(),
                       [](const CheckedClaim& claim) { return claim.checked && claim.checked->interrupted; });
}

std::string verdict_text(const CheckedStatement& checked, const CheckedInstance& one) {
    const InstanceResult& search = one.search;
    const std::string verdict(to_string(one.verdict));
    const std::string met = fmt::format("{} met the hypotheses", search.met);
    std::string text;
    switch (one.verdict) {
        case Verdict::exhausted:
            text = fmt::format("exhausted: {}, {}", plural(search.systems, "system"), met);
            break;
        case Verdict::unrefuted:
            text = fmt::format("unrefuted in {} ({})", plural(search.systems, "trial"), met);
            break;
        case Verdict::vacuous:
            if (search.systems == 0)
                text = checked.interrupted ? "not tried" : "vacuous: the domain is empty";
            else if (search.undefined == search.systems)
                text = fmt::format("vacuous: undefined in all of {}", plural(search.systems, "system"));
            else
                text =
                    fmt::format("vacuous: none of {} met the hypotheses", plural(search.systems, "system"));
            break;
        case Verdict::undecided:
            text = fmt::format("undecided in {} of {}", search.undecided, plural(search.systems, "system"));
            break;
        case Verdict::unwitnessed:
            text = fmt::format("unwitnessed in {} ({})", plural(search.systems, "system"), met);
            break;
        default:
            text = verdict;
            if (search.whole_domain)
                text += fmt::format(": {} of {}{}", search.violations, plural(search.systems, "system"),
                                    search.met == search.systems ? "" : " (" + met + ")");
            else if (!checked.options.minimal)
                text += fmt::format(" after {}", plural(search.systems, "system"));
    }
    if (search.undefined > 0 && search.undefined < search.systems)
        text += fmt::format(", undefined in {}", search.undefined);
    if (search.undecided > 0 && one.verdict != Verdict::undecided)
        text += fmt::format(", undecided in {}", search.undecided);
    if (search.spurious > 0) text += fmt::format(", {} spurious in floating point", search.spurious);
    if (!search.witness && search.closest)
        text += fmt::format("; closest margin {}", margin_text(search.closest->margin));
    return text;
}

std::string witness_text(const CheckedInstance& one) {
    const HeadSystem& system = *one.search.witness;
    const Explanation& explanation = *one.explanation;
    std::string text = fmt::format("{}, {}: {}", plural(static_cast<std::uint64_t>(system.nodes()), "node"),
                                   plural(system.head_count(), "head"), edges_text(system));
    if (explanation.left)
        text += fmt::format(
            "; {} = {}{} against {}{}{}", explanation.left_text, to_text(*explanation.left),
            decimal(*explanation.left), explanation.right_text,
            explanation.right_text == to_text(*explanation.right) ? "" : " = " + to_text(*explanation.right),
            decimal(*explanation.right));
    else if (!explanation.comparison.empty())
        text += fmt::format("; {} is {}", explanation.comparison,
                            explanation.comparison_holds ? "true" : "false");
    return text;
}

std::string check_text(const CheckedClaim& claim, bool with_witness) {
    std::string text;
    if (!claim.checked) {
        for (const auto& result : claim.distribution)
            text += fmt::format("  {:<11} {}\n", to_string(result.verdict), distribution_text(result));
        return text;
    }
    const CheckedStatement& checked = *claim.checked;
    std::size_t width = 0;
    for (const auto& one : checked.instances) width = std::max(width, one.instance.parameters_text().size());
    for (const auto& one : checked.instances)
        text += fmt::format("  {:<{}}{}{}\n", one.instance.parameters_text(), width, width == 0 ? "" : "  ",
                            verdict_text(checked, one));
    const CheckedInstance* witness = first_witness(checked);
    if (!with_witness || witness == nullptr) return text;
    text +=
        fmt::format("\n  {}{}\n    {}\n    {}\n", checked.existential ? "witness" : "counterexample",
                    witness->instance.values().empty() ? "" : " for " + witness->instance.parameters_text(),
                    witness_text(*witness), minimality_text(witness->search.minimality));
    const Explanation& explanation = *witness->explanation;
    std::string where;
    for (const auto& [name, value] : explanation.bindings)
        where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", name, to_text(value));
    for (const auto* list : {&explanation.quantities, &explanation.steps})
        for (const auto& [name, value] : *list)
            if (name != explanation.left_text && name != explanation.right_text)
                where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", name, to_text(value));
    if (!where.empty()) text += fmt::format("    where {}\n", where);
    if (witness->largest_epsilon)
        text += fmt::format("    largest {} at which it is one: {}\n", witness->largest_epsilon->first,
                            to_string(witness->largest_epsilon->second));
    return text;
}

std::string check_run_text(const CheckRun& run) {
    std::string text;
    for (const auto& claim : run.claims) {
        if (!text.empty()) text += "\n";
        if (claim.id.empty())
            text += claim.statement + "\n";
        else
            text += claim.id + (claim.reading.empty() ? "" : ": " + claim.reading) + "\n";
        if (!claim.id.empty() && !claim.statement.empty()) text += "  " + claim.statement + "\n";
        text += "  " + claim.domain.description();
        if (claim.checked && claim.checked->domain_size)
            text += fmt::format(": {} {}", claim.checked->domain_size->str(),
                                *claim.checked->domain_size == 1 ? "system" : "systems");
        if (claim.checked && claim.checked->options.method != Method::exhaustive)
            text += fmt::format("; {}, seed {}", to_string(claim.checked->options.method),
                                claim.checked->options.seed);
        text += "\n\n" + check_text(claim, true);
        for (const auto& mutant : claim.mutants) text += "  " + mutant_text(mutant) + "\n";
        for (const auto& note : claim.notes) text += "  note: " + note + "\n";
        if (claim.checked && claim.checked->interrupted)
            text += "  interrupted: the counts are of what was judged until then\n";
    }
    return text + "\n" + convention_text(run.convention);
}

std::string check_run_markdown(const CheckRun& run) {
    std::string text = "# Check\n\n";
    for (const auto& claim : run.claims) {
        text += fmt::format("## {}\n\n", claim.id.empty() ? "Conjecture" : claim.id);
        if (!claim.statement.empty()) text += fmt::format("```\n{}\n```\n\n", claim.statement);
        if (!claim.source.empty()) text += fmt::format("- Source: {}\n", claim.source);
        if (!claim.published.empty()) text += fmt::format("- Published: {}\n", claim.published);
        if (!claim.reading.empty()) text += fmt::format("- Read as: {}\n", claim.reading);
        text += fmt::format("- Checked on: {}", claim.domain.description());
        if (claim.checked && claim.checked->domain_size)
            text += fmt::format(" ({} systems, by closed form)", claim.checked->domain_size->str());
        text += "\n\n";
        for (const auto& result : claim.distribution)
            text += fmt::format("- **{}**: {}\n", to_string(result.verdict), distribution_text(result));
        if (!claim.checked) continue;
        const CheckedStatement& checked = *claim.checked;
        text += fmt::format(
            "Method: {}{}.\n\n", to_string(checked.options.method),
            checked.options.method == Method::exhaustive
                ? ""
                : fmt::format(", {} trials, seed {}", checked.options.trials, checked.options.seed));
        Table table({"parameters", "verdict", "systems", "met", "violations", "undefined", "undecided",
                     "closest margin"},
                    Table::Cells::prose);
        for (const auto& one : checked.instances) {
            const auto& search = one.search;
            table.add({one.instance.parameters_text(), "**" + std::string(to_string(one.verdict)) + "**",
                       std::to_string(search.systems), std::to_string(search.met),
                       std::to_string(search.violations), std::to_string(search.undefined),
                       std::to_string(search.undecided),
                       search.closest ? margin_text(search.closest->margin) : ""});
        }
        text += table.markdown() + "\n";
        for (const auto& mutant : claim.mutants) text += "- " + mutant_text(mutant) + "\n";
        for (const auto& note : claim.notes) text += "- Note: " + note + "\n";
        if (!claim.mutants.empty() || !claim.notes.empty()) text += "\n";
        if (checked.interrupted) text += "**Interrupted**: the counts are of what was judged until then.\n\n";
        for (const auto& one : checked.instances)
            if (one.search.witness) text += witness_markdown(checked, one);
    }
    text += "## Conventions\n\nNodes 0..n-1 in topological order, the sink is n-1, N = n-1. " +
            convention_text(run.convention);
    text +=
        "Margins are estimates: (right - left)/|right| of the comparison that decides; verdicts are exact.\n";
    return text + fmt::format("\n## Reproduce\n\n    {}\n", run.command);
}

}  // namespace crosshead
