#pragma once

#include "chess/line.hpp"
#include "games/game.hpp"

namespace scholar::selfplay {

// Writes into the game how it ended: by the rules, `terminal` being that of its line's end, or, if that is
// none, as a draw by adjudication.
void end_game(games::Game& game, const chess::Line& line, chess::Terminal terminal);

}  // namespace scholar::selfplay
