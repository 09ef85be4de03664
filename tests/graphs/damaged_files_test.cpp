// Whatever is done to a valid file, a reader accepts it or throws InputError; nothing else, and no undefined
// behaviour (the sanitizer build runs this).
#include <crosshead/graphs/bertviz.hpp>
#include <crosshead/graphs/dot.hpp>
#include <crosshead/graphs/graphml.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <functional>

#include "helpers.hpp"

namespace crosshead {
namespace {

/// Deletes, repeats, overwrites or swaps in pieces that mean something to these formats.
std::string damaged(std::string text) {
    static const std::vector<std::string> pieces = {
        "{",      "}",      "[",    "]",  "\"", "<",    ">",    "/",    "->",       "--",
        ",",      ":",      "=",    ";",  "\\", "\n",   "0",    "1e9",  "-1",       "null",
        "&lt;",   "&x;",    "<!--", "/*", "//", "\xff", "edge", "node", "subgraph", "<data key='w'>",
        "strict", "digraph"};
    const int edits = *rc::gen::inRange(1, 6);
    for (int edit = 0; edit < edits; ++edit) {
        const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
        const auto length = std::min(*rc::gen::inRange<std::size_t>(0, 12), text.size() - at);
        switch (*rc::gen::inRange(0, 4)) {
            case 0:
                text.erase(at, length);
                break;
            case 1:
                text.insert(at, text.substr(at, length));
                break;
            case 2:
                text.insert(at, *rc::gen::elementOf(pieces));
                break;
            default:
                text.resize(at);
                break;
        }
    }
    return text;
}

template <class Reader>
void survives(const std::string& text, Reader read) {
    try {
        read(damaged(text));
    } catch (const InputError& error) {
        RC_ASSERT(std::string_view(error.what()).size() < 20'000);
    }
}

RC_GTEST_PROP(DamagedFiles, Json, ()) {
    survives(format_head_system(test::random_system(2), "origin"),
             [](const std::string& text) { parse_head_system(text, "f"); });
}
RC_GTEST_PROP(DamagedFiles, Graphml, ()) {
    survives(format_graphml(test::random_system(1)),
             [](const std::string& text) { parse_graphml(text, "f"); });
}
RC_GTEST_PROP(DamagedFiles, Dot, ()) {
    survives(format_dot(test::random_system(1)), [](const std::string& text) { parse_dot(text, "f"); });
}
RC_GTEST_PROP(DamagedFiles, DotByHand, ()) {
    survives(
        "strict digraph g { edge [weight=2]; a -> {b \"c d\"} -> e:n [x=<b>]; subgraph s { b -> e } /* x */ "
        "}",
        [](const std::string& text) { parse_dot(text, "f"); });
}
RC_GTEST_PROP(DamagedFiles, BertvizPage, ()) {
    survives(
        "<script>params = {\"attention\": [{\"name\": null, \"attn\": [[[[1, 0], [0.5, 0.5]]]], "
        "\"left_text\": [\"a\", \"b\"], \"right_text\": [\"a\", \"b\"]}], \"include_layers\": [3]}; "
        "</script>",
        [](const std::string& text) { parse_bertviz_html(text, "f"); });
}

}  // namespace
}  // namespace crosshead
