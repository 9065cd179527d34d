#include "nets/linear/linear_parts.hpp"

// Passed pawns with what stands around them, rooks, minor pieces, development and threats.

namespace scholar::nets {

using namespace chess;

namespace {

// Whether a lone enemy king comes too late, its own side to move or not.
bool is_unstoppable(const LinearView& view, Square pawn) {
    const Bitboard way = ahead(bit(pawn));
    if (view.enemy.officers() || (way & view.occupied)) return false;
    const Square last = make_square(file_of(pawn), 7);
    const int steps = std::min(7 - rank_of(pawn), 5);  // the first may be a double one
    return distance(view.enemy.king(), last) - (view.to_move ? 0 : 1) > steps;
}

}  // namespace

void count_passed_pawns(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    for (const Square square : squares(counter.passed())) {
        const int rank = rank_of(square) - 1;
        const Square next = square + 8;
        const Bitboard way = ahead(bit(square));
        for (const PieceKind kind : {Knight, Bishop, Rook, Queen, King})
            if (bit(next) & view.enemy.pieces[kind]) {
                counter.one(Block::PassedBlocked, rank);
                counter.one(Block::PassedBlocker, kind - Knight);
            }
        if (bit(next) & view.own.all) counter.one(Block::PassedObstructed, rank);
        const Bitboard obstacles = view.occupied | view.enemy.once;
        if (!(bit(next) & obstacles)) counter.one(Block::PassedFree, rank);
        if (!(way & obstacles)) counter.one(Block::PassedClear, rank);
        const Square king = view.own.king();
        if (std::min(distance(king, square), distance(king, next)) <= 1) counter.one(Block::PassedKing, rank);
        const Bitboard behind = rook_attacks(square, view.occupied) & file_bits(file_of(square)) & ~way;
        if (behind & view.own.pieces[Rook]) counter.one(Block::PassedRook, rank);
        if (behind & view.enemy.pieces[Rook]) counter.one(Block::PassedEnemyRook, rank);
        counter.one(Block::PassedOwnKing, distance(king, next));
        counter.one(Block::PassedEnemyKing, distance(view.enemy.king(), next));
        if (is_unstoppable(view, square)) {
            counter.one(Block::UnstoppablePawn);
            counter.one(Block::UnstoppableRank, rank);
        }
    }
}

void count_rooks(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Bitboard rooks = view.own.pieces[Rook];
    const Bitboard queens = view.own.pieces[Queen];
    if (!rooks && !queens) return;
    const Bitboard own_files = whole_files(view.own.pieces[Pawn]);
    const Bitboard enemy_files = whole_files(view.enemy.pieces[Pawn]);
    counter.on_files(Block::RookOpenFile, rooks & ~own_files & ~enemy_files);
    counter.on_files(Block::RookHalfOpenFile, rooks & ~own_files & enemy_files);
    counter.on_files(Block::QueenOpenFile, queens & ~own_files);

    const Bitboard seventh = rank_bits(6);
    if ((view.enemy.pieces[King] & rank_bits(7)) || (view.enemy.pieces[Pawn] & seventh)) {
        counter.some(popcount(rooks & seventh), Block::RookSeventh);
        counter.some(popcount(queens & seventh), Block::QueenSeventh);
        if (several((rooks | queens) & seventh)) counter.one(Block::SeventhPair);
    }

    const Bitboard connected = rooks & view.own.attacks[Rook];
    if (connected) counter.one(Block::RooksConnected);
    if (several(connected & kRank1)) counter.one(Block::RooksConnectedHome);
    for (int file = 0; file < 8; ++file)
        if (several(rooks & ~own_files & file_bits(file))) {
            counter.one(Block::RooksDoubled);
            break;
        }
    counter.some(popcount(rooks & whole_files(view.enemy.pieces[Queen])), Block::RookOnQueen);
    counter.some(popcount(rooks & whole_files(view.enemy.pieces[King])), Block::RookOnKing);
    if (!view.may_castle_short && !view.may_castle_long) {
        const Square king = view.own.king();
        Bitboard corner = 0;
        if (king == F1 || king == G1) corner = (bit(G1) | bit(H1)) & ~bit(king);
        if (king == B1 || king == C1) corner = (bit(A1) | bit(B1)) & ~bit(king);
        counter.some(popcount(rooks & corner), Block::RookWalledIn);
    }
    counter.some(popcount(view.own.attacks[Rook] & counter.enemy_weak_pawns()), Block::RookWeakPawn);
}

void count_minors(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Bitboard knights = view.own.pieces[Knight];
    const Bitboard bishops = view.own.pieces[Bishop];
    const Bitboard pawns = view.own.pieces[Pawn];
    const int pawn_count = popcount(pawns);
    // Where enemy pawns attack or may come to.
    const Bitboard contested = fill_down(view.enemy.attacks[Pawn]);
    constexpr Bitboard outposts = 0x0000FFFFFF000000ULL;
    const Bitboard safe = outposts & ~contested;
    const Bitboard defended = view.own.attacks[Pawn];
    counter.on_squares(Block::KnightOutpost, knights & safe & defended);
    counter.on_squares(Block::KnightHole, knights & safe & ~defended);
    counter.on_squares(Block::BishopOutpost, bishops & safe & defended);
    counter.on_squares(Block::BishopHole, bishops & safe & ~defended);

    if (on_both_colours(bishops)) {
        counter.one(Block::BishopPair);
        counter.one(Block::BishopPairPawns, pawn_count);
    }
    counter.some(popcount(knights), Block::KnightPawns, pawn_count);
    counter.some(view.own.number(Rook), Block::RookPawns, pawn_count);
    counter.some(view.own.number(Queen), Block::QueenPawns, pawn_count);
    constexpr Bitboard rising = bit(D4) | bit(E5);
    constexpr Bitboard falling = bit(E4) | bit(D5);
    for (int i = 0; i < view.officer_count; ++i) {
        const Attacker& piece = view.officers[static_cast<std::size_t>(i)];
        if (piece.kind != Bishop) continue;
        const Bitboard colour = same_colour(piece.square);
        counter.one(Block::BishopOwnPawns, popcount(pawns & colour));
        counter.one(Block::BishopEnemyPawns, popcount(view.enemy.pieces[Pawn] & colour));
        const Bitboard sees = piece.attacks | bit(piece.square);
        if ((sees & rising) == rising || (sees & falling) == falling) counter.one(Block::LongDiagonal);
    }
    counter.some(popcount(bishops & (bit(B2) | bit(G2)) & pawns >> 8), Block::Fianchetto);

    for (const Square square : squares(pawns & view.own.all >> 8))
        if (rank_of(square) <= 5) counter.one(Block::BlockedPawn, square - A2);
}

void count_development(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const int at_home = popcount(view.own.pieces[Knight] & (bit(B1) | bit(G1))) +
                        popcount(view.own.pieces[Bishop] & (bit(C1) | bit(F1)));
    counter.one(Block::MinorsAtHome, at_home);
    const Bitboard queens = view.own.pieces[Queen];
    if (queens && !(queens & bit(D1)) && at_home >= 3) counter.one(Block::EarlyQueen);
    for (const Square square : squares(view.own.pieces[Pawn] & (bit(D2) | bit(E2)) & view.own.all >> 8))
        counter.one(Block::CentrePawnBlocked, square - D2);
}

void count_threats(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Bitboard safe = ~view.occupied & ~view.enemy.attacks[Pawn] & (~view.enemy.once | view.own.once);
    const Bitboard pushed = pawn_attacks_of<White>(view.own.pieces[Pawn] << 8 & safe);
    for (const PieceKind kind : {Knight, Bishop, Rook, Queen})
        counter.some(popcount(pushed & view.enemy.pieces[kind]), Block::PushThreat, kind - Knight);
    const Bitboard heavy = view.enemy.pieces[Rook] | view.enemy.pieces[Queen] | view.enemy.pieces[King];
    for (const Square square : squares(view.own.pieces[Knight]))
        if (several(knight_attacks(square) & heavy)) counter.one(Block::KnightFork);
    const Bitboard pieces = view.enemy.all & ~view.enemy.pieces[Pawn];
    counter.some(popcount(view.own.pieces[Pawn] & shift<-7>(pieces) & shift<-9>(pieces)), Block::PawnFork);
}

}  // namespace scholar::nets
