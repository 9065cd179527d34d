#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "chess/types.hpp"

// What a dense network that judges moves is given of a move, behind the numbers of the position (Giraffe,
// section 6.1): what it is, and which place it has among all legal moves. It is defined once, here; trainers
// and engine call the same code.
//
// The place comes from the network itself, which judges twice: first moves without a place, then each with
// that which its first judgement gives it. The paper has all moves judged as if they were the best at first.
// But what is then said of a move, and what is said of the one that is the best, are two things with the same
// inputs; a move without a place, whose numbers are all 0, is a third.

namespace scholar::nets {

// Which of these a move's place is in; one number each, 1 for the right one: best, second, third, fourth, 4
// to 5, 6 to 8, 9 to 14, all behind, from 0 on.
constexpr int kPlaceInputs = 8;
constexpr int kNoPlace = -1;
// 0 to kPlaceInputs − 1, of a place from 0 on.
int place_input(int place);

// The places of moves by what was said of them first: the more the better, and of the same the one that
// stands first. `out` has one for each.
void rank_moves(std::span<const float> said, std::span<int> out);

struct DenseMoveSet {
    std::string_view name;
    std::string_view help;  // for people
    // Whether all is seen from the mover's side: where Black is to move, position and move are turned over
    // (chess/mirror.hpp), for the numbers of the position too, so that White always moves.
    bool turned;
    // Numbers that say what the move is; those of its place are behind them.
    int described;
    // Writes `described` numbers, of a legal move of a position, both as MoveView has them.
    void (*encode_to)(const chess::Position& position, chess::Move move, float* out);
    // "white pawn", "from e2": of all numbers in their order; for people and for tests.
    std::vector<std::string> (*names)();

    int size() const { return described + kPlaceInputs; }
};

// A position and its moves as a set has them seen.
class MoveView {
  public:
    MoveView(const DenseMoveSet& set, const chess::Position& position);
    const chess::Position& position() const { return position_; }
    chess::Move of(chess::Move move) const;

  private:
    bool turned_;
    chess::Position position_;
};

// All that there are: a plain table.
std::span<const DenseMoveSet> dense_move_sets();
// Refuses an unknown name and lists the known ones.
base::Result<const DenseMoveSet*> find_dense_move_set(std::string_view name);

}  // namespace scholar::nets
