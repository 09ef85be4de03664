// XML is parsed by Expat: it streams (no recursion on nested input), knows the line of every element, and
// lets us refuse a document type declaration before any entity exists. Boost.PropertyTree's RapidXML recurses
// once a level and keeps no lines; Boost's read_graphml invents a vertex for an undeclared edge end.
#include <expat.h>
#include <fmt/format.h>

#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/graph_file.hpp>
#include <crosshead/graphs/graphml.hpp>
#include <exception>
#include <map>
#include <memory>
#include <utility>

namespace crosshead {
namespace {

constexpr std::size_t max_depth = 64;

std::string_view local_name(std::string_view name) {
    const auto colon = name.rfind(':');
    return colon == name.npos ? name : name.substr(colon + 1);
}

std::string trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto begin = text.find_first_not_of(blank);
    if (begin == text.npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(blank) - begin + 1));
}

class GraphmlReader {
  public:
    explicit GraphmlReader(const std::string& place)
        : place_(place), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(parser_.get(), on_start, on_end);
        XML_SetCharacterDataHandler(parser_.get(), on_text);
        XML_SetStartDoctypeDeclHandler(parser_.get(), on_doctype);
    }

    GraphFile read(std::string_view bytes) {
        // XML_Parse takes an int, so the text goes in pieces.
        constexpr std::size_t piece = 1 << 24;
        for (std::size_t at = 0; at < bytes.size() || at == 0; at += piece) {
            const auto part = bytes.substr(at, piece);
            const bool last = at + part.size() == bytes.size();
            if (XML_Parse(parser_.get(), part.data(), static_cast<int>(part.size()), last) == XML_STATUS_OK)
                continue;
            if (failure_) std::rethrow_exception(failure_);
            refuse(fmt::format("not XML: {}; export it again",
                               XML_ErrorString(XML_GetErrorCode(parser_.get()))));
        }
        if (!seen_graph_)
            throw InputError(fmt::format("{}: holds no <graph>; a GraphML file holds one", place_));
        resolve_edges();
        return std::move(file_);
    }

  private:
    using Attributes = std::map<std::string, std::string>;
    /// A <key>: what <data key="…"> in elements of the kind `domain` means.
    struct Key {
        std::string domain, name, fallback;
        bool has_fallback = false;
    };
    struct PendingEdge {
        std::string source, destination, weight;
        bool has_weight = false;
        std::size_t line = 0;
    };

    std::size_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }
    [[noreturn]] void refuse(const std::string& why) const { refuse(line(), why); }
    [[noreturn]] void refuse(std::size_t at, const std::string& why) const {
        throw InputError(fmt::format("{}: line {}: {}", place_, at, why));
    }

    /// Runs a handler; what it throws waits until Expat, which is C, has returned.
    template <class Handler>
    static void guarded(void* self, Handler handler) {
        auto& reader = *static_cast<GraphmlReader*>(self);
        if (reader.failure_) return;
        try {
            handler(reader);
        } catch (...) {
            reader.failure_ = std::current_exception();
            XML_StopParser(reader.parser_.get(), XML_FALSE);
        }
    }
    static void XMLCALL on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
        guarded(self, [&](GraphmlReader& reader) {
            Attributes map;
            for (; *attributes; attributes += 2) map.emplace(attributes[0], attributes[1]);
            reader.start(std::string(local_name(name)), map);
        });
    }
    static void XMLCALL on_end(void* self, const XML_Char*) {
        guarded(self, [](GraphmlReader& reader) { reader.end(); });
    }
    static void XMLCALL on_text(void* self, const XML_Char* text, int length) {
        guarded(self,
                [&](GraphmlReader& reader) { reader.text_.append(text, static_cast<std::size_t>(length)); });
    }
    static void XMLCALL on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
        guarded(self, [](GraphmlReader& reader) {
            reader.refuse(
                "a document type declaration (<!DOCTYPE …>); GraphML needs none, and entities are not "
                "expanded here, so remove it");
        });
    }

    std::string required(const Attributes& attributes, const char* name, const std::string& element) const {
        const auto found = attributes.find(name);
        if (found == attributes.end()) refuse(fmt::format("<{}> has no {}; give it one", element, name));
        return found->second;
    }

    void start(const std::string& element, const Attributes& attributes) {
        if (open_.empty() && element != "graphml")
            refuse(fmt::format("<{}> instead of <graphml>; this is not GraphML", element));
        if (open_.size() == max_depth)
            refuse(fmt::format("elements nested deeper than {} levels", max_depth));
        const std::string parent = open_.empty() ? "" : open_.back();
        open_.push_back(element);
        text_.clear();
        if (element == "key") start_key(attributes);
        if (element == "graph") start_graph(attributes, parent);
        if (element == "node") start_node(attributes);
        if (element == "edge") start_edge(attributes);
        if (element == "data") data_key_ = required(attributes, "key", element);
        if (element == "hyperedge") refuse("a hyperedge; a head has edges from one node to one node");
    }

    void start_key(const Attributes& attributes) {
        current_key_ = required(attributes, "id", "key");
        const auto attribute = [&](const char* name, const char* otherwise) {
            const auto found = attributes.find(name);
            return found == attributes.end() ? std::string(otherwise) : found->second;
        };
        // The schema lets "for" default to all; without attr.name the id is the best name there is.
        if (!keys_
                 .emplace(
                     current_key_,
                     Key{attribute("for", "all"), attribute("attr.name", current_key_.c_str()), {}, false})
                 .second)
            refuse(fmt::format("key \"{}\" is declared twice; declare it once", current_key_));
    }

    void start_graph(const Attributes& attributes, const std::string& parent) {
        if (parent != "graphml") refuse("a graph inside a node; flatten nested graphs into one");
        if (seen_graph_) refuse("a second <graph>; one head a file, so split it, or write head-system JSON");
        seen_graph_ = true;
        if (required(attributes, "edgedefault", "graph") != "directed")
            refuse(fmt::format(
                "edgedefault=\"{}\"; a head is directed, so write edgedefault=\"directed\" with each "
                "edge from source to target",
                attributes.at("edgedefault")));
    }

    void start_node(const Attributes& attributes) {
        const std::string id = required(attributes, "id", "node");
        if (!index_.emplace(id, file_.names.size()).second)
            refuse(fmt::format("node id \"{}\" is given twice; give each node its own", id));
        file_.names.push_back(id);
    }

    void start_edge(const Attributes& attributes) {
        if (const auto directed = attributes.find("directed");
            directed != attributes.end() && directed->second != "true")
            refuse(fmt::format("an edge with directed=\"{}\"; a head is directed, so remove that attribute",
                               directed->second));
        edges_.push_back({required(attributes, "source", "edge"),
                          required(attributes, "target", "edge"),
                          {},
                          false,
                          line()});
    }

    void end() {
        const std::string element = std::move(open_.back());
        open_.pop_back();
        if (element == "default" && !open_.empty() && open_.back() == "key") {
            keys_[current_key_].fallback = trimmed(text_);
            keys_[current_key_].has_fallback = true;
        }
        if (element == "data" && !open_.empty()) end_data(open_.back());
        text_.clear();
    }

    void end_data(const std::string& owner) {
        const auto found = keys_.find(data_key_);
        if (found == keys_.end())
            refuse(fmt::format("data names key \"{}\", which no <key> before it declares; declare it",
                               data_key_));
        const Key& key = found->second;
        if (key.domain != owner && key.domain != "all")
            refuse(fmt::format("data of a <{}> names key \"{}\", which is for \"{}\"", owner, data_key_,
                               key.domain));
        if (owner == "edge" && key.name == "weight") {
            if (edges_.back().has_weight) refuse("an edge with two weights; give it one");
            edges_.back().weight = trimmed(text_);
            edges_.back().has_weight = true;
        }
        if (owner == "node" && key.name == "name") file_.names.back() = text_;
        if (owner == "graph" && key.name == "sink") file_.sink = text_;
        if (owner == "graph" && key.name == "self_loops")
            file_.self_loops = parse_self_loops(trimmed(text_), fmt::format("{}: line {}", place_, line()));
    }

    void resolve_edges() {
        std::string fallback = "1";
        for (const auto& [id, key] : keys_)
            if (key.name == "weight" && (key.domain == "edge" || key.domain == "all") && key.has_fallback)
                fallback = key.fallback;
        for (const auto& edge : edges_) {
            const auto resolve = [&](const std::string& id, const char* end) {
                const auto found = index_.find(id);
                if (found == index_.end())
                    refuse(edge.line,
                           fmt::format("edge {} -> {}: its {} \"{}\" is no node of the graph; declare it, or "
                                       "correct the id",
                                       edge.source, edge.destination, end, id));
                return found->second;
            };
            const std::size_t source = resolve(edge.source, "source"),
                              target = resolve(edge.destination, "target");
            const std::string weight_place = fmt::format("{}: line {}: edge {} -> {}: weight", place_,
                                                         edge.line, edge.source, edge.destination);
            file_.edges.push_back({source, target,
                                   parse_rational(edge.has_weight ? edge.weight : fallback, weight_place),
                                   edge.line});
        }
    }

    const std::string& place_;
    std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
    std::exception_ptr failure_;
    GraphFile file_;
    std::map<std::string, std::size_t> index_;
    std::map<std::string, Key> keys_;
    std::vector<PendingEdge> edges_;
    std::vector<std::string> open_;
    std::string text_, data_key_, current_key_;
    bool seen_graph_ = false;
};

