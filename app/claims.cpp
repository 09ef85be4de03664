#include "claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/proofs_check/claims.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <memory>

#include "check_report.hpp"
#include "context.hpp"
#include "domain_options.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace crosshead {
namespace {

struct ClaimsArguments {
    std::vector<std::string> ids;
    std::string markdown;
    int nodes = 4;
    OutputOptions output;
};

const char* kind_name(ClaimKind kind) {
    switch (kind) {
        case ClaimKind::universal:
            return "universal";
        case ClaimKind::existential:
            return "one system suffices";
        case ClaimKind::distribution:
            return "about random heads";
        case ClaimKind::measurement:
            return "a published measurement";
    }
    return "";
}

/// A claim over one of its domains, every violation counted, the smallest witness proved minimal.
CheckedClaim evidence_of(const Claim& claim, const Domain& domain, Progress& progress) {
    CheckedClaim result;
    result.id = claim.id;
    result.source = claim.source;
    result.published = claim.published;
    result.reading = claim.reading;
    result.statement = claim.statement;
    result.domain = domain;
    if (claim.kind == ClaimKind::distribution) {
        for (int n = domain.nodes_from; n <= domain.nodes_to; ++n)
            result.distribution.push_back(more_heads_better_best(domain, n, most_heads_compared));
        return result;
    }
    CheckOptions options;
    options.count = options.minimal = true;
    SearchLimits limits;
    limits.progress = [&](double done, double total, const std::string&) {
        progress.at(done, total, std::string(claim.id));
    };
    result.checked = check_statement(claim.conjecture(), claim.existential(), domain, options, limits);
    return result;
}

/// With --nodes, domains without a family that are smaller are taken up to there.
Domain widened(Domain domain, int nodes) {
    const bool usual = !domain.family && domain.max_edge_weight == 1 && domain.reach == SinkReach::every &&
                       domain.nodes_from < domain.nodes_to;
    if (nodes > domain.nodes_to && usual) domain.nodes_to = nodes;
    return domain;
}

/// The words of all parameters and domains, each once; where one decides, it alone: a statement that fails
/// for one ε, or over one domain, is refuted, whatever it is elsewhere.
class Status {
  public:
    void add(const CheckedClaim& evidence) {
        if (evidence.checked)
            for (const auto& one : evidence.checked->instances) add(one.verdict);
        for (const auto& result : evidence.distribution) add(result.verdict);
    }
    std::string text() const {
        if (words_.empty()) return "measurement";
        for (const char* decisive : {"refuted", "undecided", "witnessed"})
            if (std::find(words_.begin(), words_.end(), decisive) != words_.end()) return decisive;
        return fmt::format("{}", fmt::join(words_, " / "));
    }

