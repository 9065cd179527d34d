#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "games/game.hpp"

// What programs write into the comments of a game.

namespace scholar::games {

// What a comment says of the move before it.
struct MoveNotes {
    std::optional<Evaluation> evaluation;
    bool from_mover = false;             // the evaluation's view is the moving player's, not White's
    std::optional<std::uint64_t> clock;  // milliseconds left on the mover's clock after the move
    std::optional<std::uint64_t> time;   // milliseconds spent on the move
    std::optional<std::uint64_t> nodes;  // positions searched for it
};

// Understands, in this order of preference,
//   [%eval 0.25,12]  [%eval #-3]    pawns or moves to mate, White's view, and depth
//   [%clk 1:30:43.5] [%emt 0:00:12] time left and time spent
//   d=33, mt=37918, tl=1765082, n=2084481913, wv=0.60    the TCEC's: depth, milliseconds spent and left,
//   nodes,
//                                                        pawns (or M12, half-moves to mate), White's view
//   +0.35/12 0.10s   -M4/20         what match programs write: pawns or half-moves to mate from the mover's
//   view,
//                                   depth, seconds spent
// What it does not understand it passes over.
MoveNotes read_notes(std::string_view comment);

}  // namespace scholar::games
