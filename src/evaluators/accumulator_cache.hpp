#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chess/types.hpp"
#include "nets/aligned.hpp"
#include "nets/perspective/first_layer.hpp"

namespace scholar::evaluators {

// The sums of the first layer for every view that a side may have of the board, each as it was when that view
// was last asked for: whoever comes back to a view pays for what has changed on the board since, not for all
// of it.
class AccumulatorCache {
  public:
    explicit AccumulatorCache(const nets::FirstLayer& layer);

    // The sums of a board from a viewpoint and in its view, `width` values. The layer is the one that this
    // was made for.
    void refresh(const nets::FirstLayer& layer, const nets::BoardState& board, nets::View view,
                 chess::Color viewpoint, std::int16_t* out);

  private:
    // Layout of both: [viewpoint][king bucket][as it is, mirrored]
    std::vector<nets::BoardState> boards_;
    nets::AlignedVector<std::int16_t> sums_;
};

// The sums `to` of a board, from those of another in the same view.
void update_sums(const nets::FirstLayer& layer, nets::View view, chess::Color viewpoint,
                 const nets::BoardDifference& difference, const std::int16_t* from, std::int16_t* to);

}  // namespace scholar::evaluators
