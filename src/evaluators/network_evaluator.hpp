#pragma once

#include <memory>
#include <utility>

#include "evaluators/accumulators.hpp"
#include "evaluators/leaf_evaluator.hpp"
#include "nets/perspective/hidden_layers.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::evaluators {

// A quantised network of architecture "perspective", evaluated incrementally: the sums of its first layer
// follow the path.
class NetworkEvaluator {
  public:
    explicit NetworkEvaluator(std::shared_ptr<const nets::Network> network)
        : network_(std::move(network)), accumulators_(network_->first_layer()), hidden_(*network_) {}

    void reset(const chess::Position& position) { accumulators_.reset(position); }
    void push(const chess::Position& before, chess::Move move) { accumulators_.push(before, move); }
    void push_null(const chess::Position& /*before*/) { accumulators_.push_null(); }
    void pop() { accumulators_.pop(); }
    chess::Score value(const chess::Position& position);
    const nets::PieceValues& piece_values() const { return network_->info.piece_values; }

  private:
    std::shared_ptr<const nets::Network> network_;
    Accumulators accumulators_;
    nets::HiddenLayers hidden_;
};

static_assert(LeafEvaluator<NetworkEvaluator>);

}  // namespace scholar::evaluators
