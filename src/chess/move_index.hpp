#pragma once

#include <optional>

#include "chess/position.hpp"

// A legal move as one number below 256: its place among the legal moves ordered by from-square, then
// to-square (castling as king takes rook), then promotion (knight, bishop, rook, queen). This order is part
// of the game store's format and owes nothing to the order in which the generator finds moves.

namespace scholar::chess {

// The number of a legal move; nothing if the move is not legal.
std::optional<std::uint8_t> move_to_index(const Position& position, Move move);

// The move of that number; nothing if there are fewer legal moves.
std::optional<Move> index_to_move(const Position& position, std::uint8_t index);

}  // namespace scholar::chess
