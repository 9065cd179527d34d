#pragma once

#include <array>
#include <memory>
#include <vector>

#include "evaluators/accumulator_cache.hpp"
#include "evaluators/leaf_evaluator.hpp"
#include "nets/aligned.hpp"
#include "nets/board_change.hpp"
#include "nets/perspective/hidden_layers.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::evaluators {

// A quantised network of architecture "perspective", evaluated incrementally: each move of the path changes a
// few rows of the sums before it. A king's move that changes how its side sees the board has that side's sums
// made anew, from a cache. Sums are brought up to date only where a value is asked for.
class NetworkEvaluator {
  public:
    explicit NetworkEvaluator(std::shared_ptr<const nets::Network> network);

    void reset(const chess::Position& position);
    void push(const chess::Position& before, chess::Move move);
    void push_null(const chess::Position& before);
    void pop() { --depth_; }
    chess::Score value(const chess::Position& position);
    const nets::PieceValues& piece_values() const { return network_->info.piece_values; }

  private:
    struct Step {
        nets::BoardChange change;         // from the step before
        std::array<nets::View, 2> views;  // by viewpoint
        std::array<bool, 2> current{};    // whether the sums below are worked out
    };

    // The sums of one viewpoint at one step: width values. Layout: [step][viewpoint][width].
    std::int16_t* sums(std::size_t step, chess::Color viewpoint) {
        return sums_.data() + (2 * step + viewpoint) * static_cast<std::size_t>(network_->width());
    }
    void grow();
    // A step that changes nothing, yet.
    Step& next_step();
    void bring_up_to_date(const chess::Position& position, chess::Color viewpoint);
    void refresh(const chess::Position& position, chess::Color viewpoint);

    std::shared_ptr<const nets::Network> network_;
    AccumulatorCache cache_;
    nets::HiddenLayers hidden_;
    std::vector<Step> steps_;
    nets::AlignedVector<std::int16_t> sums_;
    std::size_t depth_ = 0;  // the step we stand at
};

static_assert(LeafEvaluator<NetworkEvaluator>);

}  // namespace scholar::evaluators
