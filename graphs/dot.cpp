// The language is read here rather than by Boost's read_graphviz or Graphviz's libcgraph: both make up a node
// for an edge to an undeclared id and cannot say afterwards which nodes were declared, or on what line;
// Boost's also sorts nodes by name, losing the file's order, and matches its tokens with backtracking regular
// expressions; libcgraph brings Graphviz's whole development stack. The grammar has a dozen rules.
#include <fmt/format.h>

#include <crosshead/graphs/dot.hpp>
#include <crosshead/graphs/dot_lexer.hpp>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/graph_file.hpp>
#include <map>
#include <set>
#include <utility>

namespace crosshead {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::string_view quote_advice = "put names that are not words or numbers in quotes";

class DotReader {
  public:
    DotReader(std::string_view text, const std::string& place) : place_(place), lexer_(text, place) {
        take();
    }

    GraphFile read() {
        strict_ = accept("strict");
        if (token_.is("graph"))
            fail("an undirected graph; a head is directed, so write \"digraph\" and \"->\"");
        expect("digraph", "this is not a DOT digraph");
        if (token_.kind == DotToken::Kind::identifier) take();
        expect("{", "a digraph's statements stand in braces");
        Scope root;
        statements(root, 1);
        expect("}", "close the graph with a brace");
        if (token_.kind != DotToken::Kind::end) fail("text follows the graph; one head a file, so split it");
        require_declared();
        return std::move(file_);
    }

  private:
    using Attributes = std::map<std::string, std::string>;
    /// What a pair of braces holds: defaults for edges, and the nodes mentioned.
    struct Scope {
        Attributes edge_defaults;
        std::vector<std::size_t> members;
    };
    struct Mention {
        bool declared = false;
        std::size_t line = 0;
    };

    [[noreturn]] void fail_at(std::size_t line, const std::string& why) const {
        throw InputError(fmt::format("{}: line {}: {}", place_, line, why));
    }
    [[noreturn]] void fail(std::string_view why) const {
        const std::string at =
            token_.kind == DotToken::Kind::end ? "the end of the file" : fmt::format("\"{}\"", token_.text);
        fail_at(token_.line, fmt::format("at {}: {}", at, why));
    }
    DotToken take() {
        DotToken taken = std::move(token_);
        token_ = lexer_.next();
        return taken;
    }
    bool accept(std::string_view symbol) {
        if (!token_.is(symbol)) return false;
        take();
        return true;
    }
    void expect(std::string_view symbol, std::string_view why) {
        if (!accept(symbol)) fail(fmt::format("\"{}\" expected: {}", symbol, why));
    }
    std::string identifier(std::string_view what) {
        if (token_.kind != DotToken::Kind::identifier)
            fail(fmt::format("{} expected: {}", what, quote_advice));
        return take().text;
    }

    void statements(Scope& scope, std::size_t depth) {
        if (depth > max_depth) fail(fmt::format("braces nested deeper than {} levels", max_depth));
        while (!token_.is("}")) {
            if (token_.kind == DotToken::Kind::end) fail("a closing brace is missing");
            statement(scope, depth);
            accept(";");
        }
    }

    void statement(Scope& scope, std::size_t depth) {
        if (token_.is("graph") || token_.is("node") || token_.is("edge")) {
            const std::string kind = take().text;
            if (!token_.is("[")) fail(fmt::format("\"[\" expected after \"{}\"", kind));
            const std::size_t line = token_.line;
            const Attributes attributes = attribute_lists();
            if (kind == "edge")
                for (const auto& [key, value] : attributes) scope.edge_defaults[key] = value;
            if (kind == "graph")
                for (const auto& [key, value] : attributes) graph_attribute(key, value, line, depth);
            return;
        }
        const bool is_group = token_.is("subgraph") || token_.is("{");
        if (is_group) {
            const std::size_t declared_before = declared_.size();
            const auto group = subgraph(scope, depth);
            if (token_.is("->") || token_.is("--")) {
                forget_declarations(declared_before);
                edges(group, scope, depth);
            }
            return;
        }
        const std::size_t line = token_.line;
        const std::string name = identifier("a node, an edge or a setting");
        if (accept("=")) {
            graph_attribute(name, identifier("a value"), line, depth);
            return;
        }
        port();
        const std::size_t node = mention(name, line, scope);
        if (token_.is("->") || token_.is("--")) {
            edges({node}, scope, depth);
        } else {
            declare(node);
            if (token_.is("[")) attribute_lists();
        }
    }