/// XML 1.0 text: markup escaped; line ends and tabs as references, which parsers do not normalise away.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\t' || c == '\n' || c == '\r')
            out += fmt::format("&#{};", code);
        else if (code < 0x20)
            throw InputError(
                fmt::format("node name \"{}\": XML cannot hold the control character {}; rename the node, or "
                            "write JSON",
                            text, code));
        else
            out += c;
    }
    return out;
}

}  // namespace

HeadSystem parse_graphml(std::string_view bytes, const std::string& place, bool self_loops) {
    return head_from_graph_file(GraphmlReader(place).read(bytes), self_loops, place);
}

std::string format_graphml(const HeadSystem& system) {
    if (system.head_count() != 1)
        throw InputError(
            fmt::format("{} heads; a GraphML file holds one head, so write JSON or one file a head",
                        system.head_count()));
    const HeadDag& head = system.head(0);
    const bool named = !system.names().empty();
    const auto id = [&](Node node) { return fmt::format("{}{}", named ? "n" : "", node); };
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"sink\" for=\"graph\" attr.name=\"sink\" attr.type=\"string\"/>\n"
        "  <key id=\"self_loops\" for=\"graph\" attr.name=\"self_loops\" attr.type=\"boolean\"/>\n"
        "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
        "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" "
        "attr.type=\"string\"><default>1</default></key>\n"
        "  <graph edgedefault=\"directed\">\n";
    text += fmt::format("    <data key=\"sink\">{}</data>\n", escaped(system.name(system.sink())));
    text += "    <data key=\"self_loops\">false</data>\n";
    for (Node node = 0; node < head.nodes(); ++node)
        text += named ? fmt::format("    <node id=\"{}\"><data key=\"name\">{}</data></node>\n", id(node),
                                    escaped(system.name(node)))
                      : fmt::format("    <node id=\"{}\"/>\n", id(node));
    for (std::size_t e = 0; e < head.edge_count(); ++e) {
        const std::string ends =
            fmt::format("source=\"{}\" target=\"{}\"", id(head.sources()[e]), id(head.destinations()[e]));
        const Rational weight = head.weight(e);
        text += weight == 1 ? fmt::format("    <edge {}/>\n", ends)
                            : fmt::format("    <edge {}><data key=\"weight\">{}</data></edge>\n", ends,
                                          to_string(weight));
    }
    return text + "  </graph>\n</graphml>\n";
}

}  // namespace crosshead
