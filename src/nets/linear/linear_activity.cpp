#include "nets/linear/linear_parts.hpp"

// Mobility, control, attacks and defences, loose pieces and pins.

namespace scholar::nets {

using namespace chess;

namespace {

constexpr std::array kMobility{Block::KnightMobility, Block::BishopMobility, Block::RookMobility,
                               Block::QueenMobility};
constexpr std::array kSafeMobility{Block::KnightSafeMobility, Block::BishopSafeMobility,
                                   Block::RookSafeMobility, Block::QueenSafeMobility};

// More attackers of `one` than of `other`, up to three counted.
Bitboard majority(const Force& one, const Force& other) {
    return (one.once & ~other.once) | (one.twice & ~other.twice) | (one.thrice & ~other.thrice);
}

Bitboard hanging(const LinearView& view) {
    return view.own.all & ~view.own.pieces[King] & view.enemy.once & ~view.own.once;
}

Bitboard attacked_by_lesser(const LinearView& view) {
    Bitboard set = 0;
    for (const PieceKind kind : {Knight, Bishop, Rook, Queen})
        set |= view.own.pieces[kind] & view.enemy.lesser_attacks(kind);
    return set;
}

}  // namespace

void count_mobility(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    for (int i = 0; i < view.officer_count; ++i) {
        const Attacker& piece = view.officers[static_cast<std::size_t>(i)];
        const auto index = static_cast<std::size_t>(piece.kind - Knight);
        const Bitboard reach = piece.attacks & ~view.own.all;
        const int safe = popcount(reach & ~view.enemy.lesser_attacks(piece.kind));
        counter.one(kMobility[index], popcount(reach));
        counter.one(kSafeMobility[index], safe);
        if (safe != 0) continue;
        counter.one(Block::Trapped, piece.kind - Knight);
        if (bit(piece.square) & view.enemy.once) counter.one(Block::TrappedAttacked, piece.kind - Knight);
    }
    counter.one(Block::KingMobility, popcount(view.own.attacks[King] & ~view.own.all & ~view.enemy.once));
    counter.one(Block::PawnMobility, popcount(view.own.pieces[Pawn] << 8 & ~view.occupied));

    constexpr Bitboard centre = (kFileA << 2 | kFileA << 3 | kFileA << 4 | kFileA << 5) & 0xFFFFFF00ULL;
    counter.one(Block::Space, popcount(centre & ~view.own.pieces[Pawn] & ~view.enemy.attacks[Pawn]));
}

// Squares that both sides have alike from their own view cancel and are left out.
void count_control(const std::array<LinearView, 2>& views, FeatureCounts& out) {
    const auto compare = [&out](Block block, Bitboard white, Bitboard black) {
        for (const Square square : squares(white & ~black)) out.add(square_feature(block, square), 1);
        for (const Square square : squares(black & ~white)) out.add(square_feature(block, square), -1);
    };
    const auto& [white, black] = views;
    compare(Block::ControlSquare, majority(white.own, white.enemy), majority(black.own, black.enemy));
    compare(Block::AttackSquare, white.own.once, black.own.once);
    compare(Block::PawnControl, white.own.attacks[Pawn], black.own.attacks[Pawn]);
}

void count_attacks(const ViewCounter& counter) {
    const Force& own = counter.view.own;
    const Force& enemy = counter.view.enemy;
    for (const PieceKind attacker : kPieceKinds)
        for (const PieceKind target : {Pawn, Knight, Bishop, Rook, Queen}) {
            counter.some(popcount(own.attacks[attacker] & enemy.pieces[target]), Block::Attack, attacker,
                         target);
            counter.some(popcount(own.attacks[attacker] & own.pieces[target]), Block::Defence, attacker,
                         target);
        }
    const Bitboard outnumbered = majority(enemy, own);
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen}) {
        counter.some(popcount(own.twice & enemy.pieces[kind]), Block::AttackedTwice, kind);
        counter.some(popcount(outnumbered & own.pieces[kind]), Block::Outnumbered, kind);
    }
}

void count_loose_pieces(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Bitboard loose = hanging(view);
    const Bitboard lesser = attacked_by_lesser(view);
    const Bitboard en_prise = loose | lesser;
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen}) {
        const Bitboard pieces = view.own.pieces[kind];
        counter.some(popcount(pieces & ~view.own.once), Block::Undefended, kind);
        counter.some(popcount(pieces & loose), Block::Hanging, kind);
        if (kind != Pawn) counter.some(popcount(pieces & lesser), Block::LesserAttack, kind - Knight);
        counter.some(popcount(pieces & en_prise), view.to_move ? Block::EnPriseMoving : Block::EnPriseWaiting,
                     kind);
    }
    counter.on_squares(Block::HangingSquare, loose);
    counter.on_squares(Block::LesserAttackSquare, lesser);
    if (en_prise) counter.number(Block::EnPriseNumber, popcount(en_prise));
    if (view.to_move) counter.one(Block::Tempo);
    if (!view.to_move && several(en_prise)) counter.one(Block::DoubleWaiting);
}

namespace {

// What stands alone between two squares, if anything does.
Bitboard alone_between(const LinearView& view, Square a, Square b) {
    const Bitboard blockers = between(a, b) & view.occupied;
    return several(blockers) ? 0 : blockers;
}

void count_pinned(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Square king = view.own.king();
    Bitboard pinned = 0;
    for (const PieceKind pinner : {Bishop, Rook, Queen}) {
        Bitboard lines = 0;
        if (pinner != Rook) lines |= bishop_attacks(king, view.enemy.all);
        if (pinner != Bishop) lines |= rook_attacks(king, view.enemy.all);
        for (const Square square : squares(lines & view.enemy.pieces[pinner])) {
            const Bitboard blocker = alone_between(view, king, square) & view.own.all;
            if (!blocker) continue;
            pinned |= blocker;
            for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen})
                if (blocker & view.own.pieces[kind]) counter.one(Block::Pinned, kind, pinner - Bishop);
        }
    }
    counter.some(popcount(pinned & view.enemy.attacks[Pawn]), Block::PinnedByPawn);
}

// Of one kind for each slider that looks through it.
void count_before_queens(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    for (const Square queen : squares(view.own.pieces[Queen]))
        for (const PieceKind attacker : {Bishop, Rook}) {
            const Bitboard lines = attacker == Bishop ? bishop_attacks(queen, view.enemy.all)
                                                      : rook_attacks(queen, view.enemy.all);
            for (const Square square : squares(lines & view.enemy.pieces[attacker])) {
                const Bitboard blocker = alone_between(view, queen, square) & view.own.all;
                for (const PieceKind kind : {Pawn, Knight, Bishop, Rook})
                    if (blocker & view.own.pieces[kind])
                        counter.one(Block::PinnedToQueen, kind, attacker - Bishop);
            }
        }
}

void count_discoverers(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Square king = view.enemy.king();
    const Bitboard queens = view.own.pieces[Queen];
    const Bitboard sliders = (bishop_attacks(king, 0) & (view.own.pieces[Bishop] | queens)) |
                             (rook_attacks(king, 0) & (view.own.pieces[Rook] | queens));
    Bitboard discoverers = 0;
    for (const Square square : squares(sliders)) discoverers |= alone_between(view, king, square);
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook})
        counter.some(popcount(discoverers & view.own.pieces[kind]), Block::Discoverer, kind);
}

}  // namespace

void count_pins(const ViewCounter& counter) {
    count_pinned(counter);
    count_before_queens(counter);
    count_discoverers(counter);
}

}  // namespace scholar::nets
