// What the grammar's failures mean to a reader: the text is cut into tokens once more, and the ones around
// the failure tell what is missing or which spelling of another language stands there.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <crosshead/proofs_check/conjecture/names.hpp>
#include <crosshead/proofs_check/conjecture/syntax.hpp>
#include <optional>

namespace crosshead {
namespace {

bool is_name_byte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_';
}

/// Bytes of the token at `at`, which is no blank: a run of letters and digits, a two-character operator, or
/// one code point.
std::size_t token_length(std::string_view text, std::size_t at) {
    std::size_t length = 0;
    const auto here = [&] { return at + length < text.size() ? text[at + length] : '\0'; };
    const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    while (is_name_byte(here()) || (number && length > 0 && here() == '.' && at + length + 1 < text.size() &&
                                    std::isdigit(static_cast<unsigned char>(text[at + length + 1])) != 0))
        ++length;
    if (length > 0) return length;
    for (const std::string_view two : {"=>", "<=", ">=", "==", "!=", ".."})
        if (text.substr(at).starts_with(two)) return two.size();
    return std::max<std::size_t>(utf8_length(text, at), 1);
}

std::vector<SourceRange> tokens_of(std::string_view text) {
    constexpr std::string_view no_break_space = "\u00a0";
    std::vector<SourceRange> tokens;
    for (std::size_t at = 0; at < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
            ++at;
        } else if (text.substr(at).starts_with(no_break_space)) {
            at += no_break_space.size();
        } else if (text[at] == '#') {
            at = std::min(text.find('\n', at), text.size());
        } else {
            const std::size_t length = token_length(text, at);
            tokens.push_back({at, at + length});
            at += length;
        }
    }
    return tokens;
}

struct Spelling {
    std::string_view wrong, advice;
};

/// Longer spellings first: the first that covers the failure is the one that is named.
constexpr Spelling symbols[] = {
    {"<=>", "for equivalence write `(a => b) and (b => a)`"},
    {"<->", "for equivalence write `(a => b) and (b => a)`"},
    {"==>", "write `=>` for implication"},
    {"-->", "write `=>` for implication"},
    {"===", "write `==`"},
    {"!==", "write `!=`"},
    {"&&", "write `and`"},
    {"||", "write `or`"},
    {"->", "write `=>` for implication"},
    {"**", "write `^` for a power"},
    {"<>", "write `!=`"},
    {"=<", "write `<=`"},
    {":=", "write `==` for equality"},
    {"!", "write `not` for negation (and `!=` for ≠)"},
    {"&", "write `and`"},
    {"|", "write `or`; for an absolute value, `abs(x)`"},
    {"~", "write `not` for negation"},
    {"%", "there is no remainder; `floor(x)` is there"},
    {"→", "write `=>` for implication"},
    {"⟹", "write `=>` for implication"},
    {"⇔", "for equivalence write `(a => b) and (b => a)`"},
    {"≡", "write `==`"},
    {"≲", "write `<=` and the constant that is meant: every constant must be written out"},
    {"√", "write `sqrt(x)`"},
    {"∑", "write `sum h in heads: …`"},
    {"Σ", "write `sum h in heads: …`"},
    {"∏", "write `prod h in heads: …`"},
    {"⌈", "write `ceil(x)`"},
    {"⌊", "write `floor(x)`"},
    {"÷", "write `/`"},
    {"τ", "the sink is node `n - 1`"},
    {"∞", "infinity cannot be written; a mixing time that does not exist counts as infinite by itself"},
};

constexpr Spelling words[] = {
    {"iff", "for equivalence write `(a => b) and (b => a)`"},
    {"implies", "write `=>` for implication"},
    {"then", "write `a => b` for \"if a then b\""},
    {"if", "write `a => b` for \"if a then b\""},
    {"xor", "write `(a or b) and not (a and b)`"},
    {"mod", "there is no remainder; `floor(x)` is there"},
    {"for", "write `forall h in heads: …`"},
    {"foreach", "write `forall h in heads: …`"},
    {"there", "write `exists h in heads: …`"},
    {"exist", "write `exists h in heads: …`"},
    {"all", "write `forall h in heads: …`"},
    {"such", "write `exists h in heads: …`, with a colon before the body"},
};

