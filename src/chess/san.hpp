#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::chess {

// Standard Algebraic Notation exactly as the PGN standard (8.2.3) says: shortest disambiguation, '+' or '#'.
std::string to_san(const Position& position, Move move);

// Reads what people write: 0-0 for O-O, missing or extra checks, annotations (!?), missing 'x' or '=',
// "e.p.", more disambiguation than needed (Ng1-f3), lower-case promotion pieces, and UCI moves. Refused: no
// legal move, or several.
base::Result<Move> parse_san(const Position& position, std::string_view text);

}  // namespace scholar::chess
