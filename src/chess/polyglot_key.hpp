#pragma once

#include <cstdint>

#include "chess/position.hpp"

namespace scholar::chess {

// The key of a position in Polyglot opening books. Unlike Position::key() it counts an en-passant square
// whenever an enemy pawn stands beside the one that advanced, even if the capture is illegal.
std::uint64_t polyglot_key(const Position& position);

}  // namespace scholar::chess