/// A failure, and the tokens around it.
class Explanation {
  public:
    Explanation(const SourceText& source, Expected expected, std::size_t offset)
        : source_(source),
          text_(source.text()),
          expected_(expected),
          offset_(offset),
          tokens_(tokens_of(text_)) {
        while (next_ < tokens_.size() && tokens_[next_].begin < offset) ++next_;
        for (std::size_t i = 0; i < next_; ++i) {
            const auto token = shown(tokens_[i]);
            if (token == "(" || token == "[" || token == "{") open_.push_back(tokens_[i]);
            if ((token == ")" || token == "]" || token == "}") && !open_.empty()) open_.pop_back();
        }
    }

    [[noreturn]] void raise() const {
        other_spelling();
        switch (expected_) {
            case Expected::operand:
                missing_operand();
            case Expected::bound_name:
                missing_name();
            case Expected::in_word:
                missing_in();
            case Expected::domain:
                fail(here(),
                     "a domain is missing after `in`; there are heads, nodes, nonsink, a..b and {x, y, …}");
            case Expected::colon:
                fail(here(), fmt::format("`:` is missing{}; a binder is written `forall h in heads: body`",
                                         before_next()));
            case Expected::close_round:
            case Expected::close_square:
            case Expected::close_curly:
            case Expected::end_of_text:
                break;
        }
        unexpected_token();
    }

  private:
    std::string_view shown(SourceRange where) const {
        return text_.substr(where.begin, where.end - where.begin);
    }
    bool at_end() const { return next_ == tokens_.size(); }
    std::string_view next() const { return at_end() ? std::string_view() : shown(tokens_[next_]); }
    std::string_view previous() const { return next_ == 0 ? std::string_view() : shown(tokens_[next_ - 1]); }
    std::string before_next() const { return at_end() ? "" : fmt::format(" before `{}`", next()); }

    /// The token at the failure; at the end of the text, the last one.
    SourceRange here() const {
        if (!at_end()) return tokens_[next_];
        return tokens_.empty() ? SourceRange{0, 0} : tokens_.back();
    }

    [[noreturn]] void fail(SourceRange where, std::string_view message) const {
        fail_at(source_, where, message);
    }

    /// Symbols that cover the failure, and words at it or just before it.
    void other_spelling() const {
        for (const auto& symbol : symbols)
            for (std::size_t back = 0; back < std::min<std::size_t>(symbol.wrong.size(), offset_ + 1); ++back)
                if (text_.substr(offset_ - back).starts_with(symbol.wrong) &&
                    !(symbol.wrong == "!" && next() == "!="))
                    fail({offset_ - back, offset_ - back + symbol.wrong.size()},
                         fmt::format("`{}` is not an operator here; {}", symbol.wrong, symbol.advice));
        for (const std::size_t index : {next_, next_ - 1}) {
            if (index >= tokens_.size()) continue;
            std::string lower(shown(tokens_[index]));
            for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            for (const auto& word : words)
                if (word.wrong == lower)
                    fail(tokens_[index], fmt::format("`{}` is not a word of the language; {}",
                                                     shown(tokens_[index]), word.advice));
            if (lower != shown(tokens_[index]) && why_reserved(lower) == "a word of the language")
                fail(tokens_[index], fmt::format("words are written in lower case: `{}`", lower));
        }
    }

