#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::chess {

// A position read from text that was put right where it is clear how.
struct MendedPosition {
    Position position;
    std::vector<std::string> mended;  // what, and how, in one line each; none: nothing had to be
};
// As parse_fen(), for what a user or a GUI sets up. Castling rights without a king and a rook for them, or
// given twice, and an en-passant square that no pawn can have jumped over are left out; a counter that is
// missing, no number or out of range is taken as 0 (half-move clock) or 1 (move number).
base::Result<MendedPosition> mend_fen(std::string_view fen);

}  // namespace scholar::chess
