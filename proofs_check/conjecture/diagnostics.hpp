// Texts that errors can point into, and the nearest known name to a wrong one.
#pragma once

#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// Longest statement, in bytes.
inline constexpr std::size_t max_statement_bytes = 64 * 1024;

/// A statement, or a parameter, as a window of the text that it was read from: errors show the lines of the
/// whole text and count them from its beginning. Borrows `whole`.
struct SourceText {
    std::string_view whole;
    std::size_t begin = 0, end = 0;  // the window, in bytes of `whole`
    std::string place;
    bool numbered = false;  // a file: the place of an error is "place:line"

    std::string_view text() const { return whole.substr(begin, end - begin); }
};

/// A text that is its own window: "--conjecture", whose lines are named only where there are several.
SourceText whole_text(std::string_view text, std::string_view place);

/// Throws InputError: place, `message` (what is wrong and what to do), the line, and a caret line under
/// `where` (bytes of the window). Columns are counted in code points. Long lines are shown in part.
[[noreturn]] void fail_at(const SourceText& source, SourceRange where, std::string_view message);

/// "mine.claim:7" or "--conjecture, line 2" for byte `at` of the window.
std::string place_of(const SourceText& source, std::size_t at);

/// Refuses windows longer than `most` bytes, control characters (NUL too) and invalid UTF-8.
void check_characters(const SourceText& source, std::size_t most = max_statement_bytes);

/// Length in bytes of the well-formed UTF-8 sequence at `at`; 0 where there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Every wrong-name message ends alike: "did you mean a or b?" for the candidates at the least edit distance
/// (insert, delete, replace, swap of neighbours; upper and lower case count as equal) if that is small for
/// the length of `name`; else empty.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace crosshead
