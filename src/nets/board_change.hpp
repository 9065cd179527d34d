#pragma once

#include <array>

#include "chess/position.hpp"

namespace scholar::nets {

struct PlacedPiece {
    chess::Piece piece;
    chess::Square square;
};

// What a move changes on the board: at most two pieces appear (castling) and two disappear (a capture: the
// taken piece and the mover from its old square).
struct BoardChange {
    std::array<PlacedPiece, 2> added{};
    std::array<PlacedPiece, 2> removed{};
    int added_count = 0;
    int removed_count = 0;

    void add(chess::Piece piece, chess::Square square) { added[added_count++] = {piece, square}; }
    void remove(chess::Piece piece, chess::Square square) { removed[removed_count++] = {piece, square}; }
};

// Of a legal move in the position before it.
inline BoardChange board_change(const chess::Position& before, chess::Move move) {
    using namespace chess;
    BoardChange change;
    const Color us = before.side_to_move();
    const Piece piece = before.piece_on(move.from());
    change.remove(piece, move.from());
    if (move.is_castling()) {
        const CastlingSide side = move.to() > move.from() ? KingSide : QueenSide;
        const Piece rook = before.piece_on(move.to());
        change.remove(rook, move.to());
        change.add(piece, castled_king(us, side));
        change.add(rook, castled_rook(us, side));
        return change;
    }
    change.add(move.is_promotion() ? make_piece(us, move.promotion_kind()) : piece, move.to());
    if (move.is_en_passant()) {
        const Square taken = move.to() - forward(us);
        change.remove(before.piece_on(taken), taken);
    } else if (before.piece_on(move.to()) != NoPiece) {
        change.remove(before.piece_on(move.to()), move.to());
    }
    return change;
}

}  // namespace scholar::nets
