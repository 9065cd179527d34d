#pragma once

#include <array>

namespace scholar::nets {

// The value of each kind in Score units, as learnt: by how much the evaluation falls when one is taken off
// the board. Used for exchanges and for ordering captures. All equal before anything has been learnt. The
// king has none.
using PieceValues = std::array<int, 6>;
constexpr PieceValues kEqualPieceValues{100, 100, 100, 100, 100, 0};

}  // namespace scholar::nets
