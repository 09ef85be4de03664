// Attention as BertViz shows it: attn[layer][head][query][key], in JSON or in the page (docs/formats.md).
#pragma once

#include <crosshead/graphs/attention.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// The attention of a model over one text.
struct NamedAttention {
    AttentionArray layers;
    std::vector<std::string> names;  // one a position, each its own; empty where the source has no tokens
    std::vector<std::string> notes;  // what a reader of the results should know
};

/// An object with "attn" itself, or the parameters of a BertViz page ("attention": entries with "attn").
/// `entry` picks one where there are several ("Decoder"); empty takes the only one, or the page's default.
/// Numbers were printed from floats and are restored to them. Tokens ("tokens", or "left_text" and
/// "right_text") become node names, each led by its position where two are equal.
/// Throws InputError with the JSON place: no "attn", ragged rows, queries and keys of different texts,
/// something else than a number.
NamedAttention parse_bertviz_json(std::string_view text, const std::string& place,
                                  const std::string& entry = {});

/// A saved page (head_view, model_view or neuron_view) or an exported notebook with one view: the object that
/// is assigned to `params` in a script. Throws InputError as above, and for a page with no view or several.
NamedAttention parse_bertviz_html(std::string_view page, const std::string& place,
                                  const std::string& entry = {});

/// Node names from tokens: the tokens, or "3:the" for all of them where two are equal.
std::vector<std::string> names_from_tokens(const std::vector<std::string>& tokens);

}  // namespace crosshead
