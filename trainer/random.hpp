// Randomness that gives the same numbers on every platform: std::mt19937_64 is specified to the bit, the
// distributions of the standard library are not, so those are written out here.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace crosshead {

/// A bijection of 64-bit integers that scatters them (the output function of SplitMix64).
constexpr std::uint64_t scatter(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// A seed for one purpose and one index of it (a step, an epoch), from the user's seed.
constexpr std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index = 0) {
    return scatter(scatter(scatter(seed) ^ purpose) ^ index);
}

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// Uniform on 0..count-1, without bias: draws at or above the last multiple of count are thrown back.
    std::uint64_t below(std::uint64_t count) {
        const std::uint64_t excess = (~std::uint64_t{0} % count + 1) % count;  // 2^64 mod count
        std::uint64_t draw = engine_();
        while (draw > ~std::uint64_t{0} - excess) draw = engine_();
        return draw % count;
    }

    /// Uniform on [0, 1), in steps of 2^-53.
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

    /// Standard normal, by Box and Muller.
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(2 * std::numbers::pi * unit());
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace crosshead
