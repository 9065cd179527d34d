#pragma once

#include <cstdint>
#include <optional>

#include "chess/types.hpp"

namespace scholar::chess::detail {

// Two squares between which a piece can go back and forth.
struct ReversibleMove {
    Square a;
    Square b;
};

// The reversible move (no pawn's, no castling, nothing taken) that changes a position's key by `change`, side
// to move included, whoever stands on which of the squares and whatever stands between them.
std::optional<ReversibleMove> find_reversible_move(std::uint64_t change);

}  // namespace scholar::chess::detail
