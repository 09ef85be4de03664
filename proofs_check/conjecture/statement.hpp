// Statements and parameters that are windows of a larger text: what parser.hpp and claim_file.hpp share.
#pragma once

#include <crosshead/proofs_check/conjecture/diagnostics.hpp>
#include <crosshead/proofs_check/conjecture/expression.hpp>
#include <vector>

namespace crosshead {

/// Values of one parameter, at most.
inline constexpr int max_parameter_values = 10'000;

/// parse_conjecture of parser.hpp, with errors that point into the texts that the windows belong to.
/// Conjecture::text is the window of `statement`.
Conjecture parse_statement(const SourceText& statement, const std::vector<SourceText>& parameters,
                           const std::vector<Rational>& default_epsilons);

}  // namespace crosshead
