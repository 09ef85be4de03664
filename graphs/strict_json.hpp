// JSON read without losing or inventing anything: decimals keep their text, a key occurs once, depth is
// bounded.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace crosshead {

/// Deepest nesting of arrays and objects that is read.
inline constexpr std::size_t max_json_depth = 64;

/// What becomes of a JSON number that is not an integer of 64 bits.
enum class Decimals {
    as_text,    ///< its text, as a value of type binary (see decimal_text), so that 0.06 stays 6/100
    as_double,  ///< the nearest double: for text that a program printed from floats, which that restores
};

/// The whole text as one JSON value. Throws InputError opening with `place`: what is not JSON (line and
/// column), a key given twice in one object (its path), nesting beyond max_json_depth.
nlohmann::json parse_strict_json(std::string_view text, const std::string& place, Decimals decimals);

/// True for a number kept as text; every other reader sees a type that it does not expect, so none takes it
/// for a string by mistake.
bool is_decimal_text(const nlohmann::json& value);
std::string decimal_text(const nlohmann::json& value);

/// The value as it was written, cut to a length fit for a message.
std::string shown_json(const nlohmann::json& value);

}  // namespace crosshead
