// Conjectures: precedence, names, types, the errors with their carets.
#include <gtest/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/conjecture/diagnostics.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>

#include "conjecture_trees.hpp"

namespace crosshead {
namespace {

using testing::full_text;

/// The tree with every operation in parentheses.
std::string shape(std::string_view text, const std::vector<std::string>& parameters = {}) {
    const auto parsed = parse_conjecture(text, "here", parameters);
    return full_text(parsed.root, parsed.slot_names);
}

std::string canonical(std::string_view text) {
    const auto parsed = parse_conjecture(text, "here");
    return to_text(parsed.root, parsed.slot_names);
}

std::string error_of(std::string_view text, const std::vector<std::string>& parameters = {}) {
    try {
        parse_conjecture(text, "here", parameters);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// The code points of the source line that stand over the caret line, the last two lines of a message.
std::string underlined(const std::string& message) {
    const auto caret_begin = message.rfind('\n') + 1;
    const auto line_begin = message.rfind('\n', caret_begin - 2) + 1;
    const std::string line = message.substr(line_begin, caret_begin - 1 - line_begin);
    const std::string caret = message.substr(caret_begin);
    std::string result;
    std::size_t column = 0;
    for (std::size_t at = 0; at < line.size(); ++column) {
        const std::size_t length = utf8_length(line, at);
        if (column < caret.size() && caret[column] != ' ') result += line.substr(at, length);
        at += length;
    }
    return result;
}

TEST(ConjecturePrecedence, OperatorsBindAsDocumented) {
    EXPECT_EQ(shape("1 + 2 * 3 - 4 < n"), "(((1 + (2 * 3)) - 4) < n)");
    EXPECT_EQ(shape("1 - 2 - 3 < 8 / 4 / n"), "(((1 - 2) - 3) < ((8 / 4) / n))");
    EXPECT_EQ(shape("-2^2 < n"), "((-(2^2)) < n)");
    EXPECT_EQ(shape("-2*n < n"), "(((-2) * n) < n)");
    EXPECT_EQ(shape("2^3^n < n"), "((2^(3^n)) < n)");
    EXPECT_EQ(shape("2^-3^n * 5 < n"), "(((2^(-(3^n))) * 5) < n)");
    EXPECT_EQ(shape("n - -1 < --n"), "((n - (-1)) < (-(-n)))");
    EXPECT_EQ(shape("true or false and not n < 1 or true"), "((true or (false and (not (n < 1)))) or true)");
    EXPECT_EQ(shape("true => false => n < 1 or true"), "(true => (false => ((n < 1) or true)))");
    EXPECT_EQ(shape("not not true and false"), "((not (not true)) and false)");
    EXPECT_EQ(shape("(n + 1) * 2 = (3)"), "(((n + 1) * 2) == 3)");
}

TEST(ConjecturePrecedence, BindersExtendAsFarAsTheyCan) {
    EXPECT_EQ(shape("true and forall j in nodes: phi_node(j) > 0 => n > 1"),
              "(true and (forall j in nodes: ((phi_node(j) > 0) => (n > 1))))");
    EXPECT_EQ(shape("(exists j in nonsink: attained(j)) or true"),
              "((exists j in nonsink: attained(j)) or true)");
    EXPECT_EQ(shape("sum h in heads: alpha[h] * p[h] + 1 <= p and true"),
              "(((sum h in heads: ((alpha[h] * p[h]) + 1)) <= p) and true)");
    EXPECT_EQ(shape("2 * max h in heads: p[h] - 1 > n"), "((2 * (max h in heads: (p[h] - 1))) > n)");
    EXPECT_EQ(shape("min(1, n) < min k in {1, 2}: k"), "(min(1, n) < (min k in {1, 2}: k))");
    EXPECT_EQ(shape("prod h in heads: p[h] < 1"), "((prod h in heads: p[h]) < 1)");
    EXPECT_EQ(shape("exists t in 0..2*n+1: d(t) < 1"), "(exists t in 0..((2 * n) + 1): (d(t) < 1))");
}

TEST(ConjectureSpelling, UnicodeAndEqualsSign) {
    EXPECT_EQ(canonical("∀h∈heads: ¬(φ ≥ 2·p[h]) ∨ n ≠ 3 ∧ n ≤ 4 ⇒ n = 3"),
              "forall h in heads: not phi >= 2*p[h] or n != 3 and n <= 4 => n == 3");
    EXPECT_EQ(canonical("∃ j in nodes: φ_node(j) − 1 < tmix(ε)"),
              "exists j in nodes: phi_node(j) - 1 < tmix(eps)");
    EXPECT_EQ(canonical("n # nodes\n  <\n# heads\n H"), "n < H");
}

TEST(ConjectureNumbers, AreExact) {
    const auto root = parse_conjecture("0.06 < 15e-1", "here").root;
    EXPECT_EQ(root.operands[0].value, Rational(3, 50));
    EXPECT_EQ(root.operands[1].value, Rational(3, 2));
    EXPECT_EQ(canonical("1e-3 < 2.50"), "0.001 < 2.5");
    EXPECT_EQ(canonical("15e-9001 < 1e9001"), "15e-9001 < 1e9001");
    EXPECT_EQ(underlined(error_of("n < 1e10001")), "1e10001");
}

TEST(ConjectureTree, IdsSlotsAndPlaces) {
    const auto parsed =
        parse_conjecture("n < 1 and forall h in heads: p[h] < eps + k", "here", {"k in 1..2"});
    ASSERT_EQ(parsed.slot_names, (std::vector<std::string>{"k", "eps", "h"}));
    EXPECT_EQ(parsed.node_count, 11);
    const auto& binder = parsed.root.operands[1];
    EXPECT_EQ(parsed.root.id, 0);
    EXPECT_EQ(parsed.root.operands[0].id, 1);
    EXPECT_EQ(binder.id, 4);
    EXPECT_EQ(binder.slot, 2);
    EXPECT_EQ(binder.operands[0].operands[1].id, 8);
    EXPECT_EQ(parsed.text.substr(binder.where.begin, binder.where.end), "forall h in heads: p[h] < eps + k");
    EXPECT_EQ(binder.operands[0].operands[0].heads, HeadChoice::one);
}

TEST(ConjectureParameters, DeclaredLeadingAndDefault) {
    const auto parsed = parse_conjecture("forall j in {0, 1}: (forall t in 1..2^2: signal(t, j) <= eps + c)",
                                         "here", {"c in {1/2, 0.25}"});
    ASSERT_EQ(parsed.parameters.size(), 4u);
    EXPECT_EQ(parsed.slot_names, (std::vector<std::string>{"c", "j", "t", "eps"}));
    EXPECT_EQ(parsed.parameters[0].values, (std::vector<Rational>{Rational(1, 2), Rational(1, 4)}));
    EXPECT_EQ(parsed.parameters[2].values, (std::vector<Rational>{1, 2, 3, 4}));
    EXPECT_EQ(parsed.parameters[3].values.size(), 4u);
    EXPECT_EQ(parsed.parameters[3].slot, 3);
    EXPECT_EQ(parsed.root.operation, Operation::less_equal);
    // what depends on the system, or stands further in, stays a binder
    EXPECT_TRUE(parse_conjecture("forall t in 0..n: d(t) > 0", "here").parameters.empty());
    EXPECT_TRUE(parse_conjecture("n > 1 and forall t in 0..3: d(t) > 0", "here").parameters.empty());
    EXPECT_TRUE(parse_conjecture("exists t in 0..3: d(t) > 0", "here").parameters.empty());
    EXPECT_TRUE(parse_conjecture("exists eps in {1}: tmix(eps) > 0", "here").parameters.empty());
    EXPECT_EQ(parse_conjecture("tmix(ε) > 0", "here", {"ε in {1}"}).parameters.size(), 1u);
}

TEST(ConjectureParameters, Errors) {
    EXPECT_EQ(error_of("k < n", {"k in {1, 2"}),
              "here, parameter 1: this `{` is never closed; add `}`\n"
              "    k in {1, 2\n"
              "         ^");
    const auto check = [](std::string_view text, const std::vector<std::string>& parameters,
                          const std::string& needle, const std::string& under) {
        const auto message = error_of(text, parameters);
        EXPECT_NE(message.find(needle), std::string::npos) << message;
        EXPECT_EQ(underlined(message), under) << message;
    };
    check("n < 1", {"k in 1..5"}, "does not use the parameter k", "k");
    check("n < N", {"N in 1..5"}, "`N` is a quantity", "N");
    check("k < n", {"k in 1..5", "k in 1..6"}, "k is bound twice", "k");
    check("forall k in 1..5: k < n", {"k in 1..6"}, "it is a parameter already", "k");
    check("n < k", {"k in heads"}, "are constants", "heads");
    check("n < k", {"k in 1..n"}, "are constants", "1..n");
    check("n < k", {"k in 7"}, "`7` is not a domain", "7");
    check("n < k", {"k in 5..1"}, "the range is empty", "5..1");
    check("n < k", {"k in {}"}, "the set is empty", "{}");
    check("n < k", {"k in 1..10001"}, "at most 10000 values", "1..10001");
    check("n < k", {"k in {1/2, 0.5}"}, "1/2 stands twice", "0.5");
    check("n < k", {"k in 1/2..3"}, "integers, and this is 1/2", "1/2");
    check("n < k", {"in {1}"}, "begins with its name", "in");
    check("tmix(k) < n", {"k in {1, 0}"}, "epsilon must be > 0, and this is 0", "k");
    check("d(k) < n", {"k in {1, 1/2}"}, "an integer >= 0, and this is 1/2", "k");
    check("phi_node(k) < n", {"k in {1, -1}"}, "nodes are numbered", "k");
    check("binomial_tail(n, k, n) < n", {"k in {1/2, 2}"}, "0 <= p <= 1, and this is 2", "k");
    EXPECT_EQ(parse_conjecture("n < k", "here", {"k in 1..10000"}).parameters[0].values.size(), 10000u);
}

struct Mistake {
    std::string text, underlined, needle;
};

void expect_mistakes(const std::vector<Mistake>& mistakes) {
    for (const auto& [text, under, needle] : mistakes) {
        const auto message = error_of(text);
        EXPECT_NE(message.find(needle), std::string::npos) << text << "\n" << message;
        EXPECT_EQ(underlined(message), under) << message;
    }
}

const std::vector<Mistake> syntax_mistakes = {
    {"tmix(2) <", "<", "an expression is missing after `<`"},
    {"n < 3 and", "and", "an expression is missing after `and`"},
    {"n < * 3", "<", "missing after `<` before `*`"},
    {"min(n,) < 3", ",", "missing after `,`"},
    {"n < -", "-", "missing after `-`"},
    {"* n", "*", "cannot begin with `*`"},
    {"", "", "the statement is empty"},
    {"# n", "#", "the statement is empty"},
    {"(n < 3", "(", "never closed"},
    {"n < (2 + (3)", "(", "never closed"},
    {"tmix(1/4 < 3", "(", "never closed"},
    {"p[0 < 3", "[", "never closed"},
    {"n < 3)", ")", "closes nothing"},
    {"n < (3]", "(", "closed by `]`; it needs `)`"},
    {"n < N < H", "n < N < H", "write `n < N and N < H`"},
    {"n+1 = N == H and true", "n+1 = N == H", "write `n+1 = N and N == H`"},
    {"n < 3 && true", "&&", "write `and`"},
    {"n < 3 || true", "||", "write `or`"},
    {"!true", "!", "write `not`"},
    {"true -> true", "->", "write `=>`"},
    {"true ==> true", "==>", "write `=>`"},
    {"true <=> true", "<=>", "(a => b) and (b => a)"},
    {"true iff true", "iff", "(a => b) and (b => a)"},
    {"n <> 3", "<>", "write `!=`"},
    {"n =< 3", "=<", "write `<=`"},
    {"n ** 2 < 3", "**", "write `^`"},
    {"n ≲ 3", "≲", "write `<=`"},
    {"if n < 3 then true", "if", "a => b"},
    {"n < 3 AND true", "AND", "lower case: `and`"},
    {"2n < 3", "2n", "write `2 * n`"},
    {"2(n + 1) < 3", "(", "write `2 * (…)`"},
    {"n N < 3", "N", "write `n * N`"},
    {"1.5.2 < n", "1.5.2", "one decimal point"},
    {".5 < n", ".", "write `0.5`"},
    {"5. < n", ".", "write `5` or `5.0`"},
    {"n .. 3", "..", "is a domain"},
    {"n < 3, true", ",", "write `and`"},
    {"n < 3: true", ":", "belongs to a binder"},
    {"tmix(1/4)[0] < 3", "[", "write `tmix[h](1/4)`"},
    {"n < {1}", "<", "missing after `<`"},
    {"n < 3 @", "@", "was not expected"},
    {"forall in heads: true", "forall", "name of a variable is missing"},
    {"sum(h in heads) < 3", "sum", "write `sum h in heads: …`"},
    {"min < 3", "min", "`min(a, b)`"},
    {"forall h, g in heads: true", ",", "one variable"},
    {"forall h: true", ":", "`in` and a domain are missing"},
    {"forall h in : true", ":", "a domain is missing"},
    {"forall h in heads true", "true", "`:` is missing"},
    {"forall h in head: true", "head", "did you mean heads?"},
    {"forall h in {1 2}: true", "2", "`,` or `}` is missing"},
    {"φ·φ ≥ (φ ≤ 3", "(", "never closed"},
};

TEST(ConjectureErrors, SyntaxPointsAtThePlaceAndNamesTheRemedy) {
    expect_mistakes(syntax_mistakes);
}

const std::vector<Mistake> meaning_mistakes = {
    {"tmx(1) < 3", "tmx", "unknown name \"tmx\"; did you mean tmix?"},
    {"phi_nod(0) < 3", "phi_nod", "did you mean phi_node?"},
    {"forall head in heads: p[hed] < 3", "hed", "hed is not bound"},
    {"forall foot in nodes: fot < 3", "fot", "did you mean foot?"},
    {"T_mix(1) < 3", "T_mix", "write tmix(eps)"},
    {"log(n) < 3", "log", "write ln(x)"},
    {"wombat < 3", "wombat", "there are the quantities n, N, H, alpha[h]"},
    {"p[h] < 3", "h", "h is not bound; write `forall h in heads: …`"},
    {"(forall h in heads: p[h] < 1) and p[h] < 1", "h", "h is not bound"},
    {"phi_node(j) < 3", "j", "write `forall j in nodes: …`"},
    {"d(t) < 3", "t", "t is not bound"},
    {"forall n in nodes: true", "n", "`n` is a quantity"},
    {"forall max in nodes: true", "max", "`max` is a function"},
    {"forall heads in nodes: true", "heads", "a word of the language"},
    {"forall h in heads: exists h in heads: p[h] < 1", "h", "h is bound twice"},
    {"n", "n", "this is a number; a conjecture is a statement such as"},
    {"n + 1", "n + 1", "this is a number"},
    {"n + true < 3", "true", "`+` needs a number"},
    {"n and true", "n", "`and` needs a statement"},
    {"not n", "n", "`not` needs a statement"},
    {"-true < n", "true", "`-` needs a number"},
    {"true == false", "true", "`==` needs a number"},
    {"forall h in heads: p[h]", "p[h]", "the body of `forall` needs a statement"},
    {"(sum h in heads: true) < 3", "true", "the body of `sum` needs a number"},
    {"abs(true) < 3", "true", "abs needs a number"},
    {"p[true] < 3", "true", "`[…]` needs a number"},
    {"d(true) < 3", "true", "the argument of d needs a number"},
    {"forall x in {true}: x < 3", "true", "a set needs a number"},
    {"forall x in 0..true: x < 3", "true", "a range needs a number"},
    {"n[0] < 3", "[0]", "of the whole system"},
    {"heads_commute[0]", "[0]", "of the whole system"},
    {"alpha < 3", "alpha", "write `alpha[h]`"},
    {"alpha[best] < 3", "[best]", "neither large nor small is better"},
    {"edges[worst] < 3", "[worst]", "neither large nor small is better"},
    {"p_mix[best] < 3", "[best]", "of the whole system"},
    {"p[-1] < 3", "-1", "heads are numbered"},
    {"p[1/2] < 3", "1/2", "heads are numbered"},
    {"abs[0](n) < 3", "[0]", "has no heads"},
    {"tmix < 3", "tmix", "takes 1 argument, and none is given; write `tmix(eps)`"},
    {"tmix(1, 2) < 3", "tmix(1, 2)", "and 2 are given"},
    {"edge(0)", "edge(0)", "write `edge(i, j)`"},
    {"n(3) < 3", "(3)", "write `n * (…)`"},
    {"true(3)", "(3)", "takes no arguments"},
    {"exists k in nodes: k(3) < 3", "(3)", "k is a variable"},
    {"exists k in nodes: k[3] < 3", "[3]", "k is a variable"},
    {"min() < 3", "min()", "at least 1 argument"},
    {"choose(n) < 3", "choose(n)", "takes 2 arguments"},
    {"heads < 3", "heads", "write H"},
    {"tmix(0) < 3", "0", "epsilon must be > 0, and this is 0; d(t) < 0 never happens"},
    {"tmix(1/2 - 1) < 3", "1/2 - 1", "this is -1/2"},
    {"tmix[0](0) < 3", "0", "epsilon must be > 0"},
    {"d(-1) < 3", "-1", "an integer >= 0"},
    {"phi_node(0.5) < 3", "0.5", "nodes are numbered"},
    {"1/0 < n", "0", "division by zero"},
    {"n/(2 - 2^1) < n", "(2 - 2^1)", "division by zero"},
    {"0^-1 < n", "0^-1", "division by zero"},
    {"n^(1/2) < n", "(1/2)", "must be an integer"},
    {"ln(0) < n", "0", "needs x > 0"},
    {"sqrt(-1) < n", "-1", "needs x >= 0"},
    {"binomial_tail(n, 3/2, n) < n", "3/2", "0 <= p <= 1, and this is 3/2"},
    {"binomial_tail(-1, p, n) < n", "-1", "an integer t >= 0"},
    {"choose(1/2, n) < n", "1/2", "an integer m >= 0"},
    {"exists t in 0..1/2: d(t) < 1", "1/2", "the ends of a range are integers"},
};

TEST(ConjectureErrors, NamesTypesAndConstants) {
    expect_mistakes(meaning_mistakes);
}

TEST(ConjectureErrors, LegalNeighbours) {
    for (const auto* text : {"tmix(2.5) < 3", "0^0 < n", "1/(n - n) < 3", "binomial_tail(n, 1, 0) < n",
                             "d(0) < 3", "p[best] < p[worst]", "tmix[best](1) < 3", "ln(1/100) < n",
                             "sqrt(0) < n", "edge(0, 1) => N - 1 < n", "n<-1"})
        EXPECT_EQ(error_of(text), "no error") << text;
}

TEST(ConjectureErrors, WholeMessages) {
    EXPECT_EQ(error_of("n ≥ 1 and\n  φ ≤ tmx(1/4) # late\n"),
              "here, line 2: unknown name \"tmx\"; did you mean tmix?\n"
              "      φ ≤ tmx(1/4) # late\n"
              "          ^~~");
    EXPECT_EQ(error_of("n\t<\ttmx(1)"),
              "here: unknown name \"tmx\"; did you mean tmix?\n    n < tmx(1)\n        ^~~");
    // long lines are cut around the caret
    const auto message =
        error_of("n + " + std::string(1000, ' ') + "tmx(1) < " + std::string(1000, ' ') + "3");
    EXPECT_LT(message.size(), 300u);
    EXPECT_EQ(underlined(message), "tmx");
}

}  // namespace
}  // namespace crosshead
