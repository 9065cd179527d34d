#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "evaluators/leaf_evaluator.hpp"

namespace scholar::evaluators {

// Another evaluator that is mistaken: each position's value is off by a normally distributed error, always
// the same for a position and a seed. So a player misjudges what it misjudges, all through a game, and does
// not waver.
template <LeafEvaluator Inner>
class NoisyEvaluator {
  public:
    // `deviation`: standard deviation of the error, in Score units.
    NoisyEvaluator(Inner inner, double deviation, std::uint64_t seed)
        : inner_(std::move(inner)), deviation_(deviation), seed_(seed) {}

    void reset(const chess::Position& position) { inner_.reset(position); }
    void push(const chess::Position& before, chess::Move move) { inner_.push(before, move); }
    void push_null(const chess::Position& before) { inner_.push_null(before); }
    void pop() { inner_.pop(); }
    const nets::PieceValues& piece_values() const { return inner_.piece_values(); }
    chess::Score value(const chess::Position& position) {
        const int value = inner_.value(position).value() + error_of(position.key());
        return chess::Score(
            std::clamp(value, -chess::Score::kEvaluationBound, chess::Score::kEvaluationBound));
    }

  private:
    // G. Box and M. Muller (1958), with two uniform numbers from a hash of the key.
    int error_of(std::uint64_t key) const {
        const auto product = static_cast<__uint128_t>(key ^ seed_ ^ 0x9E3779B97F4A7C15ULL) *
                             ((key >> 32 | key << 32) ^ 0xC2B2AE3D27D4EB4FULL);
        const std::uint64_t mixed =
            static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
        const double u = (static_cast<double>(mixed >> 32) + 0.5) * 0x1.0p-32;
        const double v = static_cast<double>(mixed & 0xFFFFFFFF) * 0x1.0p-32;
        return static_cast<int>(deviation_ * std::sqrt(-2 * std::log(u)) *
                                std::cos(2 * std::numbers::pi * v));
    }

    Inner inner_;
    double deviation_;
    std::uint64_t seed_;
};

template <LeafEvaluator Inner>
inline constexpr std::uint64_t kNodesBetweenLooks<NoisyEvaluator<Inner>> = kNodesBetweenLooks<Inner>;

}  // namespace scholar::evaluators
