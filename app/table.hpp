// Text tables: aligned columns for a terminal, pipes for Markdown.
#pragma once

#include <string>
#include <vector>

namespace crosshead {

/// Rows of cells under a header; cells hold UTF-8 and are counted in code points.
class Table {
  public:
    enum class Cells { numbers, prose };
    explicit Table(std::vector<std::string> header, Cells cells = Cells::numbers)
        : rows_{std::move(header)}, cells_(cells) {}
    /// Short rows are filled up with empty cells; control characters are shown as '?'.
    void add(std::vector<std::string> row);
    std::size_t size() const { return rows_.size() - 1; }

    /// First column left-aligned, the others right-aligned (prose: left), two spaces between.
    std::string text() const;
    std::string markdown() const;

  private:
    std::vector<std::vector<std::string>> rows_;
    Cells cells_;
};

}  // namespace crosshead
