#include "chess/legality.hpp"

namespace scholar::chess {

namespace {

bool castling_is_legal(const Position& position, Square from, Square to) {
    const Color us = position.side_to_move();
    const CastlingSide side = to > from ? KingSide : QueenSide;
    if (from != position.king(us) || !position.may_castle(us, side) ||
        to != position.castling_rook(us, side) || position.in_check())
        return false;
    const Square king_to = castled_king(us, side);
    const Square rook_to = castled_rook(us, side);
    const Bitboard king_path = between(from, king_to) | bit(king_to);
    const Bitboard rook_path = between(to, rook_to) | bit(rook_to);
    const Bitboard others = position.occupied() ^ bit(from) ^ bit(to);
    if (others & (king_path | rook_path | between(from, to))) return false;
    for (const Square square : squares(king_path))
        if (position.is_attacked(square, ~us, others | bit(to))) return false;
    // In Chess960 the rook may have stood between the king's new square and an enemy rook or queen.
    return !(rook_attacks(king_to, others | bit(rook_to)) & position.straight_sliders(~us));
}

// Whether a piece of that kind, not a pawn, goes from one square to the other.
bool piece_reaches(PieceKind kind, Square from, Square to, Bitboard occupied) {
    switch (kind) {
        case Knight:
            return knight_attacks(from) & bit(to);
        case Bishop:
            return bishop_attacks(from, occupied) & bit(to);
        case Rook:
            return rook_attacks(from, occupied) & bit(to);
        case Queen:
            return queen_attacks(from, occupied) & bit(to);
        case King:
            return king_attacks(from) & bit(to);
        default:
            return false;
    }
}

// A pawn's step, double step or capture, en passant apart.
bool pawn_reaches(const Position& position, Square from, Square to) {
    const Color us = position.side_to_move();
    if (pawn_attacks(us, from) & position.pieces(~us) & bit(to)) return true;
    const Bitboard empty = ~position.occupied();
    const Square one = from + forward(us);
    if (!(empty & bit(one))) return false;
    if (to == one) return true;
    return relative_rank(us, from) == 1 && to == one + forward(us) && (empty & bit(to));
}

}  // namespace

bool is_legal(const Position& position, Move move) {
    const Color us = position.side_to_move();
    const Square from = move.from();
    const Square to = move.to();
    if (!(position.pieces(us) & bit(from))) return false;
    if (move.is_castling()) return castling_is_legal(position, from, to);
    if (position.pieces(us) & bit(to)) return false;

    const PieceKind kind = kind_of(position.piece_on(from));
    const Bitboard occupied = position.occupied();
    Bitboard captured = bit(to);
    if (move.is_en_passant()) {
        if (kind != Pawn || to != position.en_passant() || !(pawn_attacks(us, from) & bit(to))) return false;
        captured = bit(to - forward(us));
    } else if (kind == Pawn) {
        const bool promotes = relative_rank(us, to) == 7;
        const Move written = promotes ? Move::promotion(from, to, move.promotion_kind()) : Move(from, to);
        if (move != written || !pawn_reaches(position, from, to)) return false;
    } else if (move != Move(from, to) || !piece_reaches(kind, from, to, occupied)) {
        return false;
    }

    if (kind == King) return !position.is_attacked(to, ~us, occupied ^ bit(from));
    const Bitboard after = ((occupied ^ bit(from)) & ~captured) | bit(to);
    return !(position.attackers(position.king(us), after) & position.pieces(~us) & ~captured);
}

}  // namespace scholar::chess
