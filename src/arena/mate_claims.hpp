#pragma once

#include <vector>

#include "arena/match.hpp"

namespace scholar::arena {

// The mates that engines announced in a finished game and that it disproves.
//
// "Mate in N" is false when the engine has made N moves, the announced one the first of them, and has not
// mated, or when the game ended on the board before that in another way. "Mated in N" is false when both
// sides played all 2N half-moves of the variation it came with and nobody is mated; an opponent who plays
// something else proves nothing. A game broken off (resigned, adjudicated, forfeited) disproves nothing that
// still had time. Of claims that overlap, an engine's first one counts.
std::vector<FalseMate> find_false_mates(const MatchGame& game);

}  // namespace scholar::arena
