#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "arena/statistics.hpp"
#include "nets/container/any_network.hpp"

// A short match between two networks under the same search, to see whether the one that has learnt more is
// the better.

namespace scholar::selfplay {

struct DuelPlan {
    std::uint64_t nodes = 400;  // a move
    int pairs = 50;             // of games: each opening is played with both colours
    int random_moves = 8;       // that make an opening; an even number, so that White begins
    int most_moves = 300;       // half-moves; then the game is a draw
    std::size_t table_megabytes = 1;
    std::uint64_t seed = 1;
    int threads = 1;
};

// From the first network's side.
struct DuelResult {
    arena::WinDrawLoss games;
    arena::Pentanomial pairs{};

    // Points a game; a half without games.
    double score() const;
};

// The same result for the same arguments, but for `threads`. Ends early when asked to stop: with whole pairs.
DuelResult duel(const nets::AnyNetwork& first, const nets::AnyNetwork& second, const DuelPlan& plan,
                std::stop_token stop);

}  // namespace scholar::selfplay
