#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "games/game.hpp"

namespace scholar::games {

// One position of a game, with what is known about how good it was.
struct Sample {
    // As it stood in the game, castling rights and en passant included. What follows may begin in the bytes
    // with which a position is filled up: shuffling moves half a million samples about.
    [[no_unique_address]] chess::Position position;
    float result = 0.5F;  // expected by the side to move: 1, ½ or 0, or between if it was discounted
    // The search score of the side to move, from the side to move's view (not White's), if the game has one.
    std::optional<Evaluation> evaluation;
    std::uint32_t producer = 0;  // index into Sampler::producers(): whose evaluation it is
    std::uint16_t ply = 0;       // half-moves since the game's start position
    chess::Move move;            // what was played; none after a random move
    chess::Move before;          // what led here; none at the game's start position
    // Half-moves that were still played, this one included: 1 where the game's last move was made; 0 after a
    // random move, which leaves the game.
    std::uint16_t to_end = 0;
    // By colour; 0: not known, or not asked for (Sampling::ratings).
    std::array<std::uint16_t, 2> ratings{};
};

static_assert(sizeof(Sample) <= 176);

}  // namespace scholar::games
