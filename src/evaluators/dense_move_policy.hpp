#pragma once

#include <memory>
#include <utility>

#include "evaluators/move_policy.hpp"
#include "nets/dense/dense_move_runner.hpp"

namespace scholar::evaluators {

// Giraffe's network for moves (section 6): architecture "dense" with inputs of a move. Nothing follows the
// path: what it reads of a position is worked out afresh.
class DenseMovePolicy final : public MovePolicy {
  public:
    explicit DenseMovePolicy(std::shared_ptr<const nets::DenseNetwork> network)
        : runner_(std::move(network)) {}

    std::unique_ptr<MovePolicy> copy() const override { return std::make_unique<DenseMovePolicy>(*this); }
    void judge(const chess::Position& position, const chess::MoveList& moves, std::span<float> out) override {
        runner_.judge(position, moves, out);
    }
    // The paper's: it asks where more than about a hundred nodes lie below.
    double worth_nodes() const override { return 100; }

  private:
    nets::DenseMoveRunner runner_;
};

}  // namespace scholar::evaluators
