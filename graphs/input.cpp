#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <crosshead/graphs/bertviz.hpp>
#include <crosshead/graphs/dot.hpp>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/file_io.hpp>
#include <crosshead/graphs/graphml.hpp>
#include <crosshead/graphs/input.hpp>
#include <crosshead/graphs/json_io.hpp>
#include <crosshead/graphs/npy.hpp>
#include <crosshead/graphs/safetensors.hpp>
#include <crosshead/graphs/zip_archive.hpp>
#include <cstring>
#include <iterator>
#include <optional>

namespace crosshead {
namespace {

enum class Format { npy, npz, safetensors, pytorch, pickle, json, graphml, html, dot, unknown };

/// Formats by what they are called, what a file named so ends in, and nothing else: content decides.
struct FormatInfo {
    Format format;
    std::string_view name;
    std::initializer_list<std::string_view> endings;
};
const FormatInfo formats[] = {
    {Format::npy, "a .npy array", {".npy"}},
    {Format::npz, "an .npz archive", {".npz"}},
    {Format::safetensors, "safetensors", {".safetensors"}},
    {Format::pytorch, "a PyTorch checkpoint", {".pt", ".pth", ".ckpt"}},
    {Format::pickle, "a Python pickle", {".pkl", ".pickle"}},
    {Format::json, "JSON", {".json"}},
    {Format::graphml, "GraphML", {".graphml"}},
    {Format::html, "a web page", {".html", ".htm"}},
    {Format::dot, "a DOT graph", {".dot", ".gv"}},
};

constexpr std::string_view readable =
    "head-system JSON, GraphML, DOT, .npy, .npz, safetensors, BertViz JSON or a BertViz page";

std::string_view name_of(Format format) {
    const auto* found = std::ranges::find(formats, format, &FormatInfo::format);
    return found == std::end(formats) ? "in no format that is read" : found->name;
}

std::optional<Format> claimed_format(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto& info : formats)
        if (std::ranges::find(info.endings, ending) != info.endings.end()) return info.format;
    return std::nullopt;
}

bool looks_like_safetensors(std::string_view bytes) {
    std::uint64_t header = 0;
    if (bytes.size() < 9) return false;
    std::memcpy(&header, bytes.data(), sizeof header);
    return bytes[8] == '{' && header >= 2 && header <= bytes.size() - 8;
}

bool contains_word(std::string_view text, std::string_view lower_case_word) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::search(text.begin(), text.end(), lower_case_word.begin(), lower_case_word.end(), same) !=
           text.end();
}

/// The first characters that are neither blank nor a byte order mark, nor part of a comment.
std::string_view past_comments(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        std::string_view closing;
        if (text.starts_with("//") || text.starts_with("#"))
            closing = "\n";
        else if (text.starts_with("/*"))
            closing = "*/";
        else
            return text;
        const auto end = text.find(closing);
        if (end == text.npos) return {};
        text.remove_prefix(end + closing.size());
    }
}

Format detect_text(std::string_view bytes) {
    const auto text = past_comments(bytes);
    if (text.empty()) return Format::unknown;
    if (text[0] == '{' || text[0] == '[') return Format::json;
    if (text[0] == '<')
        return contains_word(text.substr(0, 4096), "<graphml") ? Format::graphml : Format::html;
    for (const std::string_view word : {"digraph", "graph", "strict"})
        if (contains_word(text.substr(0, word.size()), word)) return Format::dot;
    return Format::unknown;
}

Format detect_format(const std::filesystem::path& path, std::string_view bytes) {
    if (bytes.starts_with("\x93NUMPY")) return Format::npy;
    if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) {
        const ZipArchive archive(path);
        const bool pickled = std::ranges::any_of(
            archive.entries(), [](const ZipEntry& entry) { return entry.name.ends_with("data.pkl"); });
        return pickled ? Format::pytorch : Format::npz;
    }
    if (bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5) return Format::pickle;
    if (looks_like_safetensors(bytes)) return Format::safetensors;
    return detect_text(bytes);
}

/// "it begins with "…"", printable characters only.
std::string shown_beginning(std::string_view bytes) {
    constexpr std::size_t longest = 40;
    std::string text;
    for (const char c : bytes.substr(0, longest)) {
        const auto code = static_cast<unsigned char>(c);
        text += code >= 0x20 && code < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", code);
    }
    return fmt::format("it begins with \"{}{}\"", text, bytes.size() > longest ? "…" : "");
}

