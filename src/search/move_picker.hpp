#pragma once

#include <array>

#include "chess/movegen.hpp"
#include "nets/network.hpp"
#include "search/history.hpp"

namespace scholar::search {

// What a node knows that helps to order its moves.
struct OrderingHints {
    chess::Move table_move;
    std::array<chess::Move, 2> killers{};  // quiet moves that refuted siblings
    const ButterflyHistory* butterfly = nullptr;
    const ReplyHistory::Replies* replies = nullptr;  // to the move before; may be missing
};

// Gives out a position's legal moves one by one, the most promising first: the table's move; captures and
// promotions that do not lose material, the most valuable victim first; killers; quiet moves by history;
// losing captures.
class MovePicker {
  public:
    enum class Rank : std::uint8_t { LosingCapture, Quiet, Killer, WinningCapture, TableMove };
    struct Pick {
        chess::Move move;
        Rank rank;
        int history;  // of a quiet move
    };

    MovePicker(const chess::Position& position, chess::MoveSet which, const OrderingHints& hints,
               const nets::PieceValues& values);

    // False when there is nothing left.
    bool next(Pick& out);

  private:
    struct Candidate {
        chess::Move move;
        Rank rank;
        bool exchange_checked;
        int order;  // within the rank
    };
    Candidate rate(chess::Move move, const OrderingHints& hints) const;

    const chess::Position& position_;
    const nets::PieceValues& values_;
    std::array<Candidate, chess::kMaxMoves> candidates_;
    int size_ = 0;
    int given_ = 0;
};

}  // namespace scholar::search
