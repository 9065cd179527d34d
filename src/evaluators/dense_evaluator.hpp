#pragma once

#include <memory>
#include <utility>

#include "evaluators/leaf_evaluator.hpp"
#include "nets/dense/dense_path.hpp"

namespace scholar::evaluators {

// An evaluation of architecture "dense" with output "tanh".
class DenseEvaluator {
  public:
    explicit DenseEvaluator(std::shared_ptr<const nets::DenseNetwork> network) : path_(std::move(network)) {}

    void reset(const chess::Position&) { path_.reset(); }
    void push(const chess::Position&, chess::Move) { path_.push(); }
    void push_null(const chess::Position&) { path_.push(); }
    void pop() { path_.pop(); }
    chess::Score value(const chess::Position& position) { return path_.value(position); }
    const nets::PieceValues& piece_values() const { return path_.network().info.piece_values; }

  private:
    nets::DensePath path_;
};

static_assert(LeafEvaluator<DenseEvaluator>);

}  // namespace scholar::evaluators
