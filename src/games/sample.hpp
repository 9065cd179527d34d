#pragma once

#include <cstdint>
#include <optional>

#include "games/game.hpp"

namespace scholar::games {

// One position of a game, with what is known about how good it was.
struct Sample {
    chess::Position position;
    float result = 0.5F;  // expected by the side to move: 1, ½ or 0, or between if it was discounted
    // The search score of the side to move, from the side to move's view (not White's), if the game has one.
    std::optional<Evaluation> evaluation;
    std::uint32_t producer = 0;  // index into Sampler::producers(): whose evaluation it is
    std::uint16_t ply = 0;       // half-moves since the game's start position
    chess::Move move;            // what was played; none after a random move
};

}  // namespace scholar::games
