#pragma once

#include <array>

#include "chess/movegen.hpp"
#include "nets/container/piece_values.hpp"
#include "search/alpha_beta/history.hpp"
#include "search/alpha_beta/priors.hpp"

namespace scholar::search {

// What a node knows that helps to order its moves.
struct OrderingHints {
    chess::Move table_move;
    std::array<chess::Move, 2> killers{};  // quiet moves that refuted siblings
    const Histories* histories = nullptr;
    const MovePriors* priors = nullptr;                 // where a policy was asked
    const ContinuationHistory::Slice* pawns = nullptr;  // by this node's pawns
    // By the moves one, two, four and six half-moves ago.
    std::array<const ContinuationHistory::Slice*, 4> continuations{};
};

// Gives out a position's legal moves one by one, the most promising first, and does work only when its turn
// comes: the table's move; captures and promotions that do not lose material, by victim and history; killers;
// quiet moves by history; losing captures.
class MovePicker {
  public:
    enum class Rank : std::uint8_t { LosingCapture, Quiet, Killer, WinningCapture, TableMove };
    struct Pick {
        chess::Move move;
        Rank rank;
        int history;  // sum of the histories' scores
    };
    enum class Which {
        All,             // for a node of the main search, and for every node in check
        Noisy,           // captures and promotions; of losing ones only the table's move
        NoisyAndChecks,  // and quiet moves that give check and lose nothing; and the table's move
    };

    MovePicker(const chess::Position& position, Which which, const OrderingHints& hints,
               const nets::PieceValues& values);

    // False when there is nothing left.
    bool next(Pick& out);
    // From now on only what is no quiet move.
    void skip_quiets() { skip_quiets_ = true; }

  private:
    enum class Stage {
        TableMove,
        GenerateNoisy,
        WinningCaptures,
        Killers,
        GenerateQuiets,
        Quiets,
        GenerateChecks,
        Checks,
        LosingCaptures,
        Done
    };
    struct Rating {
        int order;
        int history;
    };
    // Without initial values: there are far more places than moves.
    struct Candidate {
        std::uint16_t bits;  // of the move
        Rating rating;

        chess::Move move() const { return chess::Move::from_bits(bits); }
    };
    void add(chess::Move move, Rating rating);
    void add_noisy();
    void add_quiets();
    Rating rate_noisy(chess::Move move) const;
    Rating rate_quiet(chess::Move move) const;
    Candidate take_best();
    bool is_killer(chess::Move move) const { return move == hints_.killers[0] || move == hints_.killers[1]; }

    const chess::Position& position_;
    const nets::PieceValues& values_;
    const OrderingHints hints_;
    const Which which_;
    Stage stage_ = Stage::TableMove;
    bool skip_quiets_ = false;
    int killer_ = 0;
    // Losing captures that were put off come first, then what the stage has given out, then what it has not.
    std::array<Candidate, chess::kMaxMoves> candidates_;
    int losing_ = 0;
    int given_ = 0;
    int size_ = 0;
    int losing_given_ = 0;
};

}  // namespace scholar::search
