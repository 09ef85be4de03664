// Claim files: what they hold, and errors that name the line of the file.
#include <gtest/gtest.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/conjecture/claim_file.hpp>
#include <crosshead/proofs_check/conjecture/parser.hpp>

namespace crosshead {
namespace {

std::string error_of(std::string_view bytes) {
    try {
        parse_claim_file(bytes, "mine.claim");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

void expect_error(std::string_view bytes, const std::string& beginning, const std::string& caret_lines) {
    const auto message = error_of(bytes);
    EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
    EXPECT_EQ(message.substr(message.find('\n') + 1), caret_lines) << message;
}

TEST(ClaimFile, ReadsEveryKey) {
    const auto claims = parse_claim_file(
        "# two claims\n"
        "claim: mixing-literal\n"
        "source: arXiv 2507.02944,\n"
        "    Theorem #2.9\n"
        "published: T_mix(ε) ≲ 2N/p\n"
        "reading: ≤, for every ε: no constant\n"
        "\n"
        "  # a comment inside\n"
        "  is hidden\n"
        "forall: eps in {1/2, 1/4}   # two values\n"
        "forall: k in 1..3\n"
        "statement: tmix(eps) <= k   # the bound\n"
        "\n"
        "    + 2*N/p\n"
        "mutant: tmix(eps) < k\n"
        "mutant: tmix(eps) > k\n"
        "nodes: 2..4\n"
        "heads: 3\n"
        "claim : second\r\n"
        "kind: existential\r\n"
        "statement: φ > phi[best]\r\n",
        "mine.claim");
    ASSERT_EQ(claims.size(), 2u);
    const auto& first = claims[0];
    EXPECT_EQ(first.id, "mixing-literal");
    EXPECT_EQ(first.line, 2);
    EXPECT_EQ(first.source, "arXiv 2507.02944, Theorem #2.9");
    EXPECT_EQ(first.published, "T_mix(ε) ≲ 2N/p");
    EXPECT_EQ(first.reading, "≤, for every ε: no constant is hidden");
    EXPECT_EQ(first.statement, "tmix(eps) <= k + 2*N/p");
    EXPECT_EQ(first.parameters, (std::vector<std::string>{"eps in {1/2, 1/4}", "k in 1..3"}));
    EXPECT_EQ(first.mutants, (std::vector<std::string>{"tmix(eps) < k", "tmix(eps) > k"}));
    EXPECT_FALSE(first.existential);
    EXPECT_EQ(first.nodes, (std::pair{2, 4}));
    EXPECT_EQ(first.heads, (std::pair{3, 3}));
    const auto parsed = parse_conjecture(first.statement, "again", first.parameters);
    EXPECT_EQ(to_text(parsed.root, parsed.slot_names), "tmix(eps) <= k + 2*N/p");
    EXPECT_EQ(claims[1].id, "second");
    EXPECT_EQ(claims[1].line, 19);
    EXPECT_EQ(claims[1].statement, "φ > phi[best]");
    EXPECT_TRUE(claims[1].existential);
    EXPECT_FALSE(claims[1].nodes.has_value());
}

TEST(ClaimFile, StatementsThatSpanLinesPointAtTheirLine) {
    expect_error(
        "claim: a\n"
        "statement: n > 1 and  # ε\n"
        "\n"
        "  φ ≤ tmx(1/4)\n"
        "  or true\n",
        "mine.claim:4: unknown name \"tmx\"; did you mean tmix?", "      φ ≤ tmx(1/4)\n          ^~~");
    expect_error("claim: a\nstatement: n > 1\nmutant: n < 1\nmutant: n <\n",
                 "mine.claim:4: an expression is missing after `<`", "    mutant: n <\n              ^");
    expect_error("claim: a\nstatement: d(k) > 1\nforall: k in {1,\n   2\n",
                 "mine.claim:3: this `{` is never closed", "    forall: k in {1,\n                 ^");
    expect_error("claim: a\nforall: k in {1}\nstatement: d(k) > 1\nmutant: n < 1\n",
                 "mine.claim:2: the statement at mine.claim:4 does not use the parameter k",
                 "    forall: k in {1}\n            ^");
    expect_error("claim: a\nstatement: n\n", "mine.claim:2: this is a number",
                 "    statement: n\n               ^");
}

TEST(ClaimFile, Errors) {
    expect_error("claim: a\nstatment: n > 1\n",
                 "mine.claim:2: unknown key \"statment\"; did you mean statement?",
                 "    statment: n > 1\n    ^~~~~~~~");
    EXPECT_NE(
        error_of("claim: a\nforall h in heads: true\n").find("a line that continues a value is indented"),
        std::string::npos);
    expect_error("claim: a\nstatement: true\nnodes: 2\nstatement: false\n",
                 "mine.claim:4: `statement` stands twice in this claim, on lines 2 and 4",
                 "    statement: false\n    ^~~~~~~~~");
    expect_error("claim: a\nstatement: true\nclaim: a\nstatement: true\n",
                 "mine.claim:3: claim a stands twice in this file, on lines 1 and 3",
                 "    claim: a\n           ^");
    expect_error("claim: a\nsource: b\n", "mine.claim:1: claim a has no statement",
                 "    claim: a\n    ^~~~~");
    expect_error("statement: true\n", "mine.claim:1: a claim begins with its id",
                 "    statement: true\n    ^~~~~~~~~");
    expect_error("claim: A b\nstatement: true\n", "mine.claim:1: an id consists of",
                 "    claim: A b\n           ^~~");
    expect_error("claim: a\nsource:\nstatement: true\n", "mine.claim:2: `source` has no value",
                 "    source:\n    ^~~~~~");
    expect_error("claim: a\nstatement true\n", "mine.claim:2: this is neither `key: value` nor a comment",
                 "    statement true\n    ^~~~~~~~~~~~~~");
    expect_error("  statement: true\n", "mine.claim:1: an indented line continues a value",
                 "      statement: true\n      ^~~~~~~~~~~~~~~");
    expect_error("claim: a\nkind: maybe\nstatement: true\n", "mine.claim:2: a kind is",
                 "    kind: maybe\n          ^~~~~");
    for (const auto* range :
         {"0", "x", "2..", "..3", "4..2", "-1", "2..3..4", "1.5", "99999999999", "2...4"}) {
        const auto message = error_of("claim: a\nstatement: true\nnodes: " + std::string(range) + "\n");
        EXPECT_EQ(message.find("mine.claim:3: "), 0u) << range << "\n" << message;
    }
    EXPECT_NE(error_of("# nothing\n").find("holds no claim"), std::string::npos);
    EXPECT_NE(error_of("").find("holds no claim"), std::string::npos);
}

TEST(ClaimFile, HostileBytes) {
    using namespace std::string_view_literals;
    EXPECT_EQ(error_of("\xef\xbb\xbf"
                       "claim: a\nstatement: true"),
              "no error");
    EXPECT_EQ(error_of("claim: a\nstatement: tr\0ue"sv).find("mine.claim:2: character 0x00"), 0u);
    EXPECT_EQ(
        error_of("claim: a\nsource: \xff\nstatement: true").find("mine.claim:2: byte 0xff is not UTF-8"), 0u);
    EXPECT_NE(error_of("claim: a\nstatement: true" + std::string(max_claim_file_bytes, ' ')), "no error");
    const auto longest = "claim: a\nstatement: true\n  and " + std::string(70'000, '-') + "1 < n\n";
    EXPECT_EQ(error_of(longest).find("mine.claim:2: the text is 7"), 0u) << error_of(longest).substr(0, 200);
    std::string nested = "claim: a\nstatement: n < ";
    for (int i = 0; i < 5000; ++i) nested += "(\n ";
    // what stands inside the 201st bracket is refused
    EXPECT_EQ(error_of(nested).find("mine.claim:203: brackets"), 0u) << error_of(nested).substr(0, 200);
}

}  // namespace
}  // namespace crosshead