    [[noreturn]] void missing_operand() const {
        if (tokens_.empty()) fail({0, 0}, "the statement is empty; write one such as `tmix(eps) <= 2*N/p`");
        const bool digit_follows =
            offset_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[offset_ + 1])) != 0;
        if (next() == "." && digit_follows)
            fail(here(), "a decimal needs a digit before the point; write `0.5` for `.5`");
        if (next_ == 0)
            fail(here(), fmt::format("a statement cannot begin with `{}`; write one such as "
                                     "`tmix(eps) <= 2*N/p`",
                                     next()));
        fail(tokens_[next_ - 1],
             fmt::format("an expression is missing after `{}`{}; write a number, a quantity or a "
                         "parenthesis there",
                         previous(), before_next()));
    }

    [[noreturn]] void missing_name() const {
        const auto word = previous();
        if (next_ == 0)
            fail(here(), "a parameter begins with its name; write one such as `eps in {1/2, 1/4}`");
        if (word == "min" || word == "max")
            fail(tokens_[next_ - 1], fmt::format("`{0}` stands alone; write `{0}(a, b)` for numbers or "
                                                 "`{0} h in heads: …` over a domain",
                                                 word));
        fail(tokens_[next_ - 1],
             fmt::format("the name of a variable is missing after `{0}`; write `{0} h in heads: …`", word));
    }

    [[noreturn]] void missing_in() const {
        if (next() == ",")
            fail(here(), "a binder has one variable; write `forall i in nodes: forall j in nodes: …`");
        fail(here(),
             fmt::format("`in` and a domain are missing{}; write `{} in heads`, nodes, nonsink, a..b or "
                         "{{x, y, …}}",
                         before_next(), previous()));
    }

    /// After a whole expression: something that cannot follow it, or a bracket that is never closed.
    [[noreturn]] void unexpected_token() const {
        const auto token = next();
        if (next_ > 0 && tokens_[next_ - 1].end > offset_) missing_operator_within(tokens_[next_ - 1]);
        if (at_end() && !open_.empty())
            fail(open_.back(), fmt::format("this `{}` is never closed; add `{}`", shown(open_.back()),
                                           closing(shown(open_.back()))));
        if (token == ")" || token == "]" || token == "}") {
            if (open_.empty()) fail(here(), fmt::format("this `{}` closes nothing; remove it", token));
            fail(open_.back(), fmt::format("this `{}` is closed by `{}`; it needs `{}`", shown(open_.back()),
                                           token, closing(shown(open_.back()))));
        }
        if (token == ",")
            fail(here(),
                 "`,` stands between arguments and in {x, y, …} alone; to join statements write `and`");
        if (token == ":") fail(here(), "`:` belongs to a binder; write `forall h in heads: …`");
        if (token == "..") fail(here(), "`a..b` is a domain; write `forall t in a..b: …`");
        if (token == ".") fail(here(), "a digit is missing after the point; write `5` or `5.0` for `5.`");
        if (token == "[")
            fail(here(), "`[…]` stands right after the name of a quantity; write `tmix[h](1/4)`");
        if (token == "{") fail(here(), "`{…}` is a domain; write `forall x in {1, 2}: …`");
        if (!token.empty() && (is_name_byte(token[0]) || token == "(" || canonical_name(token) != token))
            missing_operator(token);
        fail(here(), fmt::format("`{}` was not expected here; an operator such as `+`, `<=` or `and`, or the "
                                 "end, was",
                                 token));
    }

    [[noreturn]] void missing_operator(std::string_view token) const {
        if (expected_ == Expected::close_curly)
            fail(here(), fmt::format("`,` or `}}` is missing before `{}`; write {{x, y, …}}", token));
        fail(here(),
             fmt::format(
                 "an operator is missing between `{0}` and `{1}`; to multiply write `{0} * {2}`, to join "
                 "statements `and`",
                 previous(), token, token == "(" ? "(…)" : token));
    }

    /// "2n", "1.5.2": the tokens here take letters and points together with the number before them.
    [[noreturn]] void missing_operator_within(SourceRange token) const {
        if (text_[offset_] == '.') fail(token, "a number has one decimal point");
        fail(token, fmt::format("an operator is missing in `{}`; to multiply write `{} * {}`", shown(token),
                                shown({token.begin, offset_}), shown({offset_, token.end})));
    }

    static std::string_view closing(std::string_view opening) {
        return opening == "(" ? ")" : opening == "[" ? "]" : "}";
    }

    const SourceText& source_;
    std::string_view text_;
    Expected expected_;
    std::size_t offset_;
    std::vector<SourceRange> tokens_;
    std::size_t next_ = 0;           // first token at or after the failure
    std::vector<SourceRange> open_;  // brackets open there
};

}  // namespace

void explain_syntax_error(const SourceText& source, Expected expected, std::size_t offset) {
    Explanation(source, expected, offset).raise();
}

}  // namespace crosshead