  private:
    void add(Verdict verdict) {
        const std::string word(to_string(verdict));
        if (std::find(words_.begin(), words_.end(), word) == words_.end()) words_.push_back(word);
    }
    std::vector<std::string> words_;
};

std::string status_of(const CheckedClaim& evidence) {
    Status status;
    status.add(evidence);
    return status.text();
}

std::string command_of(const Claim& claim, const Domain& domain) {
    const bool leaves_family = claim.domains.front().family && !domain.family;
    return fmt::format("crosshead check {} {}{} --count --minimal", claim.id, domain_command_line(domain),
                       leaves_family ? " --family all" : "");
}

std::string list_text(Progress& progress) {
    std::size_t width = 0;
    for (const auto& claim : claims()) width = std::max(width, claim.id.size());
    std::string text;
    for (const auto& claim : claims()) {
        Status status;
        for (const auto& domain : claim.domains) status.add(evidence_of(claim, domain, progress));
        text += fmt::format("{:<{}}  {:<11}  {}\n", claim.id, width, status.text(), claim.reading);
    }
    return text +
           "\nThe second column is what checking each claim over its small domains just gave. "
           "`crosshead claims ID`\n"
           "explains one; `crosshead check ID` checks it over domains of your choice.\n";
}

std::string explanation_text(const Claim& claim, Progress& progress) {
    std::string text =
        fmt::format("{} ({})\n\n  source      {}\n  published   {}\n  read as     {}\n", claim.id,
                    kind_name(claim.kind), claim.source, claim.published, claim.reading);
    if (!claim.statement.empty()) text += fmt::format("  statement   {}\n", claim.statement);
    if (!claim.remark.empty()) text += fmt::format("\n{}.\n", claim.remark);
    if (!claim.mutants.empty())
        text += "\nStatements close by that are refuted, so that the check is known to bite:\n";
    for (const auto& mutant : claim.mutants) text += fmt::format("  {}\n", mutant);
    for (const auto& domain : claim.domains) {
        const CheckedClaim evidence = evidence_of(claim, domain, progress);
        text += fmt::format("\n{}: {}\n{}\n  {}\n", status_of(evidence), domain.description(),
                            check_text(evidence, true), command_of(claim, domain));
    }
    return text;
}

/// Section of one claim, and the verdict on all its domains.
struct ClaimSection {
    std::string text, status;
};

ClaimSection claim_markdown(const Claim& claim, int nodes, Progress& progress) {
    ClaimSection section;
    section.text = fmt::format("## {}\n\n{}. Source: {}. Published: *{}*. Read as: {}.\n\n", claim.id,
                               kind_name(claim.kind), claim.source, claim.published, claim.reading);
    if (!claim.statement.empty()) section.text += fmt::format("    {}\n\n", claim.statement);
    if (!claim.remark.empty()) section.text += fmt::format("{}.\n\n", claim.remark);
    Status all;
    for (const auto& given : claim.domains) {
        const Domain domain = widened(given, nodes);
        const CheckedClaim evidence = evidence_of(claim, domain, progress);
        const std::string status = status_of(evidence);
        all.add(evidence);
        section.text += fmt::format("**{}** on {}:\n\n```\n{}```\n\n    {}\n\n", status, domain.description(),
                                    check_text(evidence, true), command_of(claim, domain));
    }
    section.status = all.text();
    return section;
}

std::string catalogue_markdown(int nodes, Progress& progress) {
    std::string text = fmt::format(
        "# Claims\n\n"
        "Written by `crosshead claims --markdown docs/claims.md --nodes {}`: every number was computed by "
        "that run. The\n"
        "language of the statements is in [conjectures.md](conjectures.md), the definitions in "
        "[definitions.md](definitions.md).\n\n"
        "*exhausted*: holds in every system of the domain, and says nothing about others. *refuted*: fails "
        "in one, which\n"
        "was re-checked exactly. *witnessed*: a system has it, where one suffices. *vacuous*: no system met "
        "the\n"
        "hypotheses. Nothing here is *proved* for all n. Counterexamples have the fewest nodes, then heads, "
        "then edges\n"
        "of their domain. Edges are written `0->1`, heads apart by `|`, every node has a self-loop "
        "besides.\n\n",
        nodes);
    Table table({"claim", "verdict", "kind", "read as"}, Table::Cells::prose);
    std::string sections;
    for (const auto& claim : claims()) {
        const ClaimSection section = claim_markdown(claim, nodes, progress);
        table.add({fmt::format("[{}](#{})", claim.id, claim.id), "**" + section.status + "**",
                   kind_name(claim.kind), std::string(claim.reading)});
        sections += section.text;
    }
    return text + table.markdown() + "\n" + sections;
}

Json claim_json(const Claim& claim, Progress& progress) {
    Json json = {{"id", claim.id},           {"kind", kind_name(claim.kind)},
                 {"source", claim.source},   {"published", claim.published},
                 {"reading", claim.reading}, {"statement", claim.statement}};
    json["mutants"] = Json::array();
    for (const auto& mutant : claim.mutants) json["mutants"].push_back(mutant);
    json["for_models"] = claim.for_models;
    json["evidence"] = Json::array();
    for (const auto& domain : claim.domains) {
        CheckRun run;
        run.count = true;
        run.claims.push_back(evidence_of(claim, domain, progress));
        run.command = command_of(claim, domain);
        json["evidence"].push_back({{"status", status_of(run.claims.front())},
                                    {"domain", domain.description()},
                                    {"results", check_run_json(run)["results"]},
                                    {"command", run.command}});
    }
    return json;
}

void run_claims(const ClaimsArguments& arguments, Context& context) {
    Progress progress("checking", arguments.output.quiet);
    if (!arguments.markdown.empty()) {
        const std::string text = catalogue_markdown(arguments.nodes, progress);
        progress.clear();
        write_file_atomically(arguments.markdown, text);
        return;
    }
    std::vector<const Claim*> chosen;
    for (const auto& id : arguments.ids) chosen.push_back(&claim_named(id));
    if (arguments.output.json) {
        Json document = {{"schema", "crosshead.claims/1"}, {"claims", Json::array()}};
        if (chosen.empty())
            for (const auto& claim : claims()) chosen.push_back(&claim);
        for (const auto* claim : chosen) document["claims"].push_back(claim_json(*claim, progress));
        document["command"] = context.command_line;
        progress.clear();
        write_stdout(document_text(document));
        return;
    }
    std::string text;
    if (chosen.empty()) text = list_text(progress);
    for (const auto* claim : chosen) text += (text.empty() ? "" : "\n") + explanation_text(*claim, progress);
    progress.clear();
    write_stdout(text);
}

}  // namespace

void add_claims_command(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand("claims", "List the catalogue of claims, or explain some of them");
    auto arguments = std::make_shared<ClaimsArguments>();
    command->add_option("ids", arguments->ids, "Claims to explain; none: list all")->type_name("ID");
    command
        ->add_option("--markdown", arguments->markdown,
                     "Write the whole catalogue with its evidence to this file")
        ->type_name("FILE");
    command
        ->add_option("--nodes", arguments->nodes,
                     "With --markdown: take uniform domains up to this many nodes")
        ->type_name("N");
    arguments->output.add_to(*command);
    command->footer(
        "Verdicts and numbers are computed when the command runs, over small domains: seconds at most.\n"
        "Examples:\n"
        "  crosshead claims\n"
        "  crosshead claims mixing-literal\n"
        "  crosshead claims --markdown docs/claims.md --nodes 5");
    command->callback([arguments, &context] { run_claims(*arguments, context); });
}

}  // namespace crosshead
