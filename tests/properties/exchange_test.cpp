// The static exchange, against one that is played out on a board of squares with nothing clever in it.

#include "chess/exchange.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "properties/playout.hpp"
#include "support/mirror.hpp"

namespace scholar::chess {
namespace {

using tests::Playout;
using Values = std::array<int, 6>;

class Board {
  public:
    Board(const Position& position, const Values& values) : values_(values) {
        for (int s = 0; s < 64; ++s) squares_[s] = position.piece_on(static_cast<Square>(s));
    }

    // What the side that makes the move wins by it and all that follows on its target square, both sides
    // stopping when that is better.
    int value(const Position& position, Move move) {
        const PieceKind captured = position.captured_kind(move);
        squares_[move.to()] = squares_[move.from()];
        squares_[move.from()] = NoPiece;
        if (move.is_en_passant()) squares_[move.to() - forward(position.side_to_move())] = NoPiece;
        return (captured == NoKind ? 0 : values_[captured]) - gain(~position.side_to_move(), move.to());
    }

  private:
    // The most that `side` wins by taking what stands on `to`, or 0 if it had better not.
    int gain(Color side, int to) {
        int best = -1;
        for (int s = 0; s < 64; ++s)
            if (can_take(side, s, to) && (best < 0 || takes_before(s, best))) best = s;
        if (best < 0) return 0;
        const Piece taken = squares_[to];
        const Piece taker = squares_[best];
        squares_[to] = taker;
        squares_[best] = NoPiece;
        int result = 0;
        if (kind_of(taker) != King || !is_attacked(to, ~side))
            result = std::max(0, values_[kind_of(taken)] - gain(~side, to));
        squares_[best] = taker;
        squares_[to] = taken;
        return result;
    }

    // The less valuable piece first, of equal values the lesser kind; the king last.
    bool takes_before(int a, int b) const {
        const PieceKind kind_a = kind_of(squares_[a]);
        const PieceKind kind_b = kind_of(squares_[b]);
        if ((kind_a == King) != (kind_b == King)) return kind_b == King;
        if (values_[kind_a] != values_[kind_b]) return values_[kind_a] < values_[kind_b];
        return kind_a < kind_b;
    }

    // Whether it reaches the square without leaving a line on which it shields its king.
    bool can_take(Color side, int from, int to) {
        const Piece piece = squares_[from];
        if (piece == NoPiece || color_of(piece) != side || !attacks(from, to)) return false;
        if (kind_of(piece) == King) return true;
        int king = 0;
        while (squares_[king] != make_piece(side, King)) ++king;
        for (int s = 0; s < 64; ++s) {
            const bool slides = kind_of(squares_[s]) >= Bishop && kind_of(squares_[s]) <= Queen;
            if (s == to || !slides || color_of(squares_[s]) == side || attacks(s, king)) continue;
            const Piece taken = squares_[to];
            squares_[to] = piece;
            squares_[from] = NoPiece;
            const bool uncovered = attacks(s, king);
            squares_[from] = piece;
            squares_[to] = taken;
            if (uncovered) return false;
        }
        return true;
    }

    bool is_attacked(int square, Color by) const {
        for (int s = 0; s < 64; ++s)
            if (squares_[s] != NoPiece && color_of(squares_[s]) == by && attacks(s, square)) return true;
        return false;
    }

    bool attacks(int from, int to) const {
        if (from == to) return false;
        const int files = to % 8 - from % 8;
        const int ranks = to / 8 - from / 8;
        const int wide = std::abs(files);
        const int high = std::abs(ranks);
        switch (kind_of(squares_[from])) {
            case Pawn:
                return wide == 1 && ranks == (color_of(squares_[from]) == White ? 1 : -1);
            case Knight:
                return wide * high == 2;
            case Bishop:
                return wide == high && is_free(from, to, files, ranks);
            case Rook:
                return wide * high == 0 && is_free(from, to, files, ranks);
            case Queen:
                return (wide == high || wide * high == 0) && is_free(from, to, files, ranks);
            case King:
                return wide <= 1 && high <= 1;
            default:
                return false;
        }
    }

    bool is_free(int from, int to, int files, int ranks) const {
        const auto sign = [](int value) { return (value > 0) - (value < 0); };
        const int step = sign(files) + 8 * sign(ranks);
        for (int s = from + step; s != to; s += step)
            if (squares_[s] != NoPiece) return false;
        return true;
    }

    std::array<Piece, 64> squares_;
    Values values_;
};

rc::Gen<Values> piece_values() {
    return rc::gen::map(
        rc::gen::container<Values>(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 1000))),
        [](Values values) {
            values[King] = 0;
            return values;
        });
}

RC_GTEST_PROP(ExchangeProperty, AgreesWithTheOnePlayedOut, (const Playout& playout)) {
    const Values values = *piece_values();
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position& position = line.ago(ago);
        for (const Move move : legal_moves(position)) {
            if (move.is_castling() || move.is_promotion()) continue;
            const int value = Board(position, values).value(position, move);
            RC_ASSERT(exchange_wins(position, move, value, values));
            RC_ASSERT(!exchange_wins(position, move, value + 1, values));
        }
    }
}

RC_GTEST_PROP(ExchangeProperty, WinsLessIfMoreIsAsked, (const Playout& playout)) {
    const Values values = *piece_values();
    const int threshold = *rc::gen::inRange(-1500, 1500);
    const Position position = playout.end();
    for (const Move move : legal_moves(position))
        if (exchange_wins(position, move, threshold, values))
            RC_ASSERT(exchange_wins(position, move, threshold - 1, values));
}

// Whether two pieces of one colour and kind might take there: which of them goes first is then a matter of
// squares, not of values.
bool has_twins(const Position& position, Square to) {
    const Bitboard takers = position.attackers(to, 0);
    for (const Color color : kColors)
        for (const PieceKind kind : kPieceKinds)
            if (several(takers & position.pieces(color, kind))) return true;
    return false;
}

RC_GTEST_PROP(ExchangeProperty, IsTheSameInTheMirror, (const Playout& playout)) {
    const Values values = *piece_values();
    const int threshold = *rc::gen::inRange(-1500, 1500);
    const Line line = playout.line();
    for (int ago = line.ply(); ago >= 0; --ago) {
        const Position position = tests::without_castling(line.ago(ago));
        for (const Move move : legal_moves(position)) {
            if (has_twins(position, move.to())) continue;
            const bool wins = exchange_wins(position, move, threshold, values);
            RC_ASSERT(exchange_wins(tests::mirrored(position), tests::mirrored(move), threshold, values) ==
                      wins);
            RC_ASSERT(exchange_wins(tests::mirrored_by_files(position), tests::mirrored_by_files(move),
                                    threshold, values) == wins);
        }
    }
}

}  // namespace
}  // namespace scholar::chess
