#pragma once

#include <array>

#include "chess/position.hpp"

namespace scholar::chess {

// Whether the exchanges that `move` begins on its target square win at least `threshold` (in units of
// `values`, by PieceKind, none below 0) when both sides always take with their least valuable piece and may
// stop at any time. Pins against the king are heeded as long as the pinner stands; promotions count as the
// pawn's.
bool exchange_wins(const Position& position, Move move, int threshold, const std::array<int, 6>& values);

}  // namespace scholar::chess
