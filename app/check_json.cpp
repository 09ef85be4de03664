// The schema crosshead.check/1 (docs/formats.md).
#include <fmt/format.h>

#include <cmath>
#include <crosshead/graphs/json_io.hpp>

#include "check_report.hpp"
#include "domain_options.hpp"

namespace crosshead {
namespace {

Json margin_json(double margin) {
    return std::isfinite(margin) ? Json{{"estimate", margin}} : Json(margin > 0 ? "infinite" : "-infinite");
}

Json domain_json(const CheckedClaim& claim) {
    const Domain& domain = claim.domain;
    Json json = {{"description", domain.description()},
                 {"nodes", {domain.nodes_from, domain.nodes_to}},
                 {"heads", {domain.heads_from, domain.heads_to}}};
    if (claim.checked && claim.checked->domain_size)
        json["systems"] = claim.checked->domain_size->str();
    else
        json["systems"] = nullptr;
    json["options"] = domain_command_line(domain);
    return json;
}

const char* minimality_name(Minimality minimality) {
    return minimality == Minimality::raw ? "no" : minimality == Minimality::shrunk ? "shrunk" : "proved";
}

Json named_values(const std::vector<std::pair<std::string, Real>>& values, bool full) {
    Json json = Json::object();
    for (const auto& [name, value] : values) json[name] = real_json(value, full);
    return json;
}

Json witness_json(const CheckedInstance& one, bool full) {
    const Explanation& explanation = *one.explanation;
    Json json = {{"system", head_system_json(*one.search.witness)},
                 {"left", explanation.left ? real_json(*explanation.left, full) : Json(nullptr)},
                 {"right", explanation.right ? real_json(*explanation.right, full) : Json(nullptr)},
                 {"minimal", minimality_name(one.search.minimality)},
                 {"comparison", explanation.comparison}};
    json["at"] = named_values(explanation.bindings, full);
    json["quantities"] = named_values(explanation.quantities, full);
    json["distances"] = named_values(explanation.steps, full);
    if (one.largest_epsilon)
        json["largest_epsilon"] = to_json(Quantity::of(one.largest_epsilon->second), full);
    return json;
}

Json instance_json(const CheckedStatement& checked, const CheckedInstance& one, const CheckRun& run) {
    Json json = {{"parameters", Json::object()}};
    for (std::size_t k = 0; k < one.instance.values().size(); ++k) {
        const std::string& name = checked.conjecture->parameters[k].name;
        json["parameters"][name == "eps" ? "epsilon" : name] = to_string(one.instance.values()[k]);
    }
    const InstanceResult& search = one.search;
    json["verdict"] = std::string(to_string(one.verdict));
    json["systems"] = search.systems;
    json["met_hypotheses"] = search.met;
    json["undefined"] = search.undefined;
    json["undecided"] = search.undecided;
    if (search.spurious > 0) json["spurious"] = search.spurious;
    json["whole_domain"] = search.whole_domain;
    if (run.count) json[checked.existential ? "satisfied" : "violations"] = search.violations;
    if (search.closest)
        json["closest"] = {{"margin", margin_json(search.closest->margin)},
                           {"system", head_system_json(search.closest->system)}};
    if (search.witness) json["witness"] = witness_json(one, run.full);
    return json;
}

Json distribution_json(const MoreHeadsResult& result) {
    Json values = Json::array();
    for (const auto& [value, count] : result.distribution)
        values.push_back({{"forward_probability", to_string(value)}, {"heads", count}});
    Json best = Json::array();
    for (const auto& probability : result.best_reached) best.push_back(to_string(probability));
    return {{"parameters", {{"nodes", result.nodes}}},
            {"verdict", std::string(to_string(result.verdict))},
            {"heads", result.heads},
            {"distribution", values},
            {"best_reached", best}};
}

}  // namespace

Json real_json(const Real& value, bool full) {
    if (value.exact() && *value.exact() >= 0) return to_json(Quantity::of(*value.exact()), full);
    if (value.exact()) return {{"exact", to_string(*value.exact())}, {"approx", approximate(*value.exact())}};
    if (value.infinite()) return value.infinite()->positive ? "infinite" : "-infinite";
    if (!value.interval()) return nullptr;
    return {{"lower", fmt::format("{:.17g}", value.interval()->lower())},
            {"upper", fmt::format("{:.17g}", value.interval()->upper())},
            {"approx", value.approximation()}};
}

Json check_run_json(const CheckRun& run) {
    Json document = {{"schema", "crosshead.check/1"}, {"convention", to_json(run.convention)}};
    const bool one_domain = run.claims.size() == 1;
    if (one_domain) document["domain"] = domain_json(run.claims.front());
    document["results"] = Json::array();
    for (const auto& claim : run.claims) {
        const auto add = [&](const Json& result) {
            Json json = claim.id.empty() ? Json{{"conjecture", claim.statement}} : Json{{"claim", claim.id}};
            json.update(result);
            if (!claim.id.empty() && !claim.statement.empty()) json["statement"] = claim.statement;
            if (!claim.mutants.empty()) {
                json["mutants"] = Json::array();
                for (const auto& mutant : claim.mutants)
                    json["mutants"].push_back({{"statement", mutant.statement}, {"refuted", mutant.refuted}});
            }
            if (!claim.notes.empty()) json["notes"] = claim.notes;
            if (!one_domain) json["domain"] = domain_json(claim);
            document["results"].push_back(std::move(json));
        };
        for (const auto& result : claim.distribution) add(distribution_json(result));
        if (!claim.checked) continue;
        document["method"] = {{"name", std::string(to_string(claim.checked->options.method))},
                              {"trials", claim.checked->options.trials},
                              {"seed", claim.checked->options.seed}};
        for (const auto& one : claim.checked->instances) add(instance_json(*claim.checked, one, run));
    }
    document["interrupted"] = was_interrupted(run);
    document["command"] = run.command;
    return document;
}

}  // namespace crosshead
