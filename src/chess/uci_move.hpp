#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::chess {

// How castling is written in UCI moves: e1g1, or in Chess960 mode e1h1 (king takes rook). Where king and rook
// do not stand as in standard chess, g1 could be an ordinary king move: there both say king takes rook.
enum class CastlingNotation { Standard, Chess960 };

// Long algebraic as UCI has it: e2e4, e7e8q; "0000" for no move.
std::string to_uci(Move move, CastlingNotation notation = CastlingNotation::Standard);

// A legal move in either castling notation; refused with the reason.
base::Result<Move> parse_uci_move(const Position& position, std::string_view text);

}  // namespace scholar::chess
