// What stands in the text, before names and types: the outcome of the grammar.
#pragma once

#include <crosshead/proofs_check/conjecture/diagnostics.hpp>
#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <vector>

namespace crosshead {

/// Brackets and binders inside one another, at most: what bounds the recursion of the grammar.
inline constexpr int max_nesting = 200;

enum class SyntaxKind {
    root,           // children: a chain; of a parameter: bound_name, then a domain
    chain,          // prefixes, operands and infixes in the order of the text
    infix,          // leaf
    prefix,         // leaf
    number,         // leaf
    reference,      // name, then index and arguments where they are given
    name,           // leaf
    index,          // one chain
    arguments,      // chains
    parenthesised,  // one chain
    binder,         // binder_word, bound_name, a domain, and the body as a chain
    binder_word,    // leaf
    bound_name,     // leaf
    domain_word,    // leaf
    set,            // chains
    range           // one or two chains: without ".." it is no domain yet
};

struct Syntax {
    SyntaxKind kind = SyntaxKind::root;
    SourceRange where;
    std::vector<Syntax> children;
};

/// What the grammar was looking for where it gave up.
enum class Expected {
    operand,
    close_round,
    close_square,
    close_curly,
    bound_name,
    in_word,
    domain,
    colon,
    end_of_text
};

/// Reads the window of `source` (which has passed check_characters). Throws InputError.
Syntax parse_statement_syntax(const SourceText& source);
Syntax parse_parameter_syntax(const SourceText& source);

/// Says what is missing or wrong at byte `offset` of the window, and what to write instead.
[[noreturn]] void explain_syntax_error(const SourceText& source, Expected expected, std::size_t offset);

}  // namespace crosshead
