// Values of expressions without names: what can be checked while a conjecture is read.
#pragma once

#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <optional>
#include <span>

namespace crosshead {

bool is_integer(const Rational& value);

/// The value of an operation on constants; nothing where an operand is not constant, where the operation is
/// undefined or irrational, or where the result would be large enough to slow down reading.
std::optional<Rational> constant_result(Operation operation,
                                        std::span<const std::optional<Rational>> operands);

}  // namespace crosshead
