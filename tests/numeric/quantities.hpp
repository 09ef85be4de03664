// What a measured quantity must hold.
#pragma once

#include <gtest/gtest.h>

#include <crosshead/numeric/quantity.hpp>

namespace crosshead::testing {

/// The relative width that a few hundred roundings make: an enclosure may not be wider.
inline const Rational narrow = rational_from_dyadic(0x1p-40);

/// Exact and equal, where it is to be exact; else an enclosure that holds the truth and is narrow beside
/// `scale`. 2^-1000 stands for what no double can tell from zero.
inline ::testing::AssertionResult holds(const Quantity& quantity, const Rational& truth, bool exact,
                                        const Rational& scale) {
    const auto no = [&](const char* what) {
        return ::testing::AssertionFailure() << to_text(quantity) << " for " << truth << ": " << what;
    };
    if (quantity.infinite || !quantity.enclosure.contains(truth)) return no("not held");
    if (exact && !quantity.exact) return no("not exact");
    if (quantity.exact && *quantity.exact != truth) return no("wrong");
    const Rational width =
        rational_from_dyadic(quantity.enclosure.upper()) - rational_from_dyadic(quantity.enclosure.lower());
    if (width > scale * narrow + rational_from_dyadic(0x1p-1000)) return no("wide");
    return ::testing::AssertionSuccess();
}
inline ::testing::AssertionResult holds(const Quantity& quantity, const Rational& truth, bool exact) {
    return holds(quantity, truth, exact, truth);
}

}  // namespace crosshead::testing
