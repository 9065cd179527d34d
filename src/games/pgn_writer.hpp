#pragma once

#include <string>

#include "games/game.hpp"

namespace scholar::games {

// A game in PGN's export format: tags, the moves in lines of at most 80 characters; what is known of a move
// in a comment, {[%eval 0.25,12] [%clk 1:30:00] [%emt 0:00:12] [%nodes 1000]}.
std::string to_pgn(const Game& game);

// As PGN writes dates: "2024.02.29".
std::string date_of_today();

}  // namespace scholar::games
