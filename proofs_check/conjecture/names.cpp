#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <crosshead/proofs_check/conjecture/diagnostics.hpp>
#include <crosshead/proofs_check/conjecture/names.hpp>
#include <limits>
#include <utility>

namespace crosshead {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

constexpr FunctionInfo function_table[] = {
    {"min", Operation::minimum, 1, any_number, "min(a, b, …)"},
    {"max", Operation::maximum, 1, any_number, "max(a, b, …)"},
    {"ceil", Operation::ceiling, 1, 1, "ceil(x)"},
    {"floor", Operation::floor, 1, 1, "floor(x)"},
    {"abs", Operation::absolute, 1, 1, "abs(x)"},
    {"ln", Operation::logarithm, 1, 1, "ln(x)"},
    {"exp", Operation::exponential, 1, 1, "exp(x)"},
    {"sqrt", Operation::square_root, 1, 1, "sqrt(x)"},
    {"binomial_tail", Operation::binomial_tail, 3, 3, "binomial_tail(t, p, k)"},
    {"choose", Operation::binomial, 2, 2, "choose(m, k)"},
};

constexpr std::string_view operator_words[] = {"in", "and", "or", "not"};
constexpr std::string_view words[] = {"forall", "exists", "sum",     "prod", "true", "false",
                                      "heads",  "nodes",  "nonsink", "best", "worst"};

using Pair = std::pair<std::string_view, std::string_view>;
constexpr Pair usual_names[] = {
    {"T_mix", "tmix(eps)"},
    {"Tmix", "tmix(eps)"},
    {"t_mix", "tmix(eps)"},
    {"mixing_time", "tmix(eps)"},
    {"T_bwd", "tbwd(eps)"},
    {"fidelity", "phi or phi_node(j)"},
    {"minimax_fidelity", "phi"},
    {"epsilon", "eps"},
    {"varepsilon", "eps"},
    {"log", "ln(x)"},
    {"log2", "ln(x) / ln(2)"},
    {"log10", "ln(x) / ln(10)"},
    {"e", "exp(1)"},
    {"p_h", "p[h]"},
    {"alpha_h", "alpha[h]"},
    {"beta_h", "beta[h]"},
    {"phi_h", "phi[h]"},
    {"phi_j", "phi_node(j)"},
    {"tau", "n - 1 (the sink is node n - 1)"},
    {"sink", "n - 1 (the sink is node n - 1)"},
    {"ceiling", "ceil(x)"},
    {"binom", "choose(m, k)"},
    {"comb", "choose(m, k)"},
    {"binomial", "choose(m, k)"},
    {"pow", "a^b"},
    {"prob", "p or p_mix"},
    {"heads", "H (heads is a domain: forall h in heads: …)"},
    {"nodes", "n (nodes is a domain: forall j in nodes: …)"},
    {"nonsink", "n - 1 (nonsink is a domain: forall j in nonsink: …)"},
    {"length", "longest_path"},
    {"commute", "heads_commute"},
};

constexpr Pair greek[] = {{"φ", "phi"}, {"ϕ", "phi"},   {"ε", "eps"},
                          {"ϵ", "eps"}, {"α", "alpha"}, {"β", "beta"}};

std::string_view argument_name(ArgumentKind kind, bool second_node) {
    switch (kind) {
        case ArgumentKind::epsilon:
            return "eps";
        case ArgumentKind::step:
            return "t";
        case ArgumentKind::node:
            return second_node ? "i" : "j";
    }
    return "";
}

}  // namespace

std::span<const FunctionInfo> functions() {
    return function_table;
}

const FunctionInfo* find_function(std::string_view name) {
    const auto* found = std::find_if(std::begin(function_table), std::end(function_table),
                                     [&](const FunctionInfo& row) { return row.name == name; });
    return found == std::end(function_table) ? nullptr : found;
}

std::string signature(const QuantityInfo& info) {
    std::string text(info.name);
    if (info.per_head == PerHead::required) text += "[h]";
    for (std::size_t i = 0; i < info.arguments.size(); ++i) {
        const bool first_of_two = i == 0 && info.arguments.size() == 2;
        text += (i == 0 ? "(" : ", ") + std::string(argument_name(info.arguments[i], first_of_two));
    }
    return info.arguments.empty() ? text : text + ")";
}

std::string canonical_name(std::string_view name) {
    std::string text;
    for (std::size_t at = 0; at < name.size();) {
        const auto* letter = std::find_if(std::begin(greek), std::end(greek), [&](const Pair& row) {
            return name.substr(at).starts_with(row.first);
        });
        if (letter == std::end(greek)) {
            text += name[at++];
        } else {
            text += letter->second;
            at += letter->first.size();
        }
    }
    return text;
}

std::string_view why_reserved(std::string_view name) {
    if (find_quantity(name) != nullptr) return "a quantity";
    if (find_function(name) != nullptr) return "a function";
    const auto among = [&](const auto& list) {
        return std::find(std::begin(list), std::end(list), name) != std::end(list);
    };
    if (among(words) || among(operator_words)) return "a word of the language";
    return "";
}

std::string_view usual_replacement(std::string_view name) {
    const auto* row = std::find_if(std::begin(usual_names), std::end(usual_names),
                                   [&](const Pair& pair) { return pair.first == name; });
    return row == std::end(usual_names) ? std::string_view() : row->second;
}

std::string advice_for_unknown(std::string_view name, std::span<const std::string> variables) {
    if (const auto usual = usual_replacement(name); !usual.empty()) return fmt::format("write {}", usual);
    std::vector<std::string_view> known(variables.begin(), variables.end());
    for (const auto& row : quantities()) known.push_back(row.name);
    for (const auto& row : function_table) known.push_back(row.name);
    known.insert(known.end(), std::begin(words), std::end(words));
    if (const auto near = did_you_mean(name, known); !near.empty()) return near;

    std::string list;
    for (const auto& row : quantities()) list += (list.empty() ? "" : ", ") + signature(row);
    std::string calls;
    for (const auto& row : function_table) calls += (calls.empty() ? "" : ", ") + std::string(row.signature);
    std::string bound;
    for (const auto& variable : variables) bound += (bound.empty() ? "; variables: " : ", ") + variable;
    return fmt::format("there are the quantities {}; the functions {}{}", list, calls, bound);
}

}  // namespace crosshead