[[noreturn]] void refuse_format(const std::filesystem::path& path, Format found, std::string_view bytes) {
    const std::string place = path.string();
    if (found == Format::pytorch)
        throw InputError(
            fmt::format("{}: a PyTorch checkpoint, which holds weights and no attention; use `crosshead "
                        "validate {}`, which runs the model",
                        place, place));
    if (found == Format::pickle)
        throw InputError(
            fmt::format("{}: a Python pickle, which can run code and is not read; save attention with "
                        "numpy.save, a model with torch.save (PyTorch 1.6 or later) for `crosshead validate`",
                        place));
    throw InputError(fmt::format("{}: not in a format that is read ({}); give {}", place,
                                 shown_beginning(bytes), readable));
}

/// The format of a file whose name and content agree.
Format agreed_format(const std::filesystem::path& path, std::string_view bytes) {
    const Format found = detect_format(path, bytes);
    const auto claimed = claimed_format(path);
    if (!claimed || *claimed == found) return found;
    // Binary data without any known beginning is a damaged file of the claimed format: its reader says how.
    const auto is_binary = [](char c) { return c >= 0 && c < 0x20 && !std::isspace(c); };
    if (found == Format::unknown && std::ranges::any_of(bytes.substr(0, 4096), is_binary)) return *claimed;
    if (found == Format::pytorch || found == Format::pickle) refuse_format(path, found, bytes);
    throw InputError(
        fmt::format("{}: is named like {} but {} ({}); give the right file, or rename it to what it holds",
                    path.string(), name_of(*claimed),
                    found == Format::unknown ? std::string("holds something else")
                                             : fmt::format("holds {}", name_of(found)),
                    shown_beginning(bytes)));
}

std::string shown_shape(const std::vector<std::int64_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// (n,n) is one head, (H,n,n) one layer, (L,H,n,n) a model.
AttentionArray split_layers(std::vector<double> values, std::vector<std::int64_t> shape,
                            const std::string& place) {
    const auto given = shape;
    if (shape.size() < 2 || shape.size() > 4 || shape[shape.size() - 1] != shape[shape.size() - 2])
        throw InputError(
            fmt::format("{}: shape {}; attention is (n, n), (heads, n, n) or (layers, heads, n, n), rows are "
                        "queries and columns keys",
                        place, shown_shape(given)));
    if (std::ranges::find(shape, 0) != shape.end())
        throw InputError(
            fmt::format("{}: shape {} holds no attention; save it again", place, shown_shape(given)));
    while (shape.size() < 4) shape.insert(shape.begin(), 1);
    const auto layer_count = static_cast<std::size_t>(shape[0]), heads = static_cast<std::size_t>(shape[1]),
               n = static_cast<std::size_t>(shape[2]), layer_size = heads * n * n;
    if (shape[2] > max_nodes)
        throw InputError(fmt::format("{}: {} positions; at most {} are read", place, n, max_nodes));
    AttentionArray layers;
    if (layer_count == 1) {
        layers.push_back({heads, n, std::move(values)});
        return layers;
    }
    for (std::size_t l = 0; l < layer_count; ++l) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(l * layer_size);
        layers.push_back({heads, n, {begin, begin + static_cast<std::ptrdiff_t>(layer_size)}});
    }
    return layers;
}

AttentionArray layers_of_npy(NpyArray array, const std::string& place) {
    if (array.kind == NpyArray::Kind::integer)
        array.floating.assign(array.integers.begin(), array.integers.end());
    return split_layers(std::move(array.floating), std::move(array.shape), place);
}

/// The one that was asked for, or the only one.
std::string pick_array(const std::vector<std::string>& names, const std::string& wanted,
                       const std::string& place) {
    if (names.empty()) throw InputError(fmt::format("{}: holds no array; save it again", place));
    if (wanted.empty() && names.size() == 1) return names.front();
    constexpr std::size_t most = 40;
    std::string list =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + std::min(names.size(), most), ", "));
    if (names.size() > most) list += fmt::format(", … ({} in all)", names.size());
    if (wanted.empty())
        throw InputError(
            fmt::format("{}: holds {} arrays; name one (--array): {}", place, names.size(), list));
    if (std::ranges::find(names, wanted) == names.end())
        throw InputError(fmt::format("{}: holds no array \"{}\"; name one of: {}", place, wanted, list));
    return wanted;
}

AttentionInput read_npz_attention(const std::filesystem::path& path, const LoadOptions& options) {
    const std::string name = pick_array(npz_names(path), options.array, path.string());
    AttentionInput input{
        layers_of_npy(read_npz_array(path, name), fmt::format("{}: {}", path.string(), name)),
        ".npz",
        {},
        {}};
    if (options.array.empty()) input.notes.push_back(fmt::format("array \"{}\", the only one", name));
    return input;
}

