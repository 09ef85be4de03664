// The grammar of conjectures, for PEGTL. Operators and operands come out as a flat chain, whose precedence
// elaborate.cpp resolves: a chain of any length needs no recursion, and each bracket costs few stack frames.
// Once an operator, a bracket or a binder has been read there is no way back (must): parsing is linear.
// Seen by syntax.cpp alone.
#pragma once

#include <tao/pegtl.hpp>

namespace crosshead::grammar {

namespace p = tao::pegtl;

struct comment : p::seq<p::one<'#'>, p::star<p::not_one<'\n'>>> {};
struct gap : p::star<p::sor<p::space, p::utf8::one<0x00a0>, comment>> {};

// names: ASCII identifiers, and φ ϕ ε ϵ α β, which names.cpp spells out
struct greek : p::utf8::one<0x03c6, 0x03d5, 0x03b5, 0x03f5, 0x03b1, 0x03b2> {};
struct name_begin : p::sor<p::ranges<'a', 'z', 'A', 'Z', '_'>, greek> {};
struct name_character : p::sor<p::ranges<'a', 'z', 'A', 'Z', '0', '9', '_'>, greek> {};
template <typename Text>
struct word : p::seq<Text, p::not_at<name_character>> {};

struct word_and : word<TAO_PEGTL_STRING("and")> {};
struct word_or : word<TAO_PEGTL_STRING("or")> {};
struct word_not : word<TAO_PEGTL_STRING("not")> {};
struct in_word : p::sor<word<TAO_PEGTL_STRING("in")>, p::utf8::one<0x2208>> {};  // ∈
struct word_operator : p::sor<word_and, word_or, word_not, word<TAO_PEGTL_STRING("in")>> {};
struct any_name : p::seq<p::not_at<word_operator>, name_begin, p::star<name_character>> {};

struct digits : p::plus<p::digit> {};
struct number : p::seq<digits, p::opt<p::one<'.'>, digits>,
                       p::opt<p::one<'e', 'E'>, p::opt<p::one<'+', '-'>>, digits>> {};

// operators; − · ⋅ × and ⇒ ≤ ≥ ≠ ∧ ∨ beside the ASCII spellings
struct arithmetic_symbol
    : p::sor<p::one<'+', '-', '*', '/', '^'>, p::utf8::one<0x2212, 0x00b7, 0x22c5, 0x00d7>> {};
struct two_characters : p::sor<TAO_PEGTL_STRING("=>"), TAO_PEGTL_STRING("<="), TAO_PEGTL_STRING(">="),
                               TAO_PEGTL_STRING("=="), TAO_PEGTL_STRING("!=")> {};
struct infix : p::sor<arithmetic_symbol, two_characters, p::one<'=', '<', '>'>,
                      p::utf8::one<0x21d2, 0x2264, 0x2265, 0x2260, 0x2227, 0x2228>, word_and, word_or> {};
struct arithmetic_infix : arithmetic_symbol {};
struct prefix : p::sor<p::one<'-'>, p::utf8::one<0x2212, 0x00ac>, word_not> {};

struct chain;       // any expression
struct arithmetic;  // one that stops at a comparison
struct comma : p::seq<gap, p::one<','>, gap> {};
struct close_round : p::one<')'> {};
struct close_square : p::one<']'> {};
struct close_curly : p::one<'}'> {};

struct parenthesised : p::seq<p::one<'('>, gap, p::must<chain>, gap, p::must<close_round>> {};
struct index : p::seq<p::one<'['>, gap, p::must<chain>, gap, p::must<close_square>> {};
struct arguments
    : p::seq<p::one<'('>, gap, p::opt<chain, p::star<comma, p::must<chain>>>, gap, p::must<close_round>> {};
struct name : any_name {};
struct reference : p::seq<name, p::opt<gap, index>, p::opt<gap, arguments>> {};

// domains
struct domain_word : p::sor<word<TAO_PEGTL_STRING("heads")>, word<TAO_PEGTL_STRING("nodes")>,
                            word<TAO_PEGTL_STRING("nonsink")>> {};
struct set : p::seq<p::one<'{'>, gap, p::opt<arithmetic, p::star<comma, p::must<arithmetic>>>, gap,
                    p::must<close_curly>> {};
struct range : p::seq<arithmetic, p::opt<gap, p::two<'.'>, gap, p::must<arithmetic>>> {};
struct domain : p::sor<domain_word, set, range> {};

// binders: min and max are binders unless a parenthesis follows
struct bound_name : any_name {};
struct colon : p::one<':'> {};
struct quantifier : p::sor<word<TAO_PEGTL_STRING("forall")>, word<TAO_PEGTL_STRING("exists")>,
                           p::utf8::one<0x2200, 0x2203>> {};
struct accumulator : p::sor<word<TAO_PEGTL_STRING("sum")>, word<TAO_PEGTL_STRING("prod")>,
                            p::seq<p::sor<word<TAO_PEGTL_STRING("min")>, word<TAO_PEGTL_STRING("max")>>,
                                   p::not_at<gap, p::one<'('>>>> {};
struct binder_head : p::seq<gap, p::must<bound_name>, gap, p::must<in_word>, gap, p::must<domain>, gap,
                            p::must<colon>, gap> {};
struct binder : p::sor<p::seq<quantifier, binder_head, p::must<chain>>,
                       p::seq<accumulator, binder_head, p::must<arithmetic>>> {};

struct primary : p::sor<binder, parenthesised, number, reference> {};
struct item : p::sor<p::seq<p::plus<prefix, gap>, p::must<primary>>, primary> {};
struct chain : p::seq<item, p::star<gap, infix, gap, p::must<item>>> {};
struct arithmetic : p::seq<item, p::star<gap, arithmetic_infix, gap, p::must<item>>> {};

struct end_of_text : p::eof {};
struct statement : p::seq<gap, p::must<chain>, gap, p::must<end_of_text>> {};
/// "eps in {1/2, 1/4}"
struct parameter : p::seq<gap, p::must<bound_name>, gap, p::must<in_word>, gap, p::must<domain>, gap,
                          p::must<end_of_text>> {};

}  // namespace crosshead::grammar
