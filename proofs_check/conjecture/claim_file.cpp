#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <crosshead/proofs_check/conjecture/claim_file.hpp>
#include <crosshead/proofs_check/conjecture/statement.hpp>
#include <map>

namespace crosshead {
namespace {

constexpr std::array<std::string_view, 10> known_keys = {
    "claim", "source", "published", "reading", "statement", "forall", "kind", "mutant", "nodes", "heads"};
constexpr std::string_view blanks = " \t\r\n";

/// A key with its value; ranges are bytes of the file.
struct Entry {
    std::string_view key;
    SourceRange key_where, value;
};

SourceRange trimmed(std::string_view text, SourceRange range) {
    while (range.begin < range.end && blanks.find(text[range.begin]) != std::string_view::npos) ++range.begin;
    while (range.end > range.begin && blanks.find(text[range.end - 1]) != std::string_view::npos) --range.end;
    return range;
}

bool is_repeatable(std::string_view key) {
    return key == "forall" || key == "mutant";
}

class ClaimFileReader {
  public:
    ClaimFileReader(std::string_view bytes, const std::string& place)
        : file_{bytes, 0, bytes.size(), place, true} {}

    std::vector<ClaimText> read() {
        check_characters(file_, max_claim_file_bytes);
        split();
        std::vector<ClaimText> claims;
        for (std::size_t i = 0; i < entries_.size();) {
            if (entries_[i].key != "claim")
                fail(entries_[i].key_where, "a claim begins with its id; write `claim: my-claim` first");
            std::size_t end = i + 1;
            while (end < entries_.size() && entries_[end].key != "claim") ++end;
            claims.push_back(claim(i, end));
            i = end;
        }
        if (claims.empty())
            fail({0, 0},
                 "the file holds no claim; write `claim: my-claim` and `statement: tmix(eps) <= 2*N/p`");
        return claims;
    }

  private:
    [[noreturn]] void fail(SourceRange where, std::string_view message) const {
        fail_at(file_, where, message);
    }
    std::string_view bytes(SourceRange where) const {
        return file_.whole.substr(where.begin, where.end - where.begin);
    }
    int line_of(std::size_t at) const {
        const auto before = file_.whole.substr(0, at);
        return static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    }

    /// Cuts the file into entries.
    void split() {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        const auto whole = file_.whole;
        for (std::size_t at = whole.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
             at < whole.size();) {
            const SourceRange line{at, std::min(whole.find('\n', at), whole.size())};
            at = line.end + 1;
            const auto content = trimmed(whole, line);
            if (content.begin == content.end || whole[content.begin] == '#') continue;
            if (content.begin == line.begin)
                entries_.push_back(entry(content));
            else if (entries_.empty())
                fail(content,
                     "an indented line continues a value, and there is none yet; begin with `claim: "
                     "my-claim`");
            else
                entries_.back().value.end = content.end;
        }
        for (auto& entry : entries_) {
            entry.value = trimmed(whole, entry.value);
            if (entry.value.begin == entry.value.end)
                fail(entry.key_where, fmt::format("`{}` has no value; write it after the colon", entry.key));
        }
    }

    Entry entry(SourceRange content) const {
        const auto text = bytes(content);
        const auto colon = text.find(':');
        if (colon == std::string_view::npos)
            fail(content,
                 "this is neither `key: value` nor a comment; to continue the value above, indent the line");
        const auto where = trimmed(file_.whole, {content.begin, content.begin + colon});
        const auto key = bytes(where);
        if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end()) {
            std::string list;
            for (const auto known : known_keys) list += (list.empty() ? "" : ", ") + std::string(known);
            const auto near = did_you_mean(key, known_keys);
            fail(where.begin == where.end ? content : where,
                 fmt::format(
                     "unknown key \"{}\"; {}", key,
                     near.empty()
                         ? fmt::format("there are {} (a line that continues a value is indented)", list)
                         : near));
        }
        return {key, where, {content.begin + colon + 1, content.end}};
    }

