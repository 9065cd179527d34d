#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::chess {

// Standard Algebraic Notation exactly as the PGN standard (8.2.3) says: shortest disambiguation, '+' or '#'.
std::string to_san(const Position& position, Move move);

// The move, if `text` names exactly one in the standard's notation; check marks may be missing or wrong. Made
// for reading games: takes a fraction of the time of generating the legal moves. Nothing means that the text
// is no such thing; parse_san() may still read it, or says what is wrong.
std::optional<Move> match_san(const Position& position, std::string_view text);

// Reads what people write: 0-0 for O-O, missing or extra checks, annotations behind the move, missing 'x' or
// '=', more disambiguation than needed (Ng1-f3), lower-case promotion pieces, and UCI moves. Refused: no
// legal move, or several. A pawn's move that names no file is a push.
base::Result<Move> parse_san(const Position& position, std::string_view text);

// Whether all of the text is what may stand behind a move and says nothing about which it is: "!?", "+/-",
// "=", "N", "e.p.", "mate", "$14", "±" (UTF-8 or Latin-1), or several of them; true of no text at all.
bool is_annotation(std::string_view text);

}  // namespace scholar::chess
