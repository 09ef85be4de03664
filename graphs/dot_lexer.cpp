// Source: the DOT language page of Graphviz's documentation (graphviz.org/doc/info/lang.html).
#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/dot_lexer.hpp>
#include <crosshead/graphs/error.hpp>

namespace crosshead {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
/// Letters, underscore and every byte beyond ASCII.
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool is_keyword(std::string_view word) {
    static constexpr std::string_view keywords[] = {"strict", "graph", "digraph", "node", "edge", "subgraph"};
    return std::ranges::find(keywords, word) != std::end(keywords);
}

}  // namespace

DotLexer::DotLexer(std::string_view text, const std::string& place) : text_(text), place_(place) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

void DotLexer::fail(std::size_t line, const std::string& why) const {
    throw InputError(fmt::format("{}: line {}: {}", place_, line, why));
}

void DotLexer::advance() {
    line_start_ = text_[at_] == '\n';
    if (line_start_) ++line_;
    ++at_;
}

void DotLexer::skip_blanks_and_comments() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        const auto rest = text_.substr(at_);
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            advance();
        } else if ((c == '#' && line_start_) || rest.starts_with("//")) {
            while (at_ < text_.size() && text_[at_] != '\n') advance();
        } else if (rest.starts_with("/*")) {
            const std::size_t begin = line_;
            while (at_ < text_.size() && !text_.substr(at_).starts_with("*/")) advance();
            if (at_ == text_.size()) fail(begin, "a comment does not end; close it with */");
            at_ += 2;
        } else {
            return;
        }
    }
}

/// Graphviz's rules: \" is a quote, a backslash before a line break joins the lines, every other backslash
/// stays (two of them stay two). Strings joined by + are one.
std::string DotLexer::quoted() {
    std::string value;
    for (;;) {
        const std::size_t begin = line_;
        advance();
        while (at_ < text_.size() && text_[at_] != '"') {
            const char c = text_[at_], following = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
            if (c == '\\' && (following == '"' || following == '\\' || following == '\n')) {
                if (following == '\\') value += "\\\\";
                if (following == '"') value += '"';
                advance();
            } else {
                value += c;
            }
            advance();
        }
        if (at_ == text_.size()) fail(begin, "a string does not end; close it with \"");
        advance();
        skip_blanks_and_comments();
        if (at_ == text_.size() || text_[at_] != '+') return value;
        advance();
        skip_blanks_and_comments();
        if (at_ == text_.size() || text_[at_] != '"') fail(line_, "a quoted string belongs after +");
    }
}

std::string DotLexer::html() {
    const std::size_t start = at_, begin = line_;
    int depth = 0;
    do {
        if (at_ == text_.size()) fail(begin, "an HTML string does not end; close each < with >");
        depth += text_[at_] == '<' ? 1 : text_[at_] == '>' ? -1 : 0;
        advance();
    } while (depth > 0);
    return std::string(text_.substr(start, at_ - start));
}

DotToken DotLexer::next() {
    skip_blanks_and_comments();
    DotToken token;
    token.line = line_;
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    const auto rest = text_.substr(at_);
    const std::size_t start = at_;
    token.kind = DotToken::Kind::identifier;
    if (is_letter(c)) {
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) advance();
        token.text = std::string(text_.substr(start, at_ - start));
        std::string lower = token.text;
        std::ranges::transform(lower, lower.begin(),
                               [](char l) { return l >= 'A' && l <= 'Z' ? char(l + 32) : l; });
        if (is_keyword(lower)) {
            token.kind = DotToken::Kind::keyword;
            token.text = lower;
        }
    } else if (rest.starts_with("->") || rest.starts_with("--") ||
               std::string_view("{}[];=,:").find(c) != rest.npos) {
        token.kind = DotToken::Kind::punctuation;
        const std::size_t length = c == '-' ? 2 : 1;
        token.text = std::string(rest.substr(0, length));
        for (std::size_t i = 0; i < length; ++i) advance();
    } else if (is_digit(c) || c == '.' || c == '-') {
        if (c == '-') advance();
        std::size_t digits = 0;
        for (bool point = false; at_ < text_.size(); advance()) {
            if (is_digit(text_[at_]))
                ++digits;
            else if (text_[at_] == '.' && !point)
                point = true;
            else
                break;
        }
        if (digits == 0)
            fail(token.line, fmt::format("\"{}\" is not DOT; put names with such characters in quotes", c));
        if (at_ < text_.size() && is_letter(text_[at_]))
            fail(token.line, "a name that begins with a digit; put it in quotes");
        token.text = std::string(text_.substr(start, at_ - start));
    } else if (c == '"') {
        token.text = quoted();
    } else if (c == '<') {
        token.text = html();
    } else {
        const auto code = static_cast<unsigned char>(c);
        fail(token.line, fmt::format("{} is not DOT; put names with such characters in quotes",
                                     code > 0x20 ? fmt::format("\"{}\"", c) : fmt::format("byte {}", code)));
    }
    return token;
}

}  // namespace crosshead
