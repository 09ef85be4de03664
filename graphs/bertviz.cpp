// Source of the layout: BertViz (github.com/jessevig/bertviz), head_view.py, model_view.py and the scripts
// beside them. Pages since 2021 hold `const params = {"attention": [{"name": …, "attn": …, "left_text": …,
// "right_text": …}], "default_filter": …}`; earlier ones `window.params = {"attention": {"all": {…}}}`.
#include <fmt/format.h>

#include <crosshead/graphs/bertviz.hpp>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/strict_json.hpp>
#include <optional>
#include <set>

namespace crosshead {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
    throw InputError(fmt::format("{}: {}", place, why));
}

const json& array_of(const json& value, std::size_t wanted, const std::string& place, const char* what) {
    if (!value.is_array()) refuse(place, fmt::format("is {}, not an array of {}", shown_json(value), what));
    if (value.empty()) refuse(place, fmt::format("holds no {}; export the attention again", what));
    if (wanted && value.size() != wanted)
        refuse(place,
               fmt::format(
                   "holds {} {}, {} expected as in the first; attn is [layer][head][query][key], and every "
                   "query has a row of the same length",
                   value.size(), what, wanted));
    return value;
}

void append_row(const json& row, std::size_t n, const std::string& place, std::vector<double>& values) {
    array_of(row, n, place, "numbers");
    for (std::size_t j = 0; j < n; ++j) {
        if (!row[j].is_number())
            refuse(fmt::format("{}[{}]", place, j),
                   fmt::format("is {}, not a number; attn is [layer][head][query][key]", shown_json(row[j])));
        values.push_back(row[j].get<double>());
    }
}

AttentionArray read_layers(const json& attn, const std::string& place) {
    AttentionArray layers;
    array_of(attn, 0, place, "layers");
    const std::size_t heads = array_of(attn[0], 0, place + "[0]", "heads").size();
    const std::size_t n = array_of(attn[0][0], 0, place + "[0][0]", "queries").size();
    for (std::size_t l = 0; l < attn.size(); ++l) {
        const std::string layer_place = fmt::format("{}[{}]", place, l);
        array_of(attn[l], heads, layer_place, "heads");
        AttentionLayer layer{heads, n, {}};
        layer.values.reserve(heads * n * n);
        for (std::size_t h = 0; h < heads; ++h) {
            const std::string head_place = fmt::format("{}[{}]", layer_place, h);
            array_of(attn[l][h], n, head_place, "queries");
            for (std::size_t i = 0; i < n; ++i)
                append_row(attn[l][h][i], n, fmt::format("{}[{}]", head_place, i), layer.values);
        }
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::optional<std::vector<std::string>> read_tokens(const json& object, const char* field,
                                                    const std::string& place) {
    if (!object.contains(field) || object[field].is_null()) return std::nullopt;
    const std::string field_place = place + field;
    std::vector<std::string> tokens;
    for (const auto& token : array_of(object[field], 0, field_place, "tokens")) {
        if (!token.is_string())
            refuse(field_place, fmt::format("holds {}, not a token in quotes", shown_json(token)));
        tokens.push_back(token);
    }
    return tokens;
}

/// An object that holds "attn". `place` ends in ": " or in ".".
NamedAttention read_entry(const json& object, const std::string& place) {
    NamedAttention result;
    result.layers = read_layers(object["attn"], place + "attn");
    auto tokens = read_tokens(object, "tokens", place);
    const auto left = read_tokens(object, "left_text", place),
               right = read_tokens(object, "right_text", place);
    if (left && right && *left != *right)
        refuse(place + "left_text",
               "differs from right_text: queries and keys are different texts, so this is not "
               "self-attention; choose another entry of the page");
    if (!tokens) tokens = left ? left : right;
    if (!tokens) return result;
    const std::size_t n = result.layers.front().nodes;
    if (tokens->size() != n)
        refuse(place + "attn",
               fmt::format("has {} positions for {} tokens; export both again", n, tokens->size()));
    result.names = names_from_tokens(*tokens);
    return result;
}

bool holds_attention(const json& value) {
    return value.is_object() && value.contains("attn");
}

/// The entries of "attention", each by the name that picks it.
std::vector<std::pair<std::string, const json*>> list_entries(const json& attention,
                                                              const std::string& place) {
    std::vector<std::pair<std::string, const json*>> entries;
    if (attention.is_object()) {
        for (const auto& [key, value] : attention.items()) entries.emplace_back(key, &value);
    } else if (attention.is_array()) {
        for (std::size_t e = 0; e < attention.size(); ++e) {
            const json& value = attention[e];
            const bool named = value.is_object() && value.contains("name") && value["name"].is_string();
            entries.emplace_back(named ? value["name"].get<std::string>() : std::to_string(e), &value);
        }
    }
    if (entries.empty())
        refuse(place,
               fmt::format("attention is {}, not BertViz's list of {{\"attn\": …}}", shown_json(attention)));
    return entries;
}

NamedAttention read_page(const json& page, const std::string& place, const std::string& wanted) {
    const auto entries = list_entries(page["attention"], place);
    std::string pick = wanted;
    if (pick.empty() && entries.size() > 1 && page["attention"].is_object() &&
        page["attention"].contains("all"))
        pick = "all";  // beside it stand the blocks of a sentence pair, which are parts of it
    std::string names;
    const json* chosen = nullptr;
    for (const auto& [name, value] : entries) {
        names += (names.empty() ? "" : ", ") + name;
        if (name == pick || (pick.empty() && entries.size() == 1)) chosen = value;
    }
    if (!chosen)
        refuse(place, fmt::format("{}; pick one of its entries by name (--array): {}",
                                  pick.empty() ? "attention holds several entries"
                                               : fmt::format("attention has no entry \"{}\"", pick),
                                  names));
    if (!holds_attention(*chosen))
        refuse(place, "attention has an entry without \"attn\"; export the page again");
    auto result = read_entry(*chosen, place + ": attention.");
    if (page.contains("include_layers") && page["include_layers"].is_array()) {
        const std::string shown = page["include_layers"].dump();
        bool in_order = true;
        for (std::size_t l = 0; l < page["include_layers"].size(); ++l)
            in_order = in_order && page["include_layers"][l] == l;
        if (!in_order)
            result.notes.push_back(
                fmt::format("layers are numbered as in the page, which shows layers {} of the model", shown));
    }
    return result;
}

NamedAttention read_root(const json& root, const std::string& place, const std::string& entry) {
    if (holds_attention(root)) return read_entry(root, place + ": ");
    if (root.is_object() && root.contains("attention")) return read_page(root, place, entry);
    refuse(place, "holds neither \"attn\" nor \"attention\"; give {\"attn\": attn[layer][head][query][key]}");
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// The text of the JSON object that begins at `start`, braces inside strings not counted; empty if it never
/// ends.
std::string_view balanced_object(std::string_view text, std::size_t start) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t at = start; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string) {
            if (c == '\\')
                ++at;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return text.substr(start, at + 1 - start);
        }
    }
    return {};
}

}  // namespace

