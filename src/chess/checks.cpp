#include "chess/checks.hpp"

namespace scholar::chess {

// Looks at the board as it would be, as far as sliders see it.
bool gives_check(const Position& position, Move move) {
    const Color us = position.side_to_move();
    const Square king = position.king(~us);
    const Bitboard from = bit(move.from());
    const Bitboard to = bit(move.to());
    Bitboard occupied = (position.occupied() & ~from) | to;
    Bitboard diagonal = position.diagonal_sliders(us) & ~from;
    Bitboard straight = position.straight_sliders(us) & ~from;

    if (move.is_castling()) {
        const CastlingSide side = move.to() > move.from() ? KingSide : QueenSide;
        const Bitboard rook = bit(castled_rook(us, side));
        occupied = (occupied & ~to) | bit(castled_king(us, side)) | rook;
        straight = (straight & ~to) | rook;
    } else {
        const PieceKind kind =
            move.is_promotion() ? move.promotion_kind() : kind_of(position.piece_on(move.from()));
        if (kind == Pawn && (pawn_attacks(us, move.to()) & bit(king))) return true;
        if (kind == Knight && (knight_attacks(move.to()) & bit(king))) return true;
        if (kind == Bishop || kind == Queen) diagonal |= to;
        if (kind == Rook || kind == Queen) straight |= to;
        if (move.is_en_passant()) occupied ^= bit(move.to() - forward(us));
    }
    return (bishop_attacks(king, occupied) & diagonal) || (rook_attacks(king, occupied) & straight);
}

CheckSquares find_check_squares(const Position& position) {
    const Color us = position.side_to_move();
    const Square king = position.king(~us);
    const Bitboard occupied = position.occupied();
    CheckSquares out;
    out.king = king;
    out.by_kind[Pawn] = pawn_attacks(~us, king);
    out.by_kind[Knight] = knight_attacks(king);
    out.by_kind[Bishop] = bishop_attacks(king, occupied);
    out.by_kind[Rook] = rook_attacks(king, occupied);
    out.by_kind[Queen] = out.by_kind[Bishop] | out.by_kind[Rook];

    const Bitboard them = position.pieces(~us);
    const Bitboard hidden = (bishop_attacks(king, them) & position.diagonal_sliders(us)) |
                            (rook_attacks(king, them) & position.straight_sliders(us));
    for (const Square slider : squares(hidden)) {
        const Bitboard blockers = between(king, slider) & position.pieces(us);
        if (!several(blockers)) out.discoverers |= blockers;
    }
    return out;
}

bool gives_check(const Position& position, const CheckSquares& check_squares, Move move) {
    // These change the lines to the king in more than one place.
    if (move.is_castling() || move.is_en_passant() || move.is_promotion()) return gives_check(position, move);
    const Square from = move.from();
    if (check_squares.by_kind[kind_of(position.piece_on(from))] & bit(move.to())) return true;
    return (check_squares.discoverers & bit(from)) &&
           !(line_through(check_squares.king, from) & bit(move.to()));
}

}  // namespace scholar::chess
