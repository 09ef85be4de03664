// Why a statement holds or fails at one system: the comparison that decided, both sides, and what stands in
// them.
#pragma once

#include <crosshead/proofs_check/search/instance.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crosshead {

struct Explanation {
    Statement statement;
    std::string comparison;  // "tmix(1/10) <= 2*N/p", or the boolean quantity that decided
    /// Whether the comparison holds here: "not heads_commute" holds where heads_commute does not.
    bool comparison_holds = false;
    std::string left_text, right_text;
    std::optional<Real> left, right;
    std::vector<std::pair<std::string, Real>> bindings;    // "j" = 2, "t" = 7: where it was decided
    std::vector<std::pair<std::string, Real>> quantities;  // every quantity in the two sides, with its value
    std::vector<std::pair<std::string, Real>> steps;       // distances around a mixing time: "d(4)" = 1/8
    std::string note;                                      // why it is vacuous or undefined
};

/// Judges the instance exactly at the source's system and explains the outcome.
Explanation explain(const Instance& instance, MeasuredSource& source);

/// `expression` with parameters and bound variables replaced by their values.
std::string text_with_values(const Expression& expression, const Conjecture& conjecture,
                             const std::vector<std::pair<int, Rational>>& values);

}  // namespace crosshead
