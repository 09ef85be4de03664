#include "table.hpp"

#include <algorithm>

namespace crosshead {
namespace {

/// Code points of UTF-8 text: every byte that does not continue one.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string escaped(const std::string& cell) {
    std::string result;
    for (const char c : cell) result += c == '|' ? std::string("\\|") : std::string(1, c);
    return result;
}

}  // namespace

void Table::add(std::vector<std::string> row) {
    row.resize(rows_.front().size());
    for (auto& cell : row)
        for (char& c : cell)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    rows_.push_back(std::move(row));
}

std::string Table::text() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
    std::string result;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string padding(widths[c] - width(row[c]), ' ');
            line += c == 0                   ? row[c] + padding
                    : cells_ == Cells::prose ? "  " + row[c] + padding
                                             : "  " + padding + row[c];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + "\n";
    }
    return result;
}

std::string Table::markdown() const {
    std::string result;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        result += "|";
        for (const auto& cell : rows_[r]) result += " " + escaped(cell) + " |";
        result += "\n";
        if (r > 0) continue;
        result += "|";
        for (std::size_t c = 0; c < rows_[r].size(); ++c)
            result += c == 0 || cells_ == Cells::prose ? " --- |" : " ---: |";
        result += "\n";
    }
    return result;
}

}  // namespace crosshead
