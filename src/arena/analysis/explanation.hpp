#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chess/position.hpp"

// Why a move is bad, by what can be counted: two lines beside each other, and the men at their ends.

namespace scholar::arena {

// By kind, pawn to queen: own less enemy men.
using MenBalance = std::array<int, 5>;
MenBalance balance_of(const chess::Position& position, chess::Color side);

// The last position of a line in which the man that has just taken cannot be taken itself: what is behind it
// is an exchange that the line leaves unfinished.
chess::Position settled_end(const chess::Position& start, std::span<const chess::Move> moves);

struct Explanation {
    std::vector<chess::Move> played;  // the move and what answers it, from the position before the move
    std::vector<chess::Move> better;
    // What the mover has fewer of at the end of the line played than at the end of the better one, by kind;
    // below 0: more.
    MenBalance cost{};
    // In so many moves: the mover mates in the better line; is mated in the line played.
    std::optional<int> misses_mate;
    std::optional<int> allows_mate;

    // "misses mate in 3", "allows mate in 2; costs a queen for two pawns", "costs no men in these lines".
    std::string words() const;
};

// Of a move in `before`: the lines begin with the move played and the better one. Mates are in moves, from
// the mover's view, where the searches say so.
Explanation explain(const chess::Position& before, std::vector<chess::Move> played,
                    std::vector<chess::Move> better, std::optional<int> mate_played,
                    std::optional<int> mate_better);

}  // namespace scholar::arena
