#include <crosshead/graphs/random_source.hpp>

namespace crosshead {

std::uint64_t RandomSource::below(std::uint64_t bound) {
    // 2^64 mod bound values at the bottom would come up once too often.
    const std::uint64_t surplus = (0 - bound) % bound;
    for (;;)
        if (const std::uint64_t word = bits(); word >= surplus) return word % bound;
}

bool RandomSource::chance(const Rational& p) {
    // Compares p with a uniform real in [0, 1), 64 binary digits at a time; one word decides nearly always.
    Rational rest = p;
    while (rest > 0 && rest < 1) {
        const Integer scaled = Integer(numerator(rest) << 64);
        const Integer digits = scaled / denominator(rest);
        const Integer word = bits();
        if (word != digits) return word < digits;
        rest = Rational(Integer(scaled - digits * denominator(rest)), denominator(rest));
    }
    return rest >= 1;
}

}  // namespace crosshead
