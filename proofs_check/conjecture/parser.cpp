#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/conjecture/constants.hpp>
#include <crosshead/proofs_check/conjecture/elaborate.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <crosshead/proofs_check/conjecture/statement.hpp>
#include <set>
#include <utility>

namespace crosshead {
namespace {

/// Whether a domain speaks of the system or of variables.
bool names_occur(const SourceText& source, const Syntax& item) {
    if (item.kind == SyntaxKind::name) {
        const auto text = source.text().substr(item.where.begin, item.where.end - item.where.begin);
        return find_function(text) == nullptr;
    }
    return std::any_of(item.children.begin(), item.children.end(),
                       [&](const Syntax& child) { return names_occur(source, child); });
}

bool occurs_free(const SourceText& source, const Syntax& item, std::string_view name) {
    const auto is_name = [&](const Syntax& leaf) {
        return canonical_name(source.text().substr(leaf.where.begin, leaf.where.end - leaf.where.begin)) ==
               name;
    };
    if (item.kind == SyntaxKind::name) return is_name(item);
    if (item.kind == SyntaxKind::binder && is_name(item.children[1]))
        return occurs_free(source, item.children[2], name);
    return std::any_of(item.children.begin(), item.children.end(),
                       [&](const Syntax& child) { return occurs_free(source, child, name); });
}

std::vector<Rational> values_of_range(const SourceText& source, SourceRange where, const Rational& first,
                                      const Rational& last) {
    if (first > last) fail_at(source, where, "the range is empty; its first end must not exceed its last");
    if (last - first >= max_parameter_values)
        fail_at(
            source, where,
            fmt::format("a parameter takes at most {} values; write a shorter range", max_parameter_values));
    std::vector<Rational> values;
    for (Rational value = first; value <= last; ++value) values.push_back(value);
    return values;
}

/// The values of a set or range of constants; nothing for other domains.
std::optional<std::vector<Rational>> constant_domain(const SourceText& source, const Syntax& domain) {
    if (domain.kind == SyntaxKind::domain_word || names_occur(source, domain)) return std::nullopt;
    Variables none;
    std::vector<Term> terms;
    const auto kind = Elaborator(source, none).domain(domain, terms);
    std::vector<Rational> values;
    for (const auto& term : terms) {
        if (!term.constant) return std::nullopt;
        values.push_back(*term.constant);
    }
    if (kind == DomainKind::range) return values_of_range(source, domain.where, values[0], values[1]);
    if (values.size() > max_parameter_values)
        fail_at(source, domain.where,
                fmt::format("a parameter takes at most {} values; leave some out", max_parameter_values));
    std::set<Rational> seen;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!seen.insert(values[i]).second)
            fail_at(source, terms[i].expression.where,
                    fmt::format("{} stands twice in the set; remove one", to_string(values[i])));
    return values;
}

/// Reads the parameters of one statement, then the statement.
class StatementReader {
  public:
    explicit StatementReader(const SourceText& statement) : statement_(statement) {}

    void declare(const SourceText& text) {
        check_characters(text);
        const Syntax root = parse_parameter_syntax(text);
        const auto& name = root.children[0];
        auto values = constant_domain(text, root.children[1]);
        if (!values)
            fail_at(
                text, root.children[1].where,
                "the values of a parameter are constants; write `eps in {1/2, 1/4}` or `k in 1..5`, or bind "
                "the variable in the statement: `forall k in 1..n: …`");
        add_parameter(text, name.where, name_at(text, name.where), std::move(*values));
    }

    Conjecture read(const std::vector<Rational>& default_epsilons) {
        check_characters(statement_);
        const Syntax root = parse_statement_syntax(statement_);
        const Syntax* body = &root.children[0];
        while (const Syntax* inside = leading_parameter(*body)) body = inside;
        const auto is_epsilon = [](const Parameter& parameter) { return parameter.name == "eps"; };
        if (std::none_of(variables_.parameters.begin(), variables_.parameters.end(), is_epsilon) &&
            occurs_free(statement_, *body, "eps")) {
            if (default_epsilons.empty())
                fail_at(statement_, body->where, "eps has no values; give some with `eps in {1/2, 1/4}`");
            add_parameter(statement_, body->where, "eps", default_epsilons);
        }
        Term whole = Elaborator(statement_, variables_).term(*body);
        if (whole.expression.type != Type::boolean)
            fail_at(statement_, whole.expression.where,
                    "this is a number; a conjecture is a statement such as `tmix(eps) <= 2*N/p`");
        refuse_unused();
        Conjecture result;
        result.text = std::string(statement_.text());
        result.root = std::move(whole.expression);
        result.parameters = std::move(variables_.parameters);
        result.slot_names = std::move(variables_.slot_names);
        number(result.root, result.node_count);
        return result;
    }

  private:
    struct Origin {
        SourceText source;
        SourceRange where;
    };

    static void number(Expression& expression, int& next) {
        expression.id = next++;
        for (auto& operand : expression.operands) number(operand, next);
    }

    static std::string name_at(const SourceText& source, SourceRange where) {
        return canonical_name(source.text().substr(where.begin, where.end - where.begin));
    }

    void add_parameter(const SourceText& source, SourceRange where, const std::string& name,
                       std::vector<Rational> values) {
        const int slot = variables_.bind(name, source, where);
        variables_.parameters.push_back({name, slot, std::move(values)});
        origins_.push_back({source, where});
    }

    /// The body of a leading "forall x in {constants}:", whose variable becomes a parameter; else nullptr.
    const Syntax* leading_parameter(const Syntax& chain) {
        const Syntax* item = &chain;
        while (item->kind == SyntaxKind::chain || item->kind == SyntaxKind::parenthesised) {
            if (item->children.size() != 1) return nullptr;
            item = &item->children[0];
        }
        if (item->kind != SyntaxKind::binder) return nullptr;
        const auto word = name_at(statement_, item->children[0].where);
        if (word != "forall" && word != "∀") return nullptr;
        auto values = constant_domain(statement_, item->children[2]);
        if (!values) return nullptr;
        const auto where = item->children[1].where;
        add_parameter(statement_, where, name_at(statement_, where), std::move(*values));
        return &item->children[3];
    }

    void refuse_unused() const {
        for (std::size_t i = 0; i < origins_.size(); ++i)
            if (!variables_.used[i])
                fail_at(origins_[i].source, origins_[i].where,
                        fmt::format("the statement{} does not use the parameter {}; use it, or remove it",
                                    statement_.numbered ? " at " + place_of(statement_, 0) : "",
                                    variables_.parameters[i].name));
    }

    const SourceText& statement_;
    Variables variables_;
    std::vector<Origin> origins_;  // of the parameters
};

}  // namespace

Conjecture parse_statement(const SourceText& statement, const std::vector<SourceText>& parameters,
                           const std::vector<Rational>& default_epsilons) {
    StatementReader reader(statement);
    for (const auto& parameter : parameters) reader.declare(parameter);
    return reader.read(default_epsilons);
}

Conjecture parse_conjecture(std::string_view text, std::string_view place,
                            const std::vector<std::string>& parameters,
                            const std::vector<Rational>& default_epsilons) {
    std::vector<SourceText> declared;
    for (const auto& parameter : parameters)
        declared.push_back(
            whole_text(parameter, fmt::format("{}, parameter {}", place, declared.size() + 1)));
    return parse_statement(whole_text(text, place), declared, default_epsilons);
}

}  // namespace crosshead
