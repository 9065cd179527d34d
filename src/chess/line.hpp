#pragma once

#include <optional>
#include <vector>

#include "chess/position.hpp"

namespace scholar::chess {

// Why a game is over by the rules, if it is.
enum class Terminal { None, Checkmate, Stalemate, InsufficientMaterial, ThreefoldRepetition, FiftyMoves };

// A position with the positions that led to it: a game in progress, or a search's path. push() makes a move,
// pop() unmakes it, exactly.
class Line {
  public:
    explicit Line(const Position& start = Position());

    const Position& current() const { return positions_.back(); }
    const Position& start() const { return positions_.front(); }
    // Half-moves since the start position.
    int ply() const { return static_cast<int>(positions_.size()) - 1; }
    // The position `plies` half-moves ago; 0 is the current one.
    const Position& ago(int plies) const { return positions_[positions_.size() - 1 - plies]; }

    // Makes room for `plies` more half-moves: until then push() leaves references to positions valid.
    void reserve_ahead(int plies) {
        positions_.reserve(positions_.size() + static_cast<std::size_t>(plies));
        reversible_.reserve(reversible_.size() + static_cast<std::size_t>(plies));
    }

    void push(Move move) {
        positions_.push_back(positions_.back());
        positions_.back().make(move);
        reversible_.push_back(current().halfmove_clock() == 0 ? 0 : reversible_.back() + 1);
    }
    // No game repeats a position across a pass.
    void push_null() {
        positions_.push_back(positions_.back());
        positions_.back().make_null();
        reversible_.push_back(0);
    }
    void pop() {
        positions_.pop_back();
        reversible_.pop_back();
    }

    // How often the position `plies` half-moves ago, the current one, stood before that on this line: 2 is a
    // threefold repetition.
    int repetitions(int plies = 0) const;

    // Whether a search whose root is at ply `root` should call the current position a draw by repetition: it
    // occurred once within the search (whoever could repeat once can again), or twice before.
    bool is_repetition_in_search(int root) const;

    // Checkmate has priority over the fifty-move rule (FIDE 9.6.2: the move is complete first).
    Terminal terminal() const;

  private:
    std::vector<Position> positions_;
    std::vector<int>
        reversible_;  // how many half-moves back, of this line, the current position could have stood
};

}  // namespace scholar::chess
