#pragma once

#include "base/random.hpp"
#include "chess/movegen.hpp"

namespace scholar::tests {

// Plays one random game from `start` and calls visit(before, move, after) for each move.
template <class Visit>
void play_random_game(base::Random& random, chess::Position position, int max_plies, Visit&& visit) {
    for (int ply = 0; ply < max_plies; ++ply) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) return;
        const chess::Move move =
            moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
        const chess::Position after = position.after(move);
        visit(position, move, after);
        position = after;
    }
}

}  // namespace scholar::tests
