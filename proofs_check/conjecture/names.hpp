// The words of the conjecture language: functions, reserved words, and what people write instead of them.
#pragma once

#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

struct FunctionInfo {
    std::string_view name;
    Operation operation;
    std::size_t fewest, most;  // arguments
    std::string_view signature;
};

/// In the order in which help lists them.
std::span<const FunctionInfo> functions();
/// nullptr where no function has that name.
const FunctionInfo* find_function(std::string_view name);

/// "tmix[h](eps)" with what must be there: "tmix(eps)", "alpha[h]", "edge(i, j)".
std::string signature(const QuantityInfo& info);

/// ASCII spelling of a name: φ and ϕ become phi, ε and ϵ eps, α alpha, β beta.
std::string canonical_name(std::string_view name);

/// What a variable may not be called, and why: "a quantity", "a function", "a word of the language"; empty
/// for names that are free.
std::string_view why_reserved(std::string_view name);

/// What to write in place of a name that other tools or papers use ("log": "ln(x)"); empty where there is
/// none.
std::string_view usual_replacement(std::string_view name);

/// The end of an error about the unknown `name`: the nearest known names, or all of them.
std::string advice_for_unknown(std::string_view name, std::span<const std::string> variables);

}  // namespace crosshead
