// Conjectures as text: canonical text and back, and input that is hostile, or noise.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/conjecture/diagnostics.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>

#include "conjecture_trees.hpp"

namespace crosshead {
namespace {

using testing::full_text;
using testing::same_tree;

std::string canonical(std::string_view text) {
    const auto parsed = parse_conjecture(text, "here");
    return to_text(parsed.root, parsed.slot_names);
}

std::string error_of(std::string_view text) {
    try {
        parse_conjecture(text, "here");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

RC_GTEST_PROP(ConjectureText, MinimalAndFullParenthesesGiveTheSameTree, ()) {
    testing::TreeMaker maker(*rc::gen::resize(300, rc::gen::arbitrary<std::vector<unsigned char>>()));
    const Expression tree = maker.statement();
    const auto minimal = to_text(tree, maker.slot_names());
    RC_LOG() << minimal << std::endl;
    const auto parsed = parse_conjecture(minimal, "minimal");
    RC_ASSERT(same_tree(parsed.root, tree));
    RC_ASSERT(parsed.slot_names == maker.slot_names());
    RC_ASSERT(to_text(parsed.root, parsed.slot_names) == minimal);
    RC_ASSERT(same_tree(parse_conjecture(full_text(tree, maker.slot_names()), "full").root, tree));
}

TEST(ConjectureText, NoParenthesisIsSuperfluous) {
    for (const auto* text :
         {"(2 - 3)^2 < (-2)^2", "2 - (3 - 4) < 2/(3*4)", "sum h in heads: p[h] <= p => true",
          "not (true and false) and true", "(true => false) => true",
          "(forall h in heads: p[h] < 1) and true", "(sum h in heads: p[h]) + 1 < sum h in heads: p[h] + 1",
          "true and not forall h in heads: p[h] < 1 => true", "(2^3)^4 < 2^3^4", "-(2*3) < -2*-3^-4",
          "true and (true and true) or true", "1e-100 + 123456789012345e20 < 100000"})
        EXPECT_EQ(canonical(text), text);
}

std::string repeated(std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

TEST(ConjectureHostile, DeepOrLongInputIsRefusedWithoutOverflow) {
    EXPECT_EQ(error_of(repeated("(", 200) + "n" + repeated(")", 200) + " < 3"), "no error");
    const auto deep = error_of(repeated("(", 201) + "n" + repeated(")", 201) + " < 3");
    EXPECT_NE(deep.find("nested more than 200 deep"), std::string::npos) << deep;
    for (const auto* opening :
         {"(", "[", "{", "min(", "p[", "forall x in {", "forall x in nodes: ", "sum x in 0..", "not(", "-("})
        EXPECT_NE(error_of(repeated(opening, 4000)), "no error") << opening;
    const auto too_deep = [](const std::string& text) {
        return error_of(text).find("nested more than") != std::string::npos;
    };
    EXPECT_TRUE(too_deep("n < " + repeated("forall x in 0..", 4000)));
    EXPECT_TRUE(too_deep("n < " + repeated("-", 60000) + "1"));
    EXPECT_TRUE(too_deep(repeated("not ", 15000) + "true"));
    EXPECT_TRUE(too_deep("n < " + repeated("2^", 30000) + "1"));
    EXPECT_TRUE(too_deep("n < " + repeated("1+", 30000) + "1"));
    EXPECT_TRUE(too_deep(repeated("true=>", 10000) + "true"));
    EXPECT_TRUE(too_deep(repeated("true and ", 5000) + "true"));
    EXPECT_EQ(error_of("n < " + repeated("1+", 400) + "1"), "no error");
    const auto many = error_of("n < min(" + repeated("1,", 10000) + "1)");
    EXPECT_NE(many.find("more than 10000 numbers"), std::string::npos) << many;
    EXPECT_NE(error_of("n < " + repeated("-", 100000) + "1").find("at most 65536 are read"),
              std::string::npos);
    const std::string limit = "n < 3" + std::string(max_statement_bytes - 5, ' ');
    EXPECT_EQ(error_of(limit), "no error");
    EXPECT_NE(error_of(limit + " "), "no error");
}

TEST(ConjectureHostile, HugeConstantsCostNothing) {
    EXPECT_EQ(error_of("n < 10^10^10 * 2^-1000000"), "no error");
    std::string product = "n < 1";
    for (int i = 0; i < 400; ++i) product += " * 1e10000";
    EXPECT_EQ(error_of(product), "no error");
}

TEST(ConjectureHostile, BytesThatAreNoText) {
    using namespace std::string_view_literals;
    for (const auto text : {"n <\0 3"sv, "n < 3\x1b[31m"sv, "n\x7f < 3"sv})
        EXPECT_NE(error_of(text).find("is a control character"), std::string::npos) << text;
    for (const auto text : {"n < \xff"sv, "n < \xc3"sv, "n < \xc0\xaf"sv, "n < \xed\xa0\x80"sv,
                            "\xe2\x89 < 3"sv, "n < \xf4\x90\x80\x80"sv, "n < \xe0\x80\xaf"sv}) {
        const auto message = error_of(text);
        EXPECT_NE(message.find("is not UTF-8"), std::string::npos) << message;
        for (std::size_t at = 0; at < message.size(); at += utf8_length(message, at))
            ASSERT_NE(utf8_length(message, at), 0u);
    }
}

RC_GTEST_PROP(ConjectureHostile, AnyTextIsReadOrRefused, ()) {
    static const std::vector<std::string> pieces = {
        "n",    "p[h]",    "tmix(", "(",    ")",   "[",    "]",     "{",  "}", ",",  ":",   "..",   ".",
        "<",    "<=",      "=",     "=>",   "!",   "&",    "-",     "+",  "*", "/",  "^",   "and ", "or ",
        "not ", "forall ", "sum ",  "min ", "h ",  "in ",  "heads", "1",  "0", "1e", "2.5", "φ",    "≤",
        "∀",    " ",       "\n",    "#",    "eps", "best", "\xff",  "\t", "|", "\""};
    std::string text;
    for (const auto index :
         *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, pieces.size())))
        text += pieces[index];
    try {
        const auto parsed = parse_conjecture(text, "here");
        const auto again = to_text(parsed.root, parsed.slot_names);
        RC_ASSERT(!again.empty());
    } catch (const InputError& error) {
        RC_ASSERT(std::string(error.what()).find("here") == 0u);
        RC_ASSERT(std::string(error.what()).find('^') != std::string::npos);
    }
}

}  // namespace
}  // namespace crosshead
