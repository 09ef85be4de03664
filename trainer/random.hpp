// What training draws beyond the uniform integers of RandomSource, the same on every platform; and seeds for
// one purpose and step, from the user's.
#pragma once

#include <cmath>
#include <crosshead/graphs/random_source.hpp>
#include <cstdint>
#include <numbers>

namespace crosshead {

/// A bijection of 64-bit integers that scatters them (the output function of SplitMix64).
constexpr std::uint64_t scatter(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// What a derived seed is for: sets of one run share no numbers.
enum class SeedPurpose : std::uint64_t { parameters = 1, sequences = 2, order = 3, dropout = 4 };

/// A seed for one purpose and one index of it (a set, an epoch, a step).
constexpr std::uint64_t derived_seed(std::uint64_t seed, SeedPurpose purpose, std::uint64_t index = 0) {
    return scatter(scatter(scatter(seed) ^ static_cast<std::uint64_t>(purpose)) ^ index);
}

/// Uniform on [0, 1), in steps of 2^-53.
inline double unit(RandomSource& random) {
    return static_cast<double>(random.bits() >> 11) * 0x1p-53;
}

/// Standard normal, by Box and Muller.
inline double normal(RandomSource& random) {
    const double radius = std::sqrt(-2 * std::log(1 - unit(random)));
    return radius * std::cos(2 * std::numbers::pi * unit(random));
}

}  // namespace crosshead
