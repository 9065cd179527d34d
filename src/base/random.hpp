#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace scholar::base {

// SplitMix64 (Steele, Lea, Flood 2014): spreads any seed over 64 bits. `state` advances.
constexpr std::uint64_t split_mix(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// xoshiro256** (Blackman, Vigna 2018). The same seed gives the same numbers on every machine, which the
// standard library's distributions do not promise. Give each run and each worker its own (seed, stream):
// workers with one seed would play the same games.
class Random {
  public:
    explicit constexpr Random(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t mix = seed ^ (stream * 0xD1342543DE82EF95ULL);
        for (auto& word : state_) word = split_mix(mix);
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // Uniform in [0, bound); bound > 0. Unbiased (Lemire 2019).
    constexpr std::uint64_t below(std::uint64_t bound) {
        while (true) {
            const auto product = static_cast<__uint128_t>(next()) * bound;
            const auto low = static_cast<std::uint64_t>(product);
            if (low >= bound || low >= (0 - bound) % bound) return static_cast<std::uint64_t>(product >> 64);
        }
    }

    // Uniform in [0, 1).
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    // Standard normal (G. E. P. Box and M. E. Muller 1958); 1 − u is never 0.
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(2 * std::numbers::pi * unit());
    }

    // Fisher–Yates.
    template <class Range>
    constexpr void shuffle(Range& range) {
        for (std::size_t i = range.size(); i > 1; --i) {
            using std::swap;
            swap(range[i - 1], range[below(i)]);
        }
    }

    // The whole state, for exact resumption from a checkpoint.
    constexpr const std::array<std::uint64_t, 4>& state() const { return state_; }
    constexpr void set_state(const std::array<std::uint64_t, 4>& state) { state_ = state; }

  private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace scholar::base
