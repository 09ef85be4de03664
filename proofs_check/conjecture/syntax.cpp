#include <fmt/format.h>

#include <crosshead/proofs_check/conjecture/grammar.hpp>
#include <crosshead/proofs_check/conjecture/syntax.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>
#include <type_traits>

namespace crosshead {
namespace {

namespace p = tao::pegtl;

template <typename Rule>
constexpr bool is_bracket =
    std::is_same_v<Rule, grammar::parenthesised> || std::is_same_v<Rule, grammar::index> ||
    std::is_same_v<Rule, grammar::arguments> || std::is_same_v<Rule, grammar::set> ||
    std::is_same_v<Rule, grammar::binder>;

template <typename Rule>
constexpr SyntaxKind kind_of = SyntaxKind::chain;
template <>
constexpr SyntaxKind kind_of<grammar::infix> = SyntaxKind::infix;
template <>
constexpr SyntaxKind kind_of<grammar::arithmetic_infix> = SyntaxKind::infix;
template <>
constexpr SyntaxKind kind_of<grammar::prefix> = SyntaxKind::prefix;
template <>
constexpr SyntaxKind kind_of<grammar::number> = SyntaxKind::number;
template <>
constexpr SyntaxKind kind_of<grammar::reference> = SyntaxKind::reference;
template <>
constexpr SyntaxKind kind_of<grammar::name> = SyntaxKind::name;
template <>
constexpr SyntaxKind kind_of<grammar::index> = SyntaxKind::index;
template <>
constexpr SyntaxKind kind_of<grammar::arguments> = SyntaxKind::arguments;
template <>
constexpr SyntaxKind kind_of<grammar::parenthesised> = SyntaxKind::parenthesised;
template <>
constexpr SyntaxKind kind_of<grammar::binder> = SyntaxKind::binder;
template <>
constexpr SyntaxKind kind_of<grammar::quantifier> = SyntaxKind::binder_word;
template <>
constexpr SyntaxKind kind_of<grammar::accumulator> = SyntaxKind::binder_word;
template <>
constexpr SyntaxKind kind_of<grammar::bound_name> = SyntaxKind::bound_name;
template <>
constexpr SyntaxKind kind_of<grammar::domain_word> = SyntaxKind::domain_word;
template <>
constexpr SyntaxKind kind_of<grammar::set> = SyntaxKind::set;
template <>
constexpr SyntaxKind kind_of<grammar::range> = SyntaxKind::range;

template <typename Rule>
using selector = p::parse_tree::selector<
    Rule, p::parse_tree::store_content::on<
              grammar::chain, grammar::arithmetic, grammar::infix, grammar::arithmetic_infix, grammar::prefix,
              grammar::number, grammar::reference, grammar::name, grammar::index, grammar::arguments,
              grammar::parenthesised, grammar::binder, grammar::quantifier, grammar::accumulator,
              grammar::bound_name, grammar::domain_word, grammar::set, grammar::range>>;

struct Node : p::parse_tree::basic_node<Node> {
    SyntaxKind kind = SyntaxKind::root;

    template <typename Rule, typename Input, typename... States>
    void start(const Input& in, States&&... states) {
        kind = kind_of<Rule>;
        p::parse_tree::basic_node<Node>::template start<Rule>(in, states...);
    }
};

template <typename Rule>
constexpr Expected expected = Expected::operand;
template <>
constexpr Expected expected<grammar::close_round> = Expected::close_round;
template <>
constexpr Expected expected<grammar::close_square> = Expected::close_square;
template <>
constexpr Expected expected<grammar::close_curly> = Expected::close_curly;
template <>
constexpr Expected expected<grammar::bound_name> = Expected::bound_name;
template <>
constexpr Expected expected<grammar::in_word> = Expected::in_word;
template <>
constexpr Expected expected<grammar::domain> = Expected::domain;
template <>
constexpr Expected expected<grammar::colon> = Expected::colon;
template <>
constexpr Expected expected<grammar::end_of_text> = Expected::end_of_text;

struct Progress {
    const SourceText& source;
    const char* begin;
    int nesting = 0;
};

/// Counts brackets, so that the stack is never at risk, and turns failures into explanations.
template <typename Rule>
struct control : p::normal<Rule> {
    template <typename Input>
    static void start(const Input& in, Progress& progress) {
        if constexpr (is_bracket<Rule>) {
            // a rule starts where it might match; the count is right for those that do, and one too many
            // for those that fail at once
            if (++progress.nesting > max_nesting + 1) {
                const auto at = static_cast<std::size_t>(in.current() - progress.begin);
                fail_at(progress.source, {at, at + 1},
                        fmt::format("brackets and binders are nested more than {} deep; write the "
                                    "statement with fewer",
                                    max_nesting));
            }
        }
    }
    template <typename Input>
    static void success(const Input&, Progress& progress) {
        if constexpr (is_bracket<Rule>) --progress.nesting;
    }
    template <typename Input>
    static void failure(const Input&, Progress& progress) {
        if constexpr (is_bracket<Rule>) --progress.nesting;
    }
    template <typename Input>
    [[noreturn]] static void raise(const Input& in, Progress& progress) {
        explain_syntax_error(progress.source, expected<Rule>,
                             static_cast<std::size_t>(in.current() - progress.begin));
    }
};

Syntax convert(const Node& node, const char* begin) {
    Syntax result;
    result.kind = node.kind;
    if (!node.is_root())
        result.where = {static_cast<std::size_t>(node.m_begin.data - begin),
                        static_cast<std::size_t>(node.m_end.data - begin)};
    result.children.reserve(node.children.size());
    for (const auto& child : node.children) result.children.push_back(convert(*child, begin));
    return result;
}

template <typename Rule>
Syntax parse(const SourceText& source) {
    const auto text = source.text();
    p::memory_input<> in(text.data(), text.data() + text.size(), "");
    Progress progress{source, text.data()};
    const auto root = p::parse_tree::parse<Rule, Node, selector, p::nothing, control>(in, progress);
    return convert(*root, text.data());
}

}  // namespace

Syntax parse_statement_syntax(const SourceText& source) {
    return parse<grammar::statement>(source);
}

Syntax parse_parameter_syntax(const SourceText& source) {
    return parse<grammar::parameter>(source);
}

}  // namespace crosshead
