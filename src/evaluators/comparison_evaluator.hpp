#pragma once

#include <memory>
#include <utility>

#include "evaluators/leaf_evaluator.hpp"
#include "nets/comparison/comparison_runner.hpp"

namespace scholar::evaluators {

// The value that a network of architecture "comparison" and form "split" gives each position by itself. It
// keeps nothing along the path: the first layer, which could, is a tenth of the work.
class ComparisonEvaluator {
  public:
    explicit ComparisonEvaluator(std::shared_ptr<const nets::ComparisonNetwork> network)
        : runner_(std::move(network)) {}

    void reset(const chess::Position&) {}
    void push(const chess::Position&, chess::Move) {}
    void push_null(const chess::Position&) {}
    void pop() {}
    chess::Score value(const chess::Position& position) {
        return nets::comparison_score(runner_.value(position), position.side_to_move());
    }
    const nets::PieceValues& piece_values() const { return runner_.network().info.piece_values; }

  private:
    nets::ComparisonRunner runner_;
};

static_assert(LeafEvaluator<ComparisonEvaluator>);

}  // namespace scholar::evaluators
