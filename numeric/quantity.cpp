#include <algorithm>
#include <crosshead/numeric/quantity.hpp>

namespace crosshead {

double Quantity::approximation() const {
    return exact ? approximate(*exact) : enclosure.middle();
}

Quantity steps_of(const MixingTime& time) {
    if (time.never) return Quantity::infinity();
    if (time.is_exact()) return Quantity::of(Rational(time.lower));
    const double upper =
        time.upper ? Enclosure::of(Rational(*time.upper)).upper() : std::numeric_limits<double>::infinity();
    return Quantity::within({Enclosure::of(Rational(time.lower)).lower(), upper});
}

Decision less(const Quantity& a, const Quantity& b) {
    if (a.infinite) return Decision::no;
    if (b.infinite) return Decision::yes;
    if (a.exact && b.exact) return *a.exact < *b.exact ? Decision::yes : Decision::no;
    return less(a.enclosure, b.enclosure);
}

std::optional<Quantity> ratio(const Quantity& a, const Quantity& b) {
    if (a.infinite) return b.infinite ? std::nullopt : std::optional(Quantity::infinity());
    if (b.infinite) return Quantity::of(0);
    if (b.exact && *b.exact == 0) return std::nullopt;
    if (a.exact && b.exact) return Quantity::of(*a.exact / *b.exact);
    return Quantity::within(a.enclosure / b.enclosure);
}

Quantity smaller(const Quantity& a, const Quantity& b) {
    const Decision b_is_smaller = less(b, a);
    if (b_is_smaller != Decision::undecided) return b_is_smaller == Decision::yes ? b : a;
    return Quantity::within({std::min(a.enclosure.lower(), b.enclosure.lower()),
                             std::min(a.enclosure.upper(), b.enclosure.upper())});
}

Quantity larger(const Quantity& a, const Quantity& b) {
    const Decision a_is_smaller = less(a, b);
    if (a_is_smaller != Decision::undecided) return a_is_smaller == Decision::yes ? b : a;
    return Quantity::within({std::max(a.enclosure.lower(), b.enclosure.lower()),
                             std::max(a.enclosure.upper(), b.enclosure.upper())});
}

}  // namespace crosshead
