// Sums of many long integers at once, with their carries delayed.
#pragma once

#include <gmp.h>

#include <cstddef>
#include <cstdint>

namespace crosshead::limbs {

static_assert(GMP_NUMB_BITS == 64, "the word arithmetic needs GMP words of 64 bits");

/// coefficient × the long integer that stands in row `row`.
struct Term {
    int row;
    std::uint64_t coefficient;
};

/// Words that one call sums.
inline constexpr std::size_t chunk_words = 8;

/// Σ of the coefficients of one sum must stay below this.
///
/// Overflow. Each 64-bit word is split into two 32-bit halves, each half is multiplied by its coefficient and
/// the products are added in a 64-bit accumulator: (2^32 - 1)·Σ coefficients < 2^32 · 2^31 = 2^63. Carries
/// are propagated once a sum: an accumulator plus a carry below 2^32 stays below 2^64.
inline constexpr std::uint64_t coefficient_limit = std::uint64_t{1} << 31;

/// low[w] = Σ coefficient · (word w mod 2^32), high[w] = Σ coefficient · ⌊word w / 2^32⌋, for w <
/// chunk_words, where row r of the numbers starts at from + r · stride. `units`: every coefficient is 1.
/// Requires Σ coefficients < coefficient_limit.
using SumHalves = void (*)(const mp_limb_t* from, std::size_t stride, const Term* terms, std::size_t count,
                           bool units, std::uint64_t* low, std::uint64_t* high);

void sum_halves_portable(const mp_limb_t* from, std::size_t stride, const Term* terms, std::size_t count,
                         bool units, std::uint64_t* low, std::uint64_t* high);

/// The fastest version that this processor runs.
SumHalves best_sum_halves();

/// Writes the chunk_words words of Σ (low[w] + 2^32·high[w])·2^(64 w) + carry, modulo 2^(64·chunk_words), and
/// returns the new carry. Requires low, high < 2^63 and carry < 2^32; then the result is below 2^32 as well.
std::uint64_t join_halves(const std::uint64_t* low, const std::uint64_t* high, std::uint64_t carry,
                          mp_limb_t* to);

}  // namespace crosshead::limbs
