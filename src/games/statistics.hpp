#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "games/ending.hpp"
#include "games/game.hpp"
#include "games/scan.hpp"
#include "games/selection.hpp"
#include "games/tables.hpp"

namespace scholar::games {

// How many games ended how.
struct ResultCounts {
    std::array<std::uint64_t, 4> counts{};  // by GameResult

    void add(GameResult result) { ++counts[static_cast<std::size_t>(result)]; }
    void merge(const ResultCounts& other) {
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
    }
    std::uint64_t of(GameResult result) const { return counts[static_cast<std::size_t>(result)]; }
    std::uint64_t games() const { return counts[0] + counts[1] + counts[2] + counts[3]; }
    std::uint64_t known() const { return counts[0] + counts[1] + counts[2]; }
    // White's points of each game whose result is known, from 0 to 1; nothing if there is none.
    std::optional<double> score() const;
};

// One player's games.
struct PlayerRecord {
    std::uint64_t games = 0;
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    void merge(const PlayerRecord& other) {
        games += other.games;
        wins += other.wins;
        draws += other.draws;
        losses += other.losses;
    }
};

// The games that began with the same moves from the same position.
struct OpeningRecord {
    ResultCounts results;
    GamePlace example;  // the first of them
    void merge(const OpeningRecord& other) {
        results.merge(other.results);
        example = std::min(example, other.example);
    }
};

struct NumberOfTimes {
    std::uint64_t count = 0;
    void merge(const NumberOfTimes& other) { count += other.count; }
};

// What is in the games of a store, or of several.
struct GameStatistics {
    static constexpr std::size_t kMostNames = 1 << 18;  // of players, openings and so on

    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    ResultCounts results;
    std::array<std::uint64_t, kEndings.size()> endings{};  // by Ending
    SplitShares shares{};                                  // that the next line goes by
    std::array<std::uint64_t, 3> splits{};                 // by Split
    std::uint64_t chess960 = 0;
    std::uint64_t set_up = 0;       // from another position than the standard one
    Histogram lengths{20};          // half-moves of each game
    Histogram ratings{100};         // of each player of each game that says one
    Histogram years{1};             // of each game that says one
    std::uint64_t unrated = 0;      // games of which a player has no rating
    std::uint64_t undated = 0;      // games without a year
    std::uint64_t evaluated = 0;    // games with evaluations
    std::uint64_t evaluations = 0;  // half-moves with one
    std::uint64_t mates = 0;        // evaluations that announce a mate
    std::uint64_t clocked = 0;      // games with clocks or times of moves
    std::uint64_t clocks = 0;       // half-moves with one, and so on
    std::uint64_t times = 0;
    std::uint64_t nodes = 0;

    BoundedTable<PlayerRecord> players{kMostNames};
    BoundedTable<NumberOfTimes> events{kMostNames};
    BoundedTable<NumberOfTimes> tags{1'000};
    BoundedTable<ResultCounts> eco{1'000};             // by the three characters of an ECO code
    BoundedTable<OpeningRecord> openings{kMostNames};  // by start position and first moves, packed
    std::size_t opening_plies = 6;                     // that an opening is known by

    // Of a block read with all columns.
    void add(const Block& block, std::size_t game, GamePlace place);
    void merge(const GameStatistics& other);
};

// Of the selected games. `threads`: 0 for as many as the machine has.
base::Result<GameStatistics> gather_statistics(std::span<const StoreReader> stores,
                                               const Selection& selection, std::size_t opening_plies,
                                               unsigned threads, const std::stop_token& stop,
                                               const std::function<void(std::uint64_t)>& progress);

// The moves of an opening in words: "1. e4 e5 2. Nf3"; with the FEN before if it does not begin at the
// standard position.
base::Result<std::string> opening_moves(std::span<const StoreReader> stores, const OpeningRecord& opening,
                                        std::size_t plies);

}  // namespace scholar::games
