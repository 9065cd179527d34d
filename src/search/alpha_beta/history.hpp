#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "chess/position.hpp"

// What moves have done so far in this search and those before it in the game, to try the good ones first.

namespace scholar::search {

// Each success pulls the number towards `Limit` and each failure towards −Limit, the less the nearer it is
// already, so that old lessons fade.
template <int Limit>
class HistoryScore {
  public:
    static constexpr int kMax = Limit;

    int value() const { return value_; }
    void add(int bonus) {
        const int clamped = std::clamp(bonus, -kMax, kMax);
        value_ = static_cast<std::int16_t>(value_ + clamped - value_ * std::abs(clamped) / kMax);
    }

  private:
    std::int16_t value_ = 0;
};

using MoveScore = HistoryScore<16'384>;

// Quiet moves by who moves, from where, to where.
class ButterflyHistory {
  public:
    const MoveScore& at(chess::Color color, chess::Move move) const {
        return table_[color][move.from()][move.to()];
    }
    MoveScore& at(chess::Color color, chess::Move move) { return table_[color][move.from()][move.to()]; }

  private:
    std::array<std::array<std::array<MoveScore, 64>, 64>, 2> table_{};
};

// Captures and promotions by what moves, to where, and what it takes.
class CaptureHistory {
  public:
    MoveScore& at(const chess::Position& position, chess::Move move) {
        return table_[position.piece_on(move.from())][move.to()][position.captured_kind(move)];
    }
    const MoveScore& at(const chess::Position& position, chess::Move move) const {
        return table_[position.piece_on(move.from())][move.to()][position.captured_kind(move)];
    }

  private:
    std::array<std::array<std::array<MoveScore, 7>, 64>, 16> table_{};  // kinds with NoKind
};

// Moves (piece, to) by a move (piece, to) some half-moves before them on the line.
class ContinuationHistory {
  public:
    // What follows one move.
    class Slice {
      public:
        MoveScore& at(chess::Piece piece, chess::Square to) { return table_[piece][to]; }
        const MoveScore& at(chess::Piece piece, chess::Square to) const { return table_[piece][to]; }

      private:
        std::array<std::array<MoveScore, 64>, 16> table_{};
    };

    Slice& after(chess::Piece piece, chess::Square to) { return table_[piece][to]; }
    // Stands for "no move there": the root's past and passes.
    Slice& after_none() { return table_[chess::NoPiece][0]; }

  private:
    std::array<std::array<Slice, 64>, 16> table_{};
};

// Quiet moves (piece, to) by how the pawns stand.
class PawnHistory {
  public:
    using Slice = ContinuationHistory::Slice;
    Slice& at(std::uint64_t pawn_hash) { return table_[pawn_hash % kSize]; }

  private:
    static constexpr std::size_t kSize = 512;
    std::array<Slice, kSize> table_{};
};

// By how much the static evaluation of positions that share something was wrong, in units that
// detail::kCorrectionGrain turns into Score.
class CorrectionHistory {
  public:
    static constexpr int kSize = 16'384;
    static constexpr int kLimit = 1024;
    using Entry = HistoryScore<kLimit>;

    Entry& at(chess::Color side, std::uint64_t hash) { return table_[side][hash % kSize]; }
    const Entry& at(chess::Color side, std::uint64_t hash) const { return table_[side][hash % kSize]; }

  private:
    std::array<std::array<Entry, kSize>, 2> table_{};
};

// By the last two moves (piece, to of either).
class ContinuationCorrection {
  public:
    using Slice = std::array<std::array<CorrectionHistory::Entry, 64>, 16>;
    Slice& after(chess::Piece piece, chess::Square to) { return table_[piece][to]; }

  private:
    std::array<std::array<Slice, 64>, 16> table_{};
};

// All of one thread's lessons.
struct Histories {
    ButterflyHistory butterfly;
    CaptureHistory captures;
    ContinuationHistory continuations;
    PawnHistory pawns;
    CorrectionHistory pawn_corrections;
    CorrectionHistory minor_corrections;
    std::array<CorrectionHistory, 2> piece_corrections;  // by colour
    ContinuationCorrection continuation_corrections;
};

}  // namespace scholar::search
