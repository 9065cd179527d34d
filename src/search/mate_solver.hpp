#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "chess/position.hpp"
#include "chess/score.hpp"

namespace scholar::search {

// Looks for forced mates by trying everything: exact, where the alpha-beta search guesses. All moves of the
// defence are answered; in the last move of the attack only checks count. Repetitions are not looked at,
// since the shortest mate has none; the fifty-move rule is.
class MateSolver {
  public:
    using Clock = std::chrono::steady_clock;
    // Looks at no more than about so many positions in all, and at none after the deadline.
    explicit MateSolver(std::uint64_t node_limit = UINT64_MAX, std::stop_token stop = {},
                        std::optional<Clock::time_point> deadline = {});

    // The shortest mate by the side to move in at most `moves` of its moves: all half-moves to the mate, the
    // defence putting it off as long as it can. Nothing if there is none; check complete() whether that is
    // proved. If `root_moves` is not empty, only these begin.
    std::optional<std::vector<chess::Move>> solve(const chess::Position& position, int moves,
                                                  const std::vector<chess::Move>& root_moves = {});
    // The side to move is mated in at most `moves` of the other side's moves, whatever it does: the longest
    // defence.
    std::optional<std::vector<chess::Move>> defend(const chess::Position& position, int moves);

    bool complete() const { return !aborted_; }
    std::uint64_t nodes() const { return nodes_; }

  private:
    struct Known {
        std::uint64_t key = 0;
        chess::Move move;            // that mates
        std::uint8_t proved = 0;     // mate in so many moves, if not 0
        std::uint8_t disproved = 0;  // none in so many
    };

    // Whether the side to move mates in at most `moves` ≥ 1; the move that does.
    chess::Move attack(const chess::Position& position, int moves, const std::vector<chess::Move>& only);
    // Whether every reply is answered by a mate in at most `moves` ≥ 0.
    bool is_lost(const chess::Position& position, int moves);
    std::vector<chess::Move> mating_line(chess::Position position, int moves);
    std::vector<chess::Move> losing_line(chess::Position position, int moves);
    bool enter();

    std::uint64_t node_limit_;
    std::stop_token stop_;
    std::optional<Clock::time_point> deadline_;
    std::uint64_t nodes_ = 0;
    bool aborted_ = false;
    std::vector<Known> table_;
};

// Whether a variation is all of the mate that a score promises: so many half-moves, and the last one mates.
bool is_whole_mate(const chess::Position& root, const std::vector<chess::Move>& variation,
                   chess::Score score);

// A variation whose score is a mate, made whole: where it ends before the mate (a table entry stood for the
// rest) and at most so many nodes find the missing half-moves, they follow. Otherwise as it was.
std::vector<chess::Move> with_whole_mate(const chess::Position& root, std::vector<chess::Move> variation,
                                         chess::Score score, std::uint64_t node_limit);

}  // namespace scholar::search
