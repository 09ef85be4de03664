// Claim files: conjectures kept with their source and reading (docs/conjectures.md, "Claim files").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosshead {

/// Largest claim file, in bytes.
inline constexpr std::size_t max_claim_file_bytes = 1024 * 1024;

/// One claim as written. Lines of a value are joined by blanks, comments left out.
struct ClaimText {
    std::string id, source, published, reading, statement;
    std::vector<std::string> parameters, mutants;     // parameters: "eps in {1/2, 1/4}"
    bool existential = false;                         // one system that satisfies the statement suffices
    std::optional<std::pair<int, int>> nodes, heads;  // both ends included
    int line = 0;                                     // of its "claim:"
};

/// Reads the claims of a file, at least one, and parses every statement and mutant with the parameters of its
/// claim, so that a file that is read is right. `place` is the file's name. Throws InputError, which names
/// file and line and points into it.
std::vector<ClaimText> parse_claim_file(std::string_view bytes, const std::string& place);

}  // namespace crosshead
