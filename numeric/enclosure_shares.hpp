// What the word algorithms (exact/words.hpp) ask of a scalar, for enclosures: an order, by the upper ends, so
// that whatever best-first search leaves behind is bounded by what it took.
#pragma once

#include <algorithm>
#include <crosshead/numeric/enclosure.hpp>

namespace crosshead {

inline bool larger_share(const Enclosure& a, const Enclosure& b) {
    return a.upper() > b.upper();
}
inline Enclosure larger_of(const Enclosure& a, const Enclosure& b) {
    return {std::max(a.lower(), b.lower()), std::max(a.upper(), b.upper())};
}

}  // namespace crosshead
