#include "nets/linear/linear_parts.hpp"

// King shelter, castling, attack on the king, and what the side ahead in material has of it.

namespace scholar::nets {

using namespace chess;

namespace {

// The lowest of the set on a file at or above a rank, as an index of ranks 2 to 7, or 6 for none.
int nearest_rank(Bitboard pawns, int file, int from_rank) {
    const Bitboard found = pawns & file_bits(file) & ~Bitboard{0} << 8 * from_rank;
    return found ? rank_of(lowest(found)) - 1 : 6;
}

}  // namespace

void count_shelter(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Square king = view.own.king();
    const int file = file_of(king);
    const Bitboard own = view.own.pieces[Pawn];
    const Bitboard enemy = view.enemy.pieces[Pawn];
    for (int side = 0; side < 3; ++side) {
        const int at = file + side - 1;
        if (at < 0 || at > 7) continue;
        counter.one(Block::Shelter, side, nearest_rank(own, at, rank_of(king)));
        counter.one(Block::Storm, side, nearest_rank(enemy, at, rank_of(king)));
    }
    if (!(own & file_bits(file)))
        counter.one(enemy & file_bits(file) ? Block::KingHalfOpenFile : Block::KingOpenFile, file);
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen})
        for (const Square square : squares(view.own.pieces[kind]))
            counter.one(Block::Guard, kind, distance(king, square) - 1);
    const Bitboard escape = view.own.attacks[King] & rank_bits(1) & ~view.own.all & ~view.enemy.once;
    if (rank_of(king) == 0 && !escape && (view.enemy.pieces[Rook] | view.enemy.pieces[Queen]))
        counter.one(Block::BackRank);
}

void count_castling(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    if (view.may_castle_short) counter.one(Block::MayCastleShort);
    if (view.may_castle_long) counter.one(Block::MayCastleLong);
    if (view.may_castle_short || view.may_castle_long) return;
    const Square king = view.own.king();
    const Bitboard rooks = view.own.pieces[Rook] & kRank1;
    const bool to_short = (king == G1 || king == H1) && !(rooks & ~(bit(king + 1) - 1));
    const bool to_long = (king == A1 || king == B1 || king == C1) && !(rooks & (bit(king) - 1));
    if (to_short) counter.one(Block::CastledShort);
    if (to_long) counter.one(Block::CastledLong);
    counter.one(to_short || to_long ? Block::Castled : Block::CastlingLost);
}

void count_king_attack(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Square king = view.enemy.king();
    const Bitboard ring = view.enemy.attacks[King];
    const Bitboard pawns = view.own.pieces[Pawn] & (shift<-7>(ring) | shift<-9>(ring));
    std::array<int, 5> attackers{popcount(pawns)};
    int officers = 0;
    for (int i = 0; i < view.officer_count; ++i) {
        const Attacker& piece = view.officers[static_cast<std::size_t>(i)];
        if (!(piece.attacks & ring)) continue;
        ++attackers[piece.kind];
        ++officers;
    }
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen})
        counter.some(attackers[kind], Block::KingAttackers, kind);
    counter.number(Block::KingAttackerNumber, officers);
    if (view.own.pieces[Queen]) counter.number(Block::KingAttackerQueen, officers);

    const Force& enemy = view.enemy;
    const Bitboard others = enemy.attacks[Pawn] | enemy.attacks[Knight] | enemy.attacks[Bishop] |
                            enemy.attacks[Rook] | enemy.attacks[Queen];
    const Bitboard attacked = ring & view.own.once;
    counter.one(Block::KingRingAttacked, popcount(attacked));
    counter.one(Block::KingRingWeak, popcount(attacked & ~others));
    for (const Square square : squares(attacked)) {
        // 0 to 8 by rank and file; the king itself, 4, is not among them.
        const int place = 3 * (rank_of(square) - rank_of(king) + 1) + file_of(square) - file_of(king) + 1;
        counter.one(Block::KingRingSquare, place < 4 ? place : place - 1);
    }

    const Bitboard diagonal = bishop_attacks(king, view.occupied);
    const Bitboard straight = rook_attacks(king, view.occupied);
    const std::array checks{knight_attacks(king), diagonal, straight, diagonal | straight};
    for (const PieceKind kind : {Knight, Bishop, Rook, Queen})
        counter.some(popcount(checks[static_cast<std::size_t>(kind - Knight)] & view.own.attacks[kind] &
                              ~view.own.all & ~enemy.once),
                     Block::SafeCheck, kind - Knight);
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen})
        for (const Square square : squares(view.own.pieces[kind]))
            counter.one(Block::Tropism, kind, distance(king, square) - 1);
}

}  // namespace scholar::nets
