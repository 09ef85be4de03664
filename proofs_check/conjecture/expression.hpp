// The syntax tree of a conjecture: parsed, checked for types, ready to be evaluated (docs/conjectures.md).
#pragma once

#include <crosshead/graphs/rational.hpp>
#include <crosshead/proofs_check/conjecture/quantities.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace crosshead {

enum class Operation {
    // leaves
    constant,  // `value`
    variable,  // `slot`
    quantity,  // `quantity`, `heads`; operands: the head index where heads == one, then the arguments
    truth,     // true or false: `value` is 1 or 0
    // arithmetic; the number of operands in brackets
    negate,          // (1)
    add,             // (2)
    subtract,        // (2)
    multiply,        // (2)
    divide,          // (2) undefined where the divisor is 0
    power,           // (2) a^b for an integer b; 0^b is undefined for b < 0
    minimum,         // (≥ 1)
    maximum,         // (≥ 1)
    ceiling,         // (1)
    floor,           // (1)
    absolute,        // (1)
    logarithm,       // (1) ln, undefined for arguments ≤ 0
    exponential,     // (1)
    square_root,     // (1) undefined for arguments < 0
    binomial_tail,   // (3) t, p, k: P(Bin(t, p) < k); t, k integers, t ≥ 0, 0 ≤ p ≤ 1
    binomial,        // (2) choose(m, k) of integers, m ≥ 0; 0 for k outside 0..m
    // comparisons of two numbers
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    // logic
    logical_not,  // (1)
    logical_and,  // (2)
    logical_or,   // (2)
    implies,      // (2)
    // binders: `slot` runs over the domain; operands: what the domain needs, then the body last
    for_all,
    exists,
    sum,
    least,    // min h in heads: …
    largest,  // max h in heads: …
    product
};

/// Which head a quantity is of.
enum class HeadChoice {
    mixture,
    one,   // operands[0] is the index
    best,  // the best over heads, in the sense of QuantityInfo::better
    worst
};

/// What a bound variable runs over.
enum class DomainKind {
    heads,             // 0..H−1
    nodes,             // 0..n−1
    nodes_but_sink,    // "nonsink": 0..n−2
    range,             // a..b: operands[0], operands[1], integers, both included; empty where a > b
    set                // {x, y, …}: all operands but the last
};

/// Where a node stands in the text: characters [begin, end).
struct SourceRange {
    std::size_t begin = 0, end = 0;
};

struct Expression {
    Operation operation = Operation::constant;
    Type type = Type::number;
    SourceRange where;
    /// Number of the node in its conjecture, 0 at the root, in preorder: evaluators keep tables by it.
    int id = 0;
    Rational value = 0;                               // constant, truth
    int slot = -1;                                    // variable, binders
    QuantityId quantity = QuantityId::nodes;          // quantity
    HeadChoice heads = HeadChoice::mixture;           // quantity
    DomainKind domain = DomainKind::nodes;            // binders
    std::vector<Expression> operands;
};

/// A free variable that the conjecture is tested for, one value after another: "eps in {1/2, 1/4}".
struct Parameter {
    std::string name;
    int slot = 0;
    std::vector<Rational> values;
};

/// A whole statement.
struct Conjecture {
    std::string text;
    Expression root;  // of type boolean
    std::vector<Parameter> parameters;
    std::vector<std::string> slot_names;  // one for each variable, parameters first
    int node_count = 0;                   // ids are 0..node_count−1
};

}  // namespace crosshead
