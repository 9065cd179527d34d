#pragma once

#include "chess/position.hpp"
#include "nets/network.hpp"

namespace scholar::search {

// Whether the exchanges that `move` begins on its target square win at least `threshold` (in units of
// `values`) when both sides always take with their least valuable piece and may stop at any time. Pins
// against the king are heeded as long as the pinner stands; promotions count as the pawn's.
bool exchange_wins(const chess::Position& position, chess::Move move, int threshold,
                   const nets::PieceValues& values);

}  // namespace scholar::search