AttentionInput read_tensor_attention(std::string_view bytes, const LoadOptions& options,
                                     const std::string& place) {
    const SafeTensors file = parse_safetensors(bytes, place);
    std::vector<std::string> names;
    for (const auto& [name, tensor] : file.tensors) names.push_back(name);
    const std::string name = pick_array(names, options.array, place);
    const auto& tensor = file.tensors.at(name);
    const std::string tensor_place = fmt::format("{}: {}", place, name);
    AttentionInput input{split_layers(values_as_double(tensor, tensor_place), tensor.shape, tensor_place),
                         "safetensors",
                         {},
                         {}};
    if (options.array.empty()) input.notes.push_back(fmt::format("tensor \"{}\", the only one", name));
    return input;
}

AttentionInput from_bertviz(NamedAttention attention, std::string format) {
    return {std::move(attention.layers), std::move(format), std::move(attention.names),
            std::move(attention.notes)};
}

/// True where `key` occurs as a key of some object.
bool has_key(std::string_view json, std::string_view quoted_key) {
    for (auto at = json.find(quoted_key); at != json.npos; at = json.find(quoted_key, at + 1)) {
        const auto next = json.find_first_not_of(" \t\r\n", at + quoted_key.size());
        if (next != json.npos && json[next] == ':') return true;
    }
    return false;
}

/// Everything else is a head system, whose reader has the better messages.
bool is_attention_json(std::string_view text) {
    return has_key(text, "\"attn\"") || has_key(text, "\"attention\"");
}

std::optional<AttentionInput> read_attention(const std::filesystem::path& path, std::string_view bytes,
                                             Format format, const LoadOptions& options) {
    const std::string place = path.string();
    switch (format) {
        case Format::npy:
            return AttentionInput{layers_of_npy(parse_npy(bytes, place), place), ".npy", {}, {}};
        case Format::npz:
            return read_npz_attention(path, options);
        case Format::safetensors:
            return read_tensor_attention(bytes, options, place);
        case Format::html:
            return from_bertviz(parse_bertviz_html(bytes, place, options.array), "BertViz page");
        case Format::json:
            if (!is_attention_json(bytes)) return std::nullopt;
            return from_bertviz(parse_bertviz_json(bytes, place, options.array), "BertViz JSON");
        default:
            return std::nullopt;
    }
}

LoadedInput from_attention(AttentionInput input, const LoadOptions& options, const std::string& place) {
    LoadedInput loaded{{}, std::move(input.format), {}, std::move(input.notes)};
    for (std::size_t l = 0; l < input.layers.size(); ++l) {
        auto [system, residual] =
            heads_from_attention(input.layers[l], options.attention, fmt::format("{}: layer {}", place, l));
        input.layers[l].values = {};  // a model's attention is large; free it as it is turned into heads
        loaded.residuals.push_back(residual);
        if (input.names.empty())
            loaded.layers.push_back(std::move(system));
        else
            loaded.layers.emplace_back(system.heads(), system.walk_weights(), system.diffusion_weights(),
                                       input.names);
    }
    return loaded;
}

}  // namespace

LoadedInput load_input(const std::filesystem::path& path, const LoadOptions& options) {
    const std::string bytes = read_file(path), place = path.string();
    const Format format = agreed_format(path, bytes);
    if (auto attention = read_attention(path, bytes, format, options))
        return from_attention(std::move(*attention), options, place);
    LoadedInput loaded;
    switch (format) {
        case Format::json:
            loaded.layers.push_back(parse_head_system(bytes, place, options.self_loops));
            loaded.format = "head-system JSON";
            break;
        case Format::graphml:
            loaded.layers.push_back(parse_graphml(bytes, place, options.self_loops));
            loaded.format = "GraphML";
            break;
        case Format::dot:
            loaded.layers.push_back(parse_dot(bytes, place, options.self_loops));
            loaded.format = "DOT";
            break;
        default:
            refuse_format(path, format, bytes);
    }
    const auto& system = loaded.layers.front();
    for (const auto& [weights, what] : {std::pair(&system.walk_weights(), "walk_weights"),
                                        std::pair(&system.diffusion_weights(), "diffusion_weights")})
        if (weights->was_normalised())
            loaded.notes.push_back(fmt::format("{} summed to {} and were divided by that", what,
                                               to_string(weights->given_sum())));
    return loaded;
}

AttentionInput load_attention(const std::filesystem::path& path, const LoadOptions& options) {
    const std::string bytes = read_file(path);
    const Format format = agreed_format(path, bytes);
    if (auto attention = read_attention(path, bytes, format, options)) return std::move(*attention);
    if (format == Format::json || format == Format::graphml || format == Format::dot)
        throw InputError(
            fmt::format("{}: {} of graphs, not attention; give .npy, .npz, safetensors, BertViz JSON or a "
                        "BertViz page",
                        path.string(), name_of(format)));
    refuse_format(path, format, bytes);
}

}  // namespace crosshead
