#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "chess/position.hpp"
#include "nets/aligned.hpp"
#include "nets/perspective/first_layer.hpp"

namespace scholar::evaluators {

// The sums of the first layer for every view that a side may have of the board, each as it was when that view
// was last asked for: whoever comes back to a view pays for what has changed on the board since, not for all
// of it.
class AccumulatorCache {
  public:
    explicit AccumulatorCache(const nets::FirstLayer& layer);

    // The sums of `position` from a viewpoint, `width` values. The layer is the one that this was made for.
    void refresh(const nets::FirstLayer& layer, const chess::Position& position, chess::Color viewpoint,
                 std::int16_t* out);

  private:
    using Pieces = std::array<std::array<chess::Bitboard, 6>, 2>;  // by colour and kind

    // Layout of both: [viewpoint][king bucket][as it is, mirrored]
    std::vector<Pieces> pieces_;
    nets::AlignedVector<std::int16_t> sums_;
};

}  // namespace scholar::evaluators