std::vector<std::string> names_from_tokens(const std::vector<std::string>& tokens) {
    if (std::set<std::string>(tokens.begin(), tokens.end()).size() == tokens.size()) return tokens;
    std::vector<std::string> names;
    for (std::size_t position = 0; position < tokens.size(); ++position)
        names.push_back(fmt::format("{}:{}", position, tokens[position]));
    return names;
}

NamedAttention parse_bertviz_json(std::string_view text, const std::string& place, const std::string& entry) {
    return read_root(parse_strict_json(text, place, Decimals::as_double), place, entry);
}

NamedAttention parse_bertviz_html(std::string_view page, const std::string& place, const std::string& entry) {
    constexpr std::string_view word = "params";
    std::set<std::string_view> views;
    std::size_t at = page.find(word);
    while (at != page.npos) {
        const auto skip_blanks = [&](std::size_t from) {
            const auto found = page.find_first_not_of(" \t\r\n", from);
            return found == page.npos ? page.size() : found;
        };
        const bool whole_word = at == 0 || !is_word(page[at - 1]);
        std::size_t next = skip_blanks(at + word.size());
        std::string_view object;
        if (whole_word && next < page.size() && page[next] == '=') {
            next = skip_blanks(next + 1);
            // JSON, not a script's own object: a quoted key follows the brace.
            const std::size_t key =
                next < page.size() && page[next] == '{' ? skip_blanks(next + 1) : page.size();
            if (key < page.size() && page[key] == '"') {
                object = balanced_object(page, next);
                if (object.empty())
                    refuse(place,
                           fmt::format("truncated: the object at byte {} does not end; save the page again",
                                       next));
                if (object.find("\"attention\"") != object.npos) views.insert(object);
            }
        }
        at = page.find(word, object.empty() ? at + word.size() : next + object.size());
    }
    if (views.empty())
        refuse(place,
               "a web page without BertViz attention (no script sets params = {\"attention\": …}); save the "
               "page of "
               "head_view or model_view, with html_action='return'");
    if (views.size() > 1)
        refuse(place, fmt::format("{} BertViz views in one page; save one view a file", views.size()));
    return parse_bertviz_json(*views.begin(), place, entry);
}

}  // namespace crosshead
