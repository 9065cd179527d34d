#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/types.hpp"
#include "games/book.hpp"
#include "games/game.hpp"

namespace scholar::games {

// A move of a position with a weight of any size.
struct WeighedMove {
    std::uint64_t key = 0;
    std::uint16_t move = 0;  // as BookEntry has it
    std::uint64_t weight = 0;
};

// Entries in a book's order (by key, the heaviest move first, then by the move's bits) from moves sorted by
// key. Where a position's heaviest is beyond 16 bits, all of its weights are scaled down by the same factor,
// but none that is not 0 becomes 0.
std::vector<BookEntry> scale_weights(const std::vector<WeighedMove>& moves);

// Counts the moves of games and makes a book of them. What it makes depends on the games alone, not on their
// order, unless it had to forget some.
class BookBuilder {
  public:
    struct Options {
        int max_ply = 30;                  // half-moves of each game that count, from its start
        std::uint32_t min_games = 3;       // that a move was played in
        double min_score = 0;              // the mover's points a game with it, 0 to 1
        std::optional<chess::Color> side;  // moves of this side only
        int min_rating = 0;                // of the player who moves, by the tag WhiteElo or BlackElo
        // Moves of positions kept in memory, 24 bytes each, and once more while they are sorted in. When
        // there are more, those played once are forgotten, then those played twice, and so on.
        std::size_t max_moves = 20'000'000;
    };
    struct Counts {
        std::uint64_t games = 0;           // that counted
        std::uint64_t without_result = 0;  // left out
        std::uint64_t chess960 = 0;        // left out: the format is for standard chess
        std::uint64_t moves = 0;           // counted
        std::uint64_t forgotten = 0;       // counted and then forgotten for want of memory
    };

    explicit BookBuilder(const Options& options) : options_(options) {}

    void add(const Game& game);
    const Counts& counts() const { return counts_; }

    // The book so far. A move's weight is 2 for each game that the mover won with it and 1 for each draw;
    // moves that only lost are left out.
    std::vector<BookEntry> finish();

  private:
    struct Played {
        std::uint64_t key;
        std::uint16_t move;
        std::uint32_t games;
        std::uint32_t points;  // 2 a win, 1 a draw, of the mover
    };
    // Sorts what has been gathered into what is counted.
    void gather();

    Options options_;
    Counts counts_;
    std::vector<Played> sorted_;  // by key and move, each once
    std::vector<Played> recent_;  // not yet sorted in
};

}  // namespace scholar::games
