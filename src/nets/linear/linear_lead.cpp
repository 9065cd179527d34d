#include "nets/linear/linear_parts.hpp"

// Counts of kinds, and what matters to the side ahead: trading down, drawish material, mating.

namespace scholar::nets {

using namespace chess;

void count_material(const ViewCounter& counter) {
    const Force& own = counter.view.own;
    counter.number(Block::PawnNumber, own.number(Pawn));
    counter.number(Block::KnightNumber, own.number(Knight));
    counter.number(Block::BishopNumber, own.number(Bishop));
    counter.number(Block::RookNumber, own.number(Rook));
    counter.number(Block::QueenNumber, own.number(Queen));
}

namespace {

int points(const Force& force) {
    int sum = 0;
    for (const PieceKind kind : kPieceKinds) sum += kPoints[kind] * force.number(kind);
    return sum;
}

// Whether these are all that a side has beside pawns and king.
bool has_only(const Force& force, int knights, int bishops, int rooks, int queens) {
    return force.number(Knight) == knights && force.number(Bishop) == bishops &&
           force.number(Rook) == rooks && force.number(Queen) == queens;
}

bool has_only_a_minor(const Force& force) {
    return popcount(force.minors()) == 1 && force.officers() == force.minors();
}

bool has_wrong_bishop(const LinearView& view) {
    const Bitboard pawns = view.own.pieces[Pawn];
    if (!has_only(view.own, 0, 1, 0, 0) || !pawns) return false;
    const int file = (pawns & ~kFileA) == 0 ? 0 : (pawns & ~kFileH) == 0 ? 7 : -1;
    if (file < 0) return false;
    const Square last = make_square(file, 7);
    return !(same_colour(last) & view.own.pieces[Bishop]) && distance(view.enemy.king(), last) <= 1;
}

void count_drawish(const ViewCounter& counter, int lead) {
    const LinearView& view = counter.view;
    const Force& own = view.own;
    const Force& enemy = view.enemy;
    const auto lead_if = [&](bool condition, Block block) {
        if (condition) counter.some(lead, block);
    };
    const int pawns = own.number(Pawn);
    lead_if(pawns == 0, Block::NoPawns);
    lead_if(pawns == 1, Block::OnePawn);
    const Bitboard bishops = own.pieces[Bishop] | enemy.pieces[Bishop];
    if (own.number(Bishop) == 1 && enemy.number(Bishop) == 1 && on_both_colours(bishops)) {
        const bool alone = own.officers() == own.pieces[Bishop] && enemy.officers() == enemy.pieces[Bishop];
        lead_if(true, alone ? Block::OppositeBishopsAlone : Block::OppositeBishops);
    }
    lead_if(has_only(own, 0, 0, 1, 0) && has_only(enemy, 0, 0, 1, 0), Block::RookEnding);
    lead_if(has_only(own, 0, 0, 0, 1) && has_only(enemy, 0, 0, 0, 1), Block::QueenEnding);
    const Bitboard officers = own.officers() | enemy.officers();
    lead_if(!officers, Block::PawnEnding);
    lead_if(officers && officers == (own.minors() | enemy.minors()), Block::MinorEnding);
    if (pawns == 0) {
        lead_if(has_only_a_minor(own), Block::OneMinor);
        lead_if(has_only(own, 2, 0, 0, 0), Block::TwoKnights);
        lead_if(has_only(own, 0, 0, 1, 0) && has_only_a_minor(enemy), Block::RookAgainstMinor);
    }
    const Bitboard all_pawns = own.pieces[Pawn] | enemy.pieces[Pawn];
    constexpr Bitboard queenside = kFileA * 15;
    lead_if(all_pawns && (!(all_pawns & queenside) || !(all_pawns & ~queenside)), Block::OneWing);
    lead_if(has_wrong_bishop(view), Block::WrongBishop);
}

void count_mating(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const Square king = view.enemy.king();
    const int left = file_of(king);
    const int below = rank_of(king);
    const int to_side = std::min(left, 7 - left);
    const int to_end = std::min(below, 7 - below);
    counter.one(Block::KingsDistance, distance(view.own.king(), king) - 2);
    counter.one(Block::LoneKingEdge, std::min(to_side, to_end));
    counter.one(Block::LoneKingCorner, to_side + to_end);
    const Bitboard bishops = view.own.pieces[Bishop];
    if (bishops && !on_both_colours(bishops)) {
        const bool dark = bishops & kDarkSquares;
        // a1 and h8 are dark, h1 and a8 light.
        const int near = dark ? left + below : 7 - left + below;
        counter.one(Block::LoneKingBishop, std::min(near, 14 - near));
    }
}

}  // namespace

void count_lead(const ViewCounter& counter) {
    const LinearView& view = counter.view;
    const int lead = std::min(points(view.own) - points(view.enemy), kMostLead);
    if (lead <= 0) return;
    const auto& pieces = row(Block::TradePieces).first;
    counter.some(lead, Block::TradePieces, std::min(popcount(view.enemy.officers()), pieces.size - 1));
    counter.some(lead, Block::TradePawns, view.own.number(Pawn));
    count_drawish(counter, lead);
    count_mating(counter);
}

}  // namespace scholar::nets
