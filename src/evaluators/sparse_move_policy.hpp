#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "evaluators/accumulators.hpp"
#include "evaluators/move_policy.hpp"
#include "nets/aligned.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"

namespace scholar::evaluators {

// What a sparse policy says of the moves, along a search's path: the sums of its first layer follow the path,
// each move is a dot product or three. Probabilities are the same on every machine to the last bit: logits
// are integers, and e to their power is looked up.
class SparseMovePolicy final : public MovePolicy {
  public:
    explicit SparseMovePolicy(std::shared_ptr<const nets::SparsePolicyNetwork> network);

    std::unique_ptr<MovePolicy> copy() const override { return std::make_unique<SparseMovePolicy>(network_); }
    void reset(const chess::Position& position) override { accumulators_.reset(position); }
    void push(const chess::Position& before, chess::Move move) override { accumulators_.push(before, move); }
    void push_null(const chess::Position& /*before*/) override { accumulators_.push_null(); }
    void pop() override { accumulators_.pop(); }
    void judge(const chess::Position& position, const chess::MoveList& moves, std::span<float> out) override;
    double worth_nodes() const override;

    // The logits of `moves`, × SparsePolicyNetwork::logit_unit().
    std::span<const std::int32_t> logits(const chess::Position& position, const chess::MoveList& moves);

  private:
    std::shared_ptr<const nets::SparsePolicyNetwork> network_;
    Accumulators accumulators_;
    float steps_a_unit_;  // steps of the table of powers, of a unit of the logits
    nets::AlignedVector<std::int16_t> units_;
    // Room for the moves of one position.
    std::array<std::uint16_t, nets::kMostRowsOfAMove * chess::kMaxMoves> rows_{};
    std::array<std::int32_t, nets::kMostRowsOfAMove * chess::kMaxMoves> sums_{};
};

}  // namespace scholar::evaluators
