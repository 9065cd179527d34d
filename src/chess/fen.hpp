#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::chess {

// "e4" for a square; "-" for NoSquare.
std::string to_string(Square square);
// NoSquare if the text is not exactly a square.
Square parse_square(std::string_view text);
// One of "PNBRQKpnbrqk".
char piece_letter(Piece piece);
char kind_letter(PieceKind kind);  // upper case
// NoPiece for any other character.
Piece parse_piece(char letter);

// Forsyth–Edwards Notation: six fields, or four (the clocks are then 0 and 1). Castling as KQkq (X-FEN: the
// outermost rook) or as rook files (Shredder-FEN: HAha). A move number of 0, which many programs write where
// they do not count moves, is read as 1. Everything else is refused with the reason.
base::Result<Position> parse_fen(std::string_view fen);

// X-FEN: KQkq where that is unambiguous, rook files elsewhere. The en-passant square is written when a pawn
// stands ready to take there.
std::string to_fen(const Position& position);
// The first four fields only, as EPD has them.
std::string to_epd_fields(const Position& position);

}  // namespace scholar::chess
