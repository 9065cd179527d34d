#include "chess/exchange.hpp"

namespace scholar::chess {

namespace {

// The least valuable kind among `pieces`; the king only where there is nothing else.
PieceKind least_valuable(const Position& position, Bitboard pieces, const std::array<int, 6>& values) {
    PieceKind least = King;
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen})
        if ((pieces & position.pieces(kind)) && (least == King || values[kind] < values[least])) least = kind;
    return least;
}

// Our pieces that may not leave the line to their king while an enemy slider behind stands.
Bitboard pinned_pieces(const Position& position, Color color, Bitboard occupied) {
    const Square king = position.king(color);
    const Bitboard us = position.pieces(color) & occupied;
    const Bitboard them = position.pieces(~color) & occupied;
    Bitboard pinned = 0;
    const Bitboard snipers = (bishop_attacks(king, them) & position.diagonal_sliders(~color) & occupied) |
                             (rook_attacks(king, them) & position.straight_sliders(~color) & occupied);
    for (const Square sniper : squares(snipers)) {
        const Bitboard blockers = between(king, sniper) & us;
        if (blockers && !several(blockers)) pinned |= blockers;
    }
    return pinned;
}

}  // namespace

bool exchange_wins(const Position& position, Move move, int threshold, const std::array<int, 6>& values) {
    if (move.is_castling()) return threshold <= 0;
    const Square from = move.from();
    const Square to = move.to();
    const PieceKind captured = position.captured_kind(move);
    const PieceKind mover = kind_of(position.piece_on(from));

    // What we have won so far, against the threshold; then what is left if the mover is taken for nothing.
    int balance = (captured == NoKind ? 0 : values[captured]) - threshold;
    if (balance < 0) return false;
    if (mover == King) return true;  // a legal king move is never answered on its square
    balance -= values[mover];
    if (balance >= 0) return true;

    Bitboard occupied = (position.occupied() ^ bit(from)) | bit(to);
    if (move.is_en_passant()) occupied ^= bit(to - forward(position.side_to_move()));
    const Bitboard diagonal = position.pieces(Bishop) | position.pieces(Queen);
    const Bitboard straight = position.pieces(Rook) | position.pieces(Queen);
    Bitboard attackers = position.attackers(to, occupied) & occupied;
    Color side = ~position.side_to_move();

    // `balance` is what the side that has just moved is ahead if its piece is taken for nothing; below 0 it
    // has not reached what it needs, and the other side need only take.
    while (true) {
        Bitboard ours = attackers & position.pieces(side);
        if (ours) ours &= ~(pinned_pieces(position, side, occupied) & ~line_through(position.king(side), to));
        if (!ours) break;
        const PieceKind kind = least_valuable(position, ours, values);
        // A king may take only what is not defended.
        if (kind == King && (attackers & position.pieces(~side))) break;
        balance = -balance - 1 - values[kind];
        side = ~side;
        if (balance >= 0) break;
        occupied ^= bit(lowest(ours & position.pieces(kind)));
        attackers |= (bishop_attacks(to, occupied) & diagonal) | (rook_attacks(to, occupied) & straight);
        attackers &= occupied;
    }
    // `side` could not or would not go on: whoever moved last keeps the square.
    return side != position.side_to_move();
}

}  // namespace scholar::chess
