#pragma once

#include "chess/types.hpp"
#include "games/game.hpp"

// What somebody thinks of a position, as games keep it: from White's view, whoever was to move.

namespace scholar::games {

// `side` thinks so: of a number of centipawns, cut off at 32,000; of a mate in so many moves, by it where
// positive, of it otherwise. `depth` is cut off at 255, 0 where it is not said.
Evaluation evaluation_of_centipawns(int centipawns, chess::Color side, int depth);
Evaluation evaluation_of_mate(int moves, chess::Color side, int depth);

}  // namespace scholar::games
