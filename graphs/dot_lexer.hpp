// The tokens of the DOT language, with their lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crosshead {

struct DotToken {
    enum class Kind { end, identifier, keyword, punctuation };
    Kind kind = Kind::end;
    std::string text;  // identifiers without quotes and escapes; keywords in lower case
    std::size_t line = 1;

    bool is(std::string_view symbol) const {
        return (kind == Kind::punctuation || kind == Kind::keyword) && text == symbol;
    }
};

class DotLexer {
  public:
    /// `place` opens the messages of InputError: a character, string or comment that is not DOT.
    DotLexer(std::string_view text, const std::string& place);
    DotToken next();

  private:
    void skip_blanks_and_comments();
    void advance();
    std::string quoted();
    std::string html();
    [[noreturn]] void fail(std::size_t line, const std::string& why) const;

    std::string_view text_;
    const std::string& place_;
    std::size_t at_ = 0, line_ = 1;
    bool line_start_ = true;
};

}  // namespace crosshead
