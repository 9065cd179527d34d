#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "chess/line.hpp"
#include "chess/position.hpp"

// How games of self-play begin.

namespace scholar::selfplay {

// The numbers below `count` in an order by lot that is the seed's, by a stream of random numbers that is no
// game's.
std::vector<std::uint32_t> order_by_lot(std::size_t count, std::uint64_t seed);

// For an engine's option Seed, to which 0 is another one each time.
std::uint64_t draw_engine_seed(base::Random& random);

// One of the position's moves, by lot; there must be one.
chess::Move draw_move(const chess::Position& position, base::Random& random);

// `moves` half-moves by lot from `start`, again and again until they do not end the game; after some tries
// the start alone.
struct Opening {
    chess::Line line;
    std::vector<chess::Move> moves;
};
Opening random_opening(const chess::Position& start, int moves, base::Random& random);

// The position without one of its pieces or pawns, by lot; nothing if what is left would be no legal position
// or no game.
std::optional<chess::Position> unbalanced(const chess::Position& position, base::Random& random);

}  // namespace scholar::selfplay
