// What the tests of searches share: statements, domains, and small systems as text.
#pragma once

#include <crosshead/proofs_check/check.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <string>
#include <utility>
#include <vector>

namespace crosshead::testing {

inline std::shared_ptr<const Conjecture> conjecture_of(const std::string& text,
                                                       const std::vector<std::string>& parameters = {}) {
    return std::make_shared<const Conjecture>(parse_conjecture(text, "test", parameters));
}

inline Domain heads_on(int nodes_from, int nodes_to, int heads_from = 2, int heads_to = 2) {
    Domain domain;
    domain.nodes_from = nodes_from;
    domain.nodes_to = nodes_to;
    domain.heads_from = heads_from;
    domain.heads_to = heads_to;
    return domain;
}

/// "0>1 1>2 | 0>2 1>2": the edges of each head, self-loops left out; weights other than 1 as "0>1:3".
inline std::string edges_text(const HeadSystem& system) {
    std::string text;
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        if (h > 0) text += " |";
        const HeadDag& dag = system.head(h);
        for (std::size_t e = 0; e < dag.edge_count(); ++e) {
            if (dag.sources()[e] == dag.destinations()[e]) continue;
            text += (text.empty() ? "" : " ") + std::to_string(dag.sources()[e]) + ">" +
                    std::to_string(dag.destinations()[e]);
            if (dag.weight(e) != 1) text += ":" + to_string(dag.weight(e));
        }
    }
    return text;
}

inline std::size_t edge_total(const HeadSystem& system) {
    std::size_t edges = 0;
    for (const auto& head : system.heads())
        edges += head.edge_count() - static_cast<std::size_t>(head.nodes());
    return edges;
}

/// check_statement with nobody watching.
inline CheckedStatement checked(const std::shared_ptr<const Conjecture>& conjecture, const Domain& domain,
                                const CheckOptions& options = {}, bool existential = false) {
    return check_statement(conjecture, existential, domain, options, {});
}

inline CheckOptions counting() {
    CheckOptions options;
    options.count = options.minimal = true;
    return options;
}

}  // namespace crosshead::testing
