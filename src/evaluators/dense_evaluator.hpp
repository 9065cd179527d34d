#pragma once

#include <memory>
#include <utility>

#include "evaluators/leaf_evaluator.hpp"
#include "nets/dense/dense_runner.hpp"

namespace scholar::evaluators {

// An evaluation of architecture "dense" with output "tanh". Nothing follows the path: the inputs of a leaf
// are worked out afresh, which costs less than the network.
class DenseEvaluator {
  public:
    explicit DenseEvaluator(std::shared_ptr<const nets::DenseNetwork> network)
        : runner_(std::move(network)) {}

    void reset(const chess::Position&) {}
    void push(const chess::Position&, chess::Move) {}
    void push_null(const chess::Position&) {}
    void pop() {}
    chess::Score value(const chess::Position& position) { return runner_.value(position); }
    const nets::PieceValues& piece_values() const { return runner_.network().info.piece_values; }

  private:
    nets::DenseRunner runner_;
};

static_assert(LeafEvaluator<DenseEvaluator>);

}  // namespace scholar::evaluators
