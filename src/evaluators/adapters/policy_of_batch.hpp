#pragma once

#include <memory>
#include <span>
#include <vector>

#include "chess/line.hpp"
#include "evaluators/adapters/leaf_of_batch.hpp"
#include "evaluators/move_policy.hpp"

namespace scholar::evaluators {

// The probabilities of a batch evaluator as a move policy: each position is a batch of its own. It keeps the
// search's path, which a network may read. Where an evaluation fails all moves are as likely.
class PolicyOfBatch final : public MovePolicy {
  public:
    PolicyOfBatch(BatchMaker make, double worth_nodes);

    std::unique_ptr<MovePolicy> copy() const override;
    void reset(const chess::Position& position) override { line_ = chess::Line(position); }
    void push(const chess::Position& /*before*/, chess::Move move) override { line_.push(move); }
    void push_null(const chess::Position& /*before*/) override { line_.push_null(); }
    void pop() override { line_.pop(); }
    void judge(const chess::Position& position, const chess::MoveList& moves, std::span<float> out) override;
    double worth_nodes() const override { return worth_nodes_; }

  private:
    BatchMaker make_;
    std::unique_ptr<BatchEvaluator> batch_;
    double worth_nodes_;
    chess::Line line_;
    std::vector<Opinion> opinions_;
};

}  // namespace scholar::evaluators
