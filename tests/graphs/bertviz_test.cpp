#include <crosshead/graphs/bertviz.hpp>

#include "helpers.hpp"

namespace crosshead {
namespace {

using test::refusal;
using test::says;

const std::string attn =
    "[[[[1, 0], [0.25, 0.75]]], [[[1.0, 0.0], [0.30000001192092896, 0.699999988079071]]]]";

std::string refusal_of(const std::string& text, const std::string& entry = "") {
    return refusal([&] { parse_bertviz_json(text, "b.json", entry); });
}
std::string page_refusal(const std::string& text) {
    return refusal([&] { parse_bertviz_html(text, "b.html"); });
}

TEST(Bertviz, AttnIsLayerHeadQueryKey) {
    const auto result =
        parse_bertviz_json("{\"attn\": " + attn + ", \"tokens\": [\"A\", \" b\"], \"source\": 1}", "b");
    ASSERT_EQ(result.layers.size(), 2u);
    EXPECT_EQ(result.layers[1].heads, 1u);
    EXPECT_EQ(result.layers[1].nodes, 2u);
    EXPECT_EQ(result.layers[1].values, (std::vector<double>{1, 0, 0.3f, 0.7f})) << "printed floats come back";
    EXPECT_EQ(result.names, (std::vector<std::string>{"A", " b"}));
    EXPECT_TRUE(parse_bertviz_json("{\"attn\": " + attn + "}", "b").names.empty());
}

TEST(Bertviz, RepeatedTokensAreNumbered) {
    EXPECT_EQ(names_from_tokens({"the", "cat", "the"}),
              (std::vector<std::string>{"0:the", "1:cat", "2:the"}));
    EXPECT_EQ(names_from_tokens({"the", "cat"}), (std::vector<std::string>{"the", "cat"}));
}

TEST(Bertviz, PagesOfEveryAge) {
    const std::string entry = "{\"name\": null, \"attn\": " + attn +
                              ", \"left_text\": [\"}\\\"\", \"b\"], \"right_text\": [\"}\\\"\", \"b\"]}";
    const std::string current =
        "{\"attention\": [" + entry + "], \"default_filter\": \"0\", \"include_layers\": [3, 4]}";
    const auto result = parse_bertviz_html(
        "<script>requirejs(['d3'], function(d3) {\n const params = " + current + "; // HACK: " + current +
            " is a template marker\n config.attention = params['attention'];",
        "b.html");
    EXPECT_EQ(result.layers.size(), 2u);
    EXPECT_EQ(result.names, (std::vector<std::string>{"}\"", "b"}));
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_TRUE(says(result.notes[0], {"layers [3,4]"}));
    const std::string older = "window.params = {\"attention\": {\"all\": " + entry + ", \"aa\": " + entry +
                              "}, \"default_filter\": \"all\"}";
    EXPECT_EQ(parse_bertviz_html("<script>" + older + "</script><script>" + older + "</script>", "b.html")
                  .layers.size(),
              2u)
        << "the same view twice is one view";
}

TEST(Bertviz, PagesWithoutOneViewAreRefused) {
    EXPECT_TRUE(says(page_refusal("<html>params = {a: 'it\"s'}; myparams = {\"attention\": 1}</html>"),
                     {"b.html: a web page without BertViz attention", "html_action='return'"}));
    EXPECT_TRUE(
        says(page_refusal("<script>params = {\"attention\": [{"), {"truncated", "save the page again"}));
    EXPECT_TRUE(says(page_refusal("params={\"attention\":[1]} params={\"attention\":[2]}"),
                     {"2 BertViz views", "one view a file"}));
    EXPECT_TRUE(says(page_refusal("<html>params ="), {"without BertViz"}));
}

TEST(Bertviz, EntriesAreChosenByName) {
    const std::string self = "{\"name\": \"Encoder\", \"attn\": " + attn + "}",
                      cross = "{\"name\": \"Cross\", \"attn\": " + attn +
                              ", \"left_text\": [\"a\", \"b\"], \"right_text\": [\"c\", \"d\"]}";
    const std::string page = "{\"attention\": [" + self + ", " + cross + "]}";
    EXPECT_TRUE(says(refusal_of(page), {"several entries", "Encoder, Cross", "--array"}));
    EXPECT_TRUE(says(refusal_of(page, "Decoder"), {"no entry \"Decoder\"", "Encoder, Cross"}));
    EXPECT_EQ(refusal_of(page, "Encoder"), "accepted");
    EXPECT_TRUE(says(refusal_of(page, "Cross"), {"b.json: attention.left_text", "not self-attention"}));
    EXPECT_TRUE(says(refusal_of("{\"attention\": [{\"name\": \"x\"}]}"), {"without \"attn\""}));
    EXPECT_TRUE(says(refusal_of("{\"attention\": []}"), {"attention is an array of 0"}));
    EXPECT_TRUE(says(refusal_of("{\"attention\": 3}"), {"attention is 3"}));
    EXPECT_TRUE(says(refusal_of("{\"heads\": 3}"), {"neither \"attn\" nor \"attention\""}));
}

TEST(Bertviz, RaggedOrForeignValuesAreRefusedWithTheirPlace) {
    const auto with = [](const std::string& value) { return refusal_of("{\"attn\": " + value + "}"); };
    EXPECT_TRUE(says(with("[[[[1, 0], [1]]]]"), {"b.json: attn[0][0][1]: holds 1 numbers, 2 expected"}));
    EXPECT_TRUE(says(with("[[[[1]]], [[[1]], [[1]]]]"), {"attn[1]: holds 2 heads, 1 expected"}));
    EXPECT_TRUE(says(with("[[[[1]], [[1, 0], [1, 0]]]]"), {"attn[0][1]: holds 2 queries, 1 expected"}));
    EXPECT_TRUE(says(with("[[[[null]]]]"), {"attn[0][0][0][0]: is null", "not a number"}));
    EXPECT_TRUE(says(with("[[[1]]]"), {"attn[0][0][0]: is 1, not an array of numbers"}));
    EXPECT_TRUE(says(with("[[[[[1]]]]]"), {"attn[0][0][0][0]: is an array of 1"}));
    EXPECT_TRUE(says(with("[]"), {"attn: holds no layers"}));
    EXPECT_TRUE(says(with("[[[[NaN]]]]"), {"not JSON", "no NaN"}));
    EXPECT_TRUE(says(with("[[[[1e999]]]]"), {"number overflow", "as a string"}));
    EXPECT_TRUE(says(with(attn + ", \"tokens\": [\"a\"]"), {"2 positions for 1 tokens"}));
    EXPECT_TRUE(says(with(attn + ", \"tokens\": [\"a\", 2]"), {"b.json: tokens: holds 2"}));
}

}  // namespace
}  // namespace crosshead
