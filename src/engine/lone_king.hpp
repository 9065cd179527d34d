#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/position.hpp"

namespace scholar::engine {

// King and queen, or king and rook, against a king alone: solved from the rules, when it is needed, backwards
// from all mates. A fraction of a second and 130 kB. To a network all these positions are won and alike, so
// that a search which does not see the mate may look for it for ever, and a player made weak all the more.
class LoneKingEnding {
  public:
    // Queen or Rook.
    explicit LoneKingEnding(chess::PieceKind piece);

    // The piece that this ending has beside the kings, if the position is one of those.
    static std::optional<chess::PieceKind> piece_of(const chess::Position& position);

    chess::PieceKind piece() const { return piece_; }
    // With best play, for a position of this ending; nothing where there is no mate: the piece is lost, or
    // stalemate.
    std::optional<int> plies_to_mate(const chess::Position& position) const;
    // Best play to mate, from a position with the stronger side to move. Empty if there is no mate.
    std::vector<chess::Move> mating_line(const chess::Position& position) const;

  private:
    void solve();

    chess::PieceKind piece_;
    // By index_of(): half-moves to mate, with the stronger side to move and with the king alone to move.
    std::vector<std::uint8_t> strong_;
    std::vector<std::uint8_t> weak_;
};

}  // namespace scholar::engine