    std::size_t mention(const std::string& name, std::size_t line, Scope& scope) {
        const auto [found, is_new] = index_.emplace(name, file_.names.size());
        if (is_new) {
            file_.names.push_back(name);
            mentions_.push_back({false, line});
        }
        scope.members.push_back(found->second);
        return found->second;
    }

    void declare(std::size_t node) {
        if (!mentions_[node].declared) declared_.push_back(node);
        mentions_[node].declared = true;
    }
    /// {a b} -> c mentions a and b as an edge does; only once the arrow is read is that known.
    void forget_declarations(std::size_t since) {
        for (std::size_t d = since; d < declared_.size(); ++d) mentions_[declared_[d]].declared = false;
        declared_.resize(since);
    }

    void port() {
        for (int parts = 0; parts < 2 && accept(":"); ++parts) identifier("a port");
    }

    std::vector<std::size_t> subgraph(Scope& outer, std::size_t depth) {
        if (accept("subgraph") && token_.kind == DotToken::Kind::identifier) take();
        expect("{", "a subgraph's statements stand in braces");
        Scope inner{outer.edge_defaults, {}};
        statements(inner, depth + 1);
        expect("}", "close the subgraph with a brace");
        std::set<std::size_t> seen;  // a subgraph is a set of nodes
        std::erase_if(inner.members, [&](std::size_t node) { return !seen.insert(node).second; });
        outer.members.insert(outer.members.end(), inner.members.begin(), inner.members.end());
        return inner.members;
    }

    /// a -> {b c} -> d: every member of each group to every member of the next.
    void edges(std::vector<std::size_t> left, Scope& scope, std::size_t depth) {
        std::vector<GraphFile::Edge> chain;
        while (token_.is("->") || token_.is("--")) {
            if (token_.is("--")) fail("an undirected edge; a head is directed, so write \"->\"");
            const std::size_t line = take().line;
            std::vector<std::size_t> right;
            if (token_.is("subgraph") || token_.is("{")) {
                const std::size_t declared_before = declared_.size();
                right = subgraph(scope, depth);
                forget_declarations(declared_before);
            } else {
                const std::size_t node_line = token_.line;
                right = {mention(identifier("a node"), node_line, scope)};
                port();
            }
            if (left.size() * right.size() > max_edges - file_.edges.size() - chain.size())
                fail(fmt::format("more than {} edges; this is not one head", max_edges));
            for (const auto source : left)
                for (const auto destination : right) chain.push_back({source, destination, 1, line});
            left = std::move(right);
        }
        Attributes attributes = scope.edge_defaults;
        if (token_.is("["))
            for (auto& [key, value] : attribute_lists()) attributes[key] = value;
        for (auto& edge : chain) add_edge(std::move(edge), attributes);
    }

    void add_edge(GraphFile::Edge edge, const Attributes& attributes) {
        const std::string shown =
            fmt::format("edge {} -> {}", file_.names[edge.source], file_.names[edge.destination]);
        if (const auto head = attributes.find("head"); head != attributes.end() && head->second != "0")
            fail_at(
                edge.line,
                fmt::format("{} belongs to head {}: this picture holds several heads; one head a DOT file, "
                            "so use the head-system JSON that it was drawn from",
                            shown, head->second));
        if (const auto weight = attributes.find("weight"); weight != attributes.end())
            edge.weight = parse_rational(weight->second,
                                         fmt::format("{}: line {}: {}: weight", place_, edge.line, shown));
        if (strict_) {
            // "strict" is the file's word that a repeated edge is one edge, with the attributes given last.
            const auto [known, is_new] =
                strict_edges_.emplace(std::pair(edge.source, edge.destination), file_.edges.size());
            if (!is_new) {
                file_.edges[known->second] = std::move(edge);
                return;
            }
        }
        file_.edges.push_back(std::move(edge));
    }

