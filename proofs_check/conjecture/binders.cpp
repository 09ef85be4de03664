// Binders and the domains that their variables run over.
#include <fmt/format.h>

#include <crosshead/proofs_check/conjecture/constants.hpp>
#include <crosshead/proofs_check/conjecture/elaborate.hpp>
#include <utility>

namespace crosshead {
namespace {

Operation operation_of(std::string_view word) {
    if (word == "forall" || word == "∀") return Operation::for_all;
    if (word == "exists" || word == "∃") return Operation::exists;
    if (word == "sum") return Operation::sum;
    if (word == "prod") return Operation::product;
    return word == "min" ? Operation::least : Operation::largest;
}

}  // namespace

Term Elaborator::binder(const Syntax& item) {
    const auto& word = item.children[0];
    const auto& name = item.children[1];
    Expression root;
    root.operation = operation_of(shown(word.where));
    const bool quantifier = root.operation == Operation::for_all || root.operation == Operation::exists;
    root.type = quantifier ? Type::boolean : Type::number;
    root.where = item.where;
    std::vector<Term> operands;
    root.domain = domain(item.children[2], operands);  // outside the scope of the variable
    root.slot = variables_.bind(canonical_name(shown(name.where)), source_, name.where);
    operands.push_back(term(item.children[3]));
    variables_.unbind();
    require(root.type, operands.back(), fmt::format("the body of `{}`", shown(word.where)));
    return build(std::move(root), std::move(operands));
}

DomainKind Elaborator::domain(const Syntax& item, std::vector<Term>& bounds) {
    if (item.kind == SyntaxKind::domain_word) {
        const auto word = shown(item.where);
        return word == "heads" ? DomainKind::heads
                               : (word == "nodes" ? DomainKind::nodes : DomainKind::nodes_but_sink);
    }
    if (item.kind == SyntaxKind::range) return range(item, bounds);
    if (item.children.empty()) fail(item.where, "the set is empty; write {x, y, …}");
    for (const auto& element : item.children) bounds.push_back(number(element, "a set"));
    return DomainKind::set;
}

DomainKind Elaborator::range(const Syntax& item, std::vector<Term>& bounds) {
    if (item.children.size() == 1) {
        constexpr std::string_view words[] = {"heads", "nodes", "nonsink"};
        auto advice = did_you_mean(shown(item.where), words);
        if (const auto* found = find_quantity(shown(item.where)); found != nullptr)
            advice =
                found->id == QuantityId::heads ? "did you mean heads?" : "did you mean a range up to it?";
        fail(item.where, fmt::format("`{}` is not a domain; {}{}there are heads, nodes, nonsink, a..b and "
                                     "{{x, y, …}}",
                                     shown(item.where), advice, advice.empty() ? "" : " "));
    }
    for (const auto& end : item.children) {
        bounds.push_back(number(end, "a range"));
        for (const auto& value : known_values(bounds.back()))
            if (!is_integer(value))
                fail(end.where,
                     fmt::format("the ends of a range are integers, and this is {}; use {{x, y, …}} for "
                                 "other values",
                                 to_string(value)));
    }
    return DomainKind::range;
}

}  // namespace crosshead
