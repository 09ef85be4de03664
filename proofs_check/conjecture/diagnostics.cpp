#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <crosshead/graphs/error.hpp>
#include <crosshead/proofs_check/conjecture/diagnostics.hpp>

namespace crosshead {
namespace {

/// Code points shown of a long line, on each side of the caret.
constexpr std::size_t shown_before = 50, shown_after = 60;

/// The code points of a line, each as text that prints in one column; invalid bytes become "?".
struct Column {
    std::size_t byte;  // in the whole text
    std::string shown;
};

std::vector<Column> columns_of(std::string_view whole, std::size_t begin, std::size_t end) {
    std::vector<Column> columns;
    for (std::size_t at = begin; at < end;) {
        const std::size_t length = utf8_length(whole, at);
        const auto byte = static_cast<unsigned char>(whole[at]);
        const bool printable = length > 0 && at + length <= end && byte >= 0x20 && byte != 0x7f;
        if (printable)
            columns.push_back({at, std::string(whole.substr(at, length))});
        else if (byte == '\t' || byte == '\r')
            columns.push_back({at, " "});
        else
            columns.push_back({at, "?"});
        at += printable ? length : 1;
    }
    while (!columns.empty() && columns.back().shown == " ") columns.pop_back();
    return columns;
}

/// Swaps of neighbours count as one edit (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

}  // namespace

SourceText whole_text(std::string_view text, std::string_view place) {
    return {text, 0, text.size(), std::string(place), false};
}

std::string place_of(const SourceText& source, std::size_t at) {
    const auto whole = source.whole;
    const auto before = whole.substr(0, source.begin + at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    if (source.numbered) return fmt::format("{}:{}", source.place, line);
    const bool several = whole.find('\n') != std::string_view::npos;
    return several ? fmt::format("{}, line {}", source.place, line) : source.place;
}

void fail_at(const SourceText& source, SourceRange where, std::string_view message) {
    const auto whole = source.whole;
    const std::size_t begin = std::min(source.begin + where.begin, whole.size());
    const std::size_t end = std::min(source.begin + std::max(where.begin, where.end), whole.size());
    const std::size_t before = begin == 0 ? std::string_view::npos : whole.rfind('\n', begin - 1);
    const std::size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t line_end = std::min(whole.find('\n', begin), whole.size());

    const auto columns = columns_of(whole, line_begin, line_end);
    const auto column_of = [&](std::size_t byte) {
        return static_cast<std::size_t>(
            std::count_if(columns.begin(), columns.end(), [&](const Column& c) { return c.byte < byte; }));
    };
    const std::size_t first = column_of(begin), last = std::max(column_of(end), first + 1);
    const std::size_t from = first > shown_before ? first - shown_before : 0;
    const std::size_t to = std::min(columns.size(), first + shown_after);

    std::string shown = from > 0 ? "…" : "", caret = from > 0 ? " " : "";
    for (std::size_t i = from; i < to; ++i) shown += columns[i].shown;
    if (to < columns.size()) shown += "…";
    caret += std::string(first - from, ' ') + "^" +
             std::string(std::max(std::min(last, std::max(to, first + 1)) - first, std::size_t{1}) - 1, '~');
    throw InputError(
        fmt::format("{}: {}\n    {}\n    {}", place_of(source, where.begin), message, shown, caret));
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
    if (at >= text.size()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const unsigned second = byte(1);
    const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool surrogate = lead == 0xed && second >= 0xa0, beyond = lead == 0xf4 && second >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

void check_characters(const SourceText& source, std::size_t most) {
    const auto text = source.text();
    if (text.size() > most)
        fail_at(
            source, {0, 1},
            fmt::format("the text is {} bytes long, and at most {} are read; split it", text.size(), most));
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = utf8_length(text, at);
        if (length == 0)
            fail_at(source, {at, at + 1},
                    fmt::format("byte 0x{:02x} is not UTF-8; save the text as UTF-8, or write it in ASCII "
                                "(<= for ≤, phi for φ)",
                                byte));
        if ((byte < 0x20 && byte != '\n' && byte != '\t' && byte != '\r') || byte == 0x7f)
            fail_at(source, {at, at + 1},
                    fmt::format("character 0x{:02x} is a control character; remove it", byte));
        at += length;
    }
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
    constexpr std::size_t longest_name = 40;  // longer ones are no slips of the pen, and cost quadratic time
    if (name.size() > longest_name) return "";
    std::size_t least = std::max<std::size_t>(name.size() / 3, name.size() > 1 ? 1 : 0) + 1;
    std::vector<std::string_view> nearest;
    for (const auto candidate : candidates) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance >= std::max(candidate.size(), std::size_t{1}) && distance > 0) continue;
        if (distance < least) nearest.clear();
        least = std::min(least, distance);
        const bool worthy =
            distance == least && distance <= std::max<std::size_t>(name.size() / 3, name.size() > 1 ? 1 : 0);
        if (worthy && std::find(nearest.begin(), nearest.end(), candidate) == nearest.end())
            nearest.push_back(candidate);
    }
    constexpr std::size_t most_named = 4;
    if (nearest.empty() || nearest.size() > most_named) return "";
    std::string text = "did you mean ";
    for (std::size_t i = 0; i < nearest.size(); ++i)
        text += (i == 0 ? "" : i + 1 == nearest.size() ? " or " : ", ") + std::string(nearest[i]);
    return text + "?";
}

}  // namespace crosshead
