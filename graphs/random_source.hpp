// Portable randomness: the same seed gives the same numbers with every compiler and library.
#pragma once

#include <crosshead/graphs/rational.hpp>
#include <cstdint>
#include <random>

namespace crosshead {

/// std::mt19937_64, whose output the standard fixes, with sampling of our own: the standard leaves its
/// distributions to each library, and they work in doubles.
class RandomSource {
  public:
    explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

    /// 64 uniform bits.
    std::uint64_t bits() { return engine_(); }
    /// Uniform on 0..bound-1, exactly (by rejection). Requires bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// True with probability exactly p; p ≤ 0 never, p ≥ 1 always, neither drawing any bits.
    bool chance(const Rational& p);

  private:
    std::mt19937_64 engine_;
};

}  // namespace crosshead
