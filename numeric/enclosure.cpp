#include <mpfr.h>

#include <cmath>
#include <crosshead/numeric/enclosure.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

double rounded(const Rational& value, mpfr_rnd_t direction) {
    mpfr_t result;
    mpfr_init2(result, 53);
    mpfr_set_q(result, value.backend().data(), direction);
    const double converted = mpfr_get_d(result, direction);
    mpfr_clear(result);
    return converted;
}

std::string decimal(double value, mpfr_rnd_t direction) {
    if (std::isinf(value)) return "inf";
    mpfr_t exact;
    mpfr_init2(exact, 53);
    mpfr_set_d(exact, value, MPFR_RNDN);
    char text[64];
    mpfr_snprintf(text, sizeof text, direction == MPFR_RNDD ? "%.17RDg" : "%.17RUg", exact);
    mpfr_clear(exact);
    return text;
}

}  // namespace

Enclosure::Enclosure(double lower, double upper) : lower_(lower), upper_(upper) {
    if (!(lower >= 0 && lower <= upper))
        throw std::invalid_argument("an enclosure needs 0 <= lower <= upper");
}

Enclosure Enclosure::of(const Rational& value) {
    if (value < 0) throw std::invalid_argument("an enclosure holds non-negative numbers");
    return raw(rounded(value, MPFR_RNDD), rounded(value, MPFR_RNDU));
}

bool Enclosure::contains(const Rational& value) const {
    return rational_from_dyadic(lower_) <= value &&
           (std::isinf(upper_) || value <= rational_from_dyadic(upper_));
}

Decision less(const Enclosure& a, const Enclosure& b) {
    if (a.upper() < b.lower()) return Decision::yes;
    return a.lower() >= b.upper() ? Decision::no : Decision::undecided;
}

Decision less_equal(const Enclosure& a, const Enclosure& b) {
    return negated(less(b, a));
}

Decision negated(Decision decision) {
    if (decision == Decision::undecided) return decision;
    return decision == Decision::yes ? Decision::no : Decision::yes;
}

std::string decimal_down(double value) {
    return decimal(value, MPFR_RNDD);
}
std::string decimal_up(double value) {
    return decimal(value, MPFR_RNDU);
}

}  // namespace crosshead
