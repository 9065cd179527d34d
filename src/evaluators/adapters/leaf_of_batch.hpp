#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "evaluators/batch_evaluator.hpp"
#include "evaluators/leaf_evaluator.hpp"

namespace scholar::evaluators {

// Makes another batch evaluator of the same network, for another thread.
using BatchMaker = std::function<std::unique_ptr<BatchEvaluator>()>;

// A batch evaluator as a leaf evaluator: each leaf is a batch of its own. Only where a position alone decides
// what the network says (nets::Reads): alpha-beta's table takes one answer for all ways that lead to a
// position. A leaf whose evaluation fails is even. A copy has an evaluator of its own.
class LeafOfBatch {
  public:
    // `piece_values`: the network's, or equal ones.
    LeafOfBatch(BatchMaker make, const nets::PieceValues& piece_values);
    LeafOfBatch(const LeafOfBatch& other) : LeafOfBatch(other.make_, other.piece_values_) {}
    LeafOfBatch(LeafOfBatch&&) = default;
    LeafOfBatch& operator=(const LeafOfBatch&) = delete;
    LeafOfBatch& operator=(LeafOfBatch&&) = default;
    ~LeafOfBatch() = default;

    void reset(const chess::Position& /*position*/) {}
    void push(const chess::Position& /*before*/, chess::Move /*move*/) {}
    void push_null(const chess::Position& /*before*/) {}
    void pop() {}
    chess::Score value(const chess::Position& position);
    const nets::PieceValues& piece_values() const { return piece_values_; }

  private:
    BatchMaker make_;
    std::unique_ptr<BatchEvaluator> batch_;
    nets::PieceValues piece_values_;
    std::vector<Opinion> opinions_;
};

static_assert(LeafEvaluator<LeafOfBatch>);

}  // namespace scholar::evaluators