    /// Entries [first, last), of which the first is the id.
    ClaimText claim(std::size_t first, std::size_t last) {
        ClaimText result;
        result.line = line_of(entries_[first].key_where.begin);
        const Entry* statement = nullptr;
        std::vector<SourceText> parameters, mutants;
        std::map<std::string_view, const Entry*> seen;
        for (std::size_t i = first; i < last; ++i) {
            const auto& entry = entries_[i];
            const auto [earlier, fresh] = seen.emplace(entry.key, &entry);
            if (!fresh && !is_repeatable(entry.key))
                fail(entry.key_where,
                     fmt::format("`{}` stands twice in this claim, on lines {} and {}; remove one", entry.key,
                                 line_of(earlier->second->key_where.begin), line_of(entry.key_where.begin)));
            take(entry, result);
            if (entry.key == "statement") statement = &entry;
            if (entry.key == "forall") parameters.push_back(window(entry));
            if (entry.key == "mutant") mutants.push_back(window(entry));
        }
        if (statement == nullptr)
            fail(entries_[first].key_where,
                 fmt::format("claim {} has no statement; add `statement: …`", result.id));
        // any positive value does: reading depends on nothing else
        const std::vector<Rational> epsilons = {Rational(1, 4)};
        parse_statement(window(*statement), parameters, epsilons);
        for (const auto& mutant : mutants) parse_statement(mutant, parameters, epsilons);
        return result;
    }

    SourceText window(const Entry& entry) const {
        return {file_.whole, entry.value.begin, entry.value.end, file_.place, true};
    }

    void take(const Entry& entry, ClaimText& claim) {
        const auto& key = entry.key;
        if (key == "claim") claim.id = id(entry);
        if (key == "source") claim.source = joined(entry, false);
        if (key == "published") claim.published = joined(entry, false);
        if (key == "reading") claim.reading = joined(entry, false);
        if (key == "statement") claim.statement = joined(entry, true);
        if (key == "forall") claim.parameters.push_back(joined(entry, true));
        if (key == "mutant") claim.mutants.push_back(joined(entry, true));
        if (key == "kind") claim.existential = existential(entry);
        if (key == "nodes") claim.nodes = range(entry);
        if (key == "heads") claim.heads = range(entry);
    }

    std::string id(const Entry& entry) {
        const auto text = bytes(entry.value);
        const bool good = std::all_of(text.begin(), text.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        });
        if (!good) fail(entry.value, "an id consists of a-z, 0-9 and -; write one such as `mixing-literal`");
        const int line = line_of(entry.key_where.begin);
        const auto [earlier, fresh] = ids_.emplace(text, line);
        if (!fresh)
            fail(entry.value,
                 fmt::format("claim {} stands twice in this file, on lines {} and {}; rename one", text,
                             earlier->second, line));
        return std::string(text);
    }

    /// The lines of a value, joined by blanks. Whole lines that are comments are left out, and where `code`
    /// is set, comments behind a text too: in prose, "Theorem #3" is no comment.
    std::string joined(const Entry& entry, bool code) const {
        std::string text;
        for (std::size_t at = entry.value.begin; at < entry.value.end;) {
            SourceRange line{at, std::min(file_.whole.find('\n', at), entry.value.end)};
            at = line.end + 1;
            const auto comment = bytes(line).find('#');
            const auto content = trimmed(file_.whole, line);
            if (content.begin < content.end && file_.whole[content.begin] == '#' &&
                line.begin != entry.value.begin)
                continue;
            if (code && comment != std::string_view::npos) line.end = line.begin + comment;
            const auto kept = bytes(trimmed(file_.whole, line));
            if (!kept.empty()) text += (text.empty() ? "" : " ") + std::string(kept);
        }
        return text;
    }

    bool existential(const Entry& entry) const {
        const auto text = bytes(entry.value);
        if (text != "universal" && text != "existential")
            fail(entry.value, "a kind is `universal` (every system) or `existential` (one system suffices)");
        return text == "existential";
    }

    std::pair<int, int> range(const Entry& entry) const {
        constexpr int most = 1'000'000;
        const auto text = bytes(entry.value);
        const auto dots = text.find("..");
        const auto integer = [&](std::string_view part) {
            const auto first = part.find_first_not_of(blanks), last = part.find_last_not_of(blanks);
            part = first == std::string_view::npos ? "" : part.substr(first, last + 1 - first);
            int value = 0;
            const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
            if (part.empty() || error != std::errc() || end != part.data() + part.size() || value < 1 ||
                value > most)
                fail(entry.value,
                     fmt::format("`{}` is a number from 1 on or a range; write `{}: 3` or `{}: 2..4`",
                                 entry.key, entry.key, entry.key));
            return value;
        };
        const int first = integer(text.substr(0, dots));
        const int last = dots == std::string_view::npos ? first : integer(text.substr(dots + 2));
        if (first > last)
            fail(entry.value, fmt::format("the range is empty; write `{}: {}..{}`", entry.key, last, first));
        return {first, last};
    }

    SourceText file_;
    std::vector<Entry> entries_;
    std::map<std::string_view, int> ids_;  // id → line
};

}  // namespace

std::vector<ClaimText> parse_claim_file(std::string_view bytes, const std::string& place) {
    return ClaimFileReader(bytes, place).read();
}

}  // namespace crosshead
