// Text to conjecture: grammar, types, and errors that point at the place (docs/conjectures.md).
#pragma once

#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// Parses and type-checks a statement. `place` opens error messages ("--conjecture", "mine.claim:4").
/// `parameters`: texts like "eps in {1/2,1/4}" or "k in 1..5", in order, each a variable of its own with
/// constant rational values. A statement that begins with "forall x in {constants}:" or "forall x in a..b:" with constant ends gives
/// parameters too (they are taken off the root). A name `eps` that nothing binds becomes a parameter with the
/// values `default_epsilons`.
/// Throws InputError: message, the line of the text, a caret line under the offending part, and a remedy.
Conjecture parse_conjecture(std::string_view text, std::string_view place,
                            const std::vector<std::string>& parameters = {},
                            const std::vector<Rational>& default_epsilons = {Rational(1, 2), Rational(1, 4),
                                                                             Rational(1, 10),
                                                                             Rational(1, 100)});

/// The canonical text of an expression, with `parameters` values where given names: parse_conjecture gives
/// the same tree back.
std::string to_text(const Expression& expression, const std::vector<std::string>& slot_names);

}  // namespace crosshead