    Attributes attribute_lists() {
        Attributes attributes;
        while (accept("["))
            while (!accept("]")) {
                const std::string key = identifier("an attribute or \"]\"");
                attributes[key] = accept("=") ? identifier("a value") : "true";
                if (!accept(";")) accept(",");
            }
        return attributes;
    }

    /// Only the graph's own settings count; a subgraph's are about drawing.
    void graph_attribute(const std::string& key, const std::string& value, std::size_t line,
                         std::size_t depth) {
        if (depth > 1) return;
        if (key == "sink") file_.sink = value;
        if (key == "self_loops")
            file_.self_loops = parse_self_loops(value, fmt::format("{}: line {}", place_, line));
    }

    /// DOT lets an edge bring its nodes into being. In a file that declares nodes, that is most likely a
    /// slip.
    void require_declared() const {
        if (declared_.empty()) return;
        for (std::size_t node = 0; node < mentions_.size(); ++node)
            if (!mentions_[node].declared)
                fail_at(
                    mentions_[node].line,
                    fmt::format(
                        "an edge names \"{0}\", which no statement declares, though the file declares other "
                        "nodes; correct the name, or declare it with the statement \"{0}\";",
                        file_.names[node]));
    }

    static constexpr std::size_t max_edges = 10'000'000;

    const std::string& place_;
    DotLexer lexer_;
    DotToken token_;
    GraphFile file_;
    std::map<std::string, std::size_t> index_;
    std::vector<Mention> mentions_;
    std::vector<std::size_t> declared_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> strict_edges_;
    bool strict_ = false;
};

/// The name as a quoted string that reads back as itself.
std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? "\\\"" : std::string(1, c);
    text += '"';
    const std::string place = "a node name";
    bool same = false;
    try {
        DotLexer lexer(text, place);
        same = lexer.next().text == name && lexer.next().kind == DotToken::Kind::end;
    } catch (const InputError&) {
    }
    if (!same)
        throw InputError(fmt::format(
            "node name {}: DOT cannot quote a backslash there; rename the node, or write JSON", text));
    return text;
}

/// Colours that stay apart for colour-blind readers (Okabe and Ito), used in turn.
constexpr std::string_view palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                        "#E69F00", "#56B4E9", "#000000"};

}  // namespace

HeadSystem parse_dot(std::string_view bytes, const std::string& place, bool self_loops) {
    return head_from_graph_file(DotReader(bytes, place).read(), self_loops, place);
}

std::string format_dot(const HeadSystem& system) {
    const bool several = system.head_count() > 1;
    std::string text = "digraph {\n";
    text +=
        fmt::format("  graph [sink={}, self_loops=false, rankdir=LR];\n", quoted(system.name(system.sink())));
    for (Node node = 0; node < system.nodes(); ++node)
        text += fmt::format("  {};\n", quoted(system.name(node)));
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const HeadDag& head = system.head(h);
        if (several) text += fmt::format("  // head {}\n", h);
        for (std::size_t e = 0; e < head.edge_count(); ++e) {
            const Rational weight = head.weight(e);
            std::string attributes;
            if (several)
                attributes += fmt::format("head={}, color=\"{}\"", h, palette[h % std::size(palette)]);
            if (weight != 1)
                attributes += fmt::format("{0}weight=\"{1}\", label=\"{1}\"", attributes.empty() ? "" : ", ",
                                          to_string(weight));
            text += fmt::format("  {} -> {}{};\n", quoted(system.name(head.sources()[e])),
                                quoted(system.name(head.destinations()[e])),
                                attributes.empty() ? "" : fmt::format(" [{}]", attributes));
        }
    }
    return text + "}\n";
}

}  // namespace crosshead
