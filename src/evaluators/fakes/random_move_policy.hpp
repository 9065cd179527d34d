#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "evaluators/move_policy.hpp"

namespace scholar::evaluators {

// Probabilities by lot (nets/fakes/fakes.hpp): each move's share is exponentially distributed, so that all
// ways to share are as likely. A position's shares depend on nothing but it and the seed.
class RandomMovePolicy final : public MovePolicy {
  public:
    explicit RandomMovePolicy(std::uint64_t seed) : seed_(seed) {}

    std::unique_ptr<MovePolicy> copy() const override { return std::make_unique<RandomMovePolicy>(seed_); }
    void judge(const chess::Position& position, const chess::MoveList& moves, std::span<float> out) override;
    double worth_nodes() const override { return 1; }

  private:
    std::uint64_t seed_;
};

}  // namespace scholar::evaluators
