#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "chess/position.hpp"
#include "evaluators/accumulator_cache.hpp"
#include "nets/aligned.hpp"
#include "nets/board_change.hpp"
#include "nets/perspective/first_layer.hpp"

namespace scholar::evaluators {

// The sums of a network's first layer along a search's path: each move changes a few rows of the sums before
// it. A king's move that changes how its side sees the board has that side's sums made anew, from a cache.
// Where features depend on attacks, what has changed is found by comparing boards, not by the moves.
// Sums are brought up to date only where they are asked for, and only those of the side that is asked about.
class Accumulators {
  public:
    // The layer must outlive it.
    explicit Accumulators(const nets::FirstLayer& layer);

    void reset(const chess::Position& position);
    void push(const chess::Position& before, chess::Move move);
    void push_null() { next_step().change = {}; }
    void pop() { --depth_; }

    // The sums of `position`, where the path stands, from a viewpoint: `width` values, aligned to 64 bytes.
    // They stay until the next push or reset.
    const std::int16_t* of(const chess::Position& position, chess::Color viewpoint) {
        bring_up_to_date(position, viewpoint);
        return sums(depth_, viewpoint);
    }

  private:
    struct Step {
        nets::BoardChange change;  // from the step before
        // Once anything is worked out, where attacks are read; and what is not so at an earlier step.
        nets::BoardState board;
        nets::BoardDifference difference;
        std::size_t compared_with = 0;
        std::array<nets::View, 2> views;  // by viewpoint
        std::array<bool, 2> current{};    // whether the sums below are worked out
    };

    // The sums of one viewpoint at one step: width values. Layout: [step][viewpoint][width].
    std::int16_t* sums(std::size_t step, chess::Color viewpoint) {
        return sums_.data() + (2 * step + viewpoint) * static_cast<std::size_t>(layer_.width);
    }
    void grow();
    // A step that changes nothing, yet.
    Step& next_step();
    void bring_up_to_date(const chess::Position& position, chess::Color viewpoint);
    // Where attacks are read.
    void compare_boards(const chess::Position& position, chess::Color viewpoint);
    void refresh(const chess::Position& position, chess::Color viewpoint);

    nets::FirstLayer layer_;
    AccumulatorCache cache_;
    std::vector<Step> steps_;
    nets::AlignedVector<std::int16_t> sums_;
    std::size_t depth_ = 0;  // the step we stand at
};

}  // namespace scholar::evaluators
