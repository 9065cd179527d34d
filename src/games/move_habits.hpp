#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "games/game.hpp"
#include "games/store.hpp"

namespace scholar::games {

// How often each move was played where it was legal, whatever else stood on the board: a move is what moves,
// from where, to where, and what it becomes, from its player's side. As much as can be said of a move without
// looking at the position but for what is legal.
class MoveHabits {
  public:
    // `move` was played in the position.
    void add(const chess::Position& position, chess::Move move);
    std::uint64_t moves() const { return moves_; }

    // Of moves legal in `position`: (times played + 1) / (times legal + 30), as shares of their sum. A move
    // that was never seen is as likely as one of thirty. `out` has a place for each.
    void judge(const chess::Position& position, const chess::MoveList& moves, std::span<double> out) const;

  private:
    struct Count {
        std::uint32_t played = 0;
        std::uint32_t legal = 0;
    };
    static std::size_t index(const chess::Position& position, chess::Move move);

    // Six kinds that move, and four that a pawn becomes; from; to.
    static constexpr std::size_t kSize = std::size_t{10} * 64 * 64;
    std::vector<Count> counts_ = std::vector<Count>(kSize);
    std::uint64_t moves_ = 0;
};

// Of the training games, Chess960 left out; of some `most_games` of them, chosen by their hash, if there are
// more. `progress` is told of games passed.
base::Result<MoveHabits> learn_move_habits(std::span<const StoreReader> stores, const SplitShares& shares,
                                           std::uint64_t most_games, const std::stop_token& stop,
                                           const std::function<void(std::uint64_t)>& progress = {});

}  // namespace scholar::games
