// From syntax to typed expressions: precedence, names, types, and checks of constant arguments.
#pragma once

#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <crosshead/proofs_check/conjecture/names.hpp>
#include <crosshead/proofs_check/conjecture/syntax.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crosshead {

/// Nodes of a tree, and the longest way from its root to a leaf: evaluators may recurse.
inline constexpr int max_expression_nodes = 10'000;
inline constexpr int max_expression_depth = 500;

/// An expression with what is known about it while it is built.
struct Term {
    Expression expression;
    std::optional<Rational> constant;  // its value, where no name occurs in it
    int depth = 1;
};

/// The variables of a conjecture: each gets a slot of its own when it is bound.
struct Variables {
    struct Bound {
        std::string name;
        int slot;
    };
    std::vector<Bound> in_scope;
    std::vector<std::string> slot_names;
    std::vector<bool> used;             // by slot
    std::vector<Parameter> parameters;  // slots 0..size−1

    /// Refuses names that are reserved or bound already; `where` is a range of `source`.
    int bind(const std::string& name, const SourceText& source, SourceRange where);
    void unbind() { in_scope.pop_back(); }
};

/// Builds expressions from the syntax of one text. All members throw InputError.
class Elaborator {
  public:
    /// Borrows both; `variables` grows with every binder.
    Elaborator(const SourceText& source, Variables& variables) : source_(source), variables_(variables) {}

    /// A chain, of whatever type it is.
    Term term(const Syntax& chain);
    /// A chain that must be a number; `user` opens the message otherwise ("`[…]`", "the range").
    Term number(const Syntax& chain, std::string_view user);
    /// A domain; `bounds` gets the ends of a range, the elements of a set.
    DomainKind domain(const Syntax& item, std::vector<Term>& bounds);

  private:
    struct Cursor {
        const std::vector<Syntax>& items;
        std::size_t at = 0;
    };
    // elaborate.cpp: chains
    Term level(Cursor& cursor, int lowest);
    Term prefixed(Cursor& cursor);
    Term operand(const Syntax& item);
    Term literal(const Syntax& item);
    Term binary(const Syntax& symbol, Term left, Term right);
    // binders.cpp
    Term binder(const Syntax& item);
    DomainKind range(const Syntax& item, std::vector<Term>& bounds);
    // references.cpp
    Term reference(const Syntax& item);
    Term function(const FunctionInfo& info, const Syntax& item);
    Term quantity(const QuantityInfo& info, const Syntax& item);
    Term variable(const Variables::Bound& bound, const Syntax& item);
    void head_index(const QuantityInfo& info, const Syntax& item, Expression& built,
                    std::vector<Term>& operands);
    void check_argument(ArgumentKind kind, const Term& argument, std::string_view of);
    void check_function(const FunctionInfo& info, const std::vector<Term>& operands);
    /// Neither a word of the language nor a variable in scope.
    bool means_nothing(const std::string& name) const;
    [[noreturn]] void unknown(const std::string& name, const Syntax& item);
    [[noreturn]] void not_bound(const std::string& name, std::string_view domain, SourceRange where) const;

    /// Joins operands under `root`, counts nodes and depth, and folds constants on the side.
    Term build(Expression root, std::vector<Term> operands);
    /// Every value that a term is known to take: a constant, or the values of a parameter.
    std::vector<Rational> known_values(const Term& term) const;
    void require(Type type, const Term& term, std::string_view user) const;
    std::string_view shown(SourceRange where) const {
        return source_.text().substr(where.begin, where.end - where.begin);
    }
    [[noreturn]] void fail(SourceRange where, std::string_view message) const {
        fail_at(source_, where, message);
    }

    const SourceText& source_;
    Variables& variables_;
    int nodes_ = 0;
    int recursion_ = 0;
};

}  // namespace crosshead
