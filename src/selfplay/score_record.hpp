#pragma once

#include "chess/score.hpp"
#include "games/game.hpp"

namespace scholar::selfplay {

// A search's score as stores keep it, given by `side`, which was to move. Its centipawns are Score units, of
// 1/400 of the logit of the expected result, for every network: the scale is fitted by who reads them.
games::Evaluation evaluation_of(const chess::Score& score, chess::Color side, int depth = 0);

}  // namespace scholar::selfplay
