#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "base/error.hpp"
#include "games/game.hpp"
#include "games/scan.hpp"

namespace scholar::games {

// How many games have some fault that takes two games, with the first of them and its counterpart.
struct PairTally {
    std::uint64_t count = 0;
    GamePlace game;
    GamePlace other;
    void add(GamePlace faulty, GamePlace counterpart) {
        ++count;
        if (faulty < game) {
            game = faulty;
            other = counterpart;
        }
    }
};

// Games that are in the data twice.
struct Copies {
    PairTally within;          // the same moves as an earlier game of the same store
    PairTally across;          // not those, but as a game of an earlier store
    PairTally two_splits;      // the same moves as a game of another split
    PairTally other_result;    // the same moves as an earlier game, and another result; both are known
    PairTally cut;             // all its moves are the beginning of a longer game
    PairTally cut_two_splits;  // such a one, where the longer game is of another split
    // Games that were set beside others to find all this: grows as the games do, copies or not.
    std::uint64_t comparisons = 0;
};

struct CopyOptions {
    std::span<const std::optional<Split>>
        roles{};                     // by store: the split that all its games belong to, if any
    SplitShares shares{};            // for the stores without
    std::size_t min_cut_plies = 20;  // shorter games are not taken for cut ones
    unsigned threads = 1;
    std::stop_token stop{};
    // The games looked at in one go: memory is about 48 bytes for each. More are looked at in several passes.
    std::uint64_t games_per_pass = std::uint64_t{1} << 22;
};

// Compares start positions, moves and results, nothing else. Blocks that cannot be read are passed over.
base::Result<Copies> find_copies(std::span<const StoreReader> stores, const CopyOptions& options);

}  // namespace scholar::games
