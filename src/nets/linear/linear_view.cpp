#include "nets/linear/linear_view.hpp"

namespace scholar::nets {

using namespace chess;

Bitboard Force::lesser_attacks(PieceKind kind) const {
    switch (kind) {
        case Knight:
        case Bishop:
            return attacks[Pawn];
        case Rook:
            return attacks[Pawn] | attacks[Knight] | attacks[Bishop];
        case Queen:
            return attacks[Pawn] | attacks[Knight] | attacks[Bishop] | attacks[Rook];
        default:
            return 0;
    }
}

Force Force::turned() const {
    Force force;
    for (const PieceKind kind : kPieceKinds) {
        force.pieces[kind] = nets::turned(pieces[kind]);
        force.attacks[kind] = nets::turned(attacks[kind]);
    }
    force.all = nets::turned(all);
    force.once = nets::turned(once);
    force.twice = nets::turned(twice);
    force.thrice = nets::turned(thrice);
    return force;
}

namespace {

Bitboard from_view(Color color, Bitboard set) {
    return color == White ? set : turned(set);
}

void add_attacks(Force& force, PieceKind kind, Bitboard attacks) {
    force.attacks[kind] |= attacks;
    force.thrice |= force.twice & attacks;
    force.twice |= force.once & attacks;
    force.once |= attacks;
}

void see_own(const Position& position, LinearView& view) {
    view.to_move = position.side_to_move() == view.color;
    view.may_castle_short = position.may_castle(view.color, KingSide);
    view.may_castle_long = position.may_castle(view.color, QueenSide);
    view.occupied = from_view(view.color, position.occupied());
    view.officer_count = 0;
    Force& own = view.own;
    own.all = from_view(view.color, position.pieces(view.color));
    for (const PieceKind kind : kPieceKinds)
        own.pieces[kind] = from_view(view.color, position.pieces(view.color, kind));
    add_attacks(own, Pawn, shift<7>(own.pieces[Pawn]));
    add_attacks(own, Pawn, shift<9>(own.pieces[Pawn]));
    for (const PieceKind kind : {Knight, Bishop, Rook, Queen})
        for (const Square square : squares(own.pieces[kind])) {
            const Bitboard attacks = attacks_from(kind, White, square, view.occupied);
            add_attacks(own, kind, attacks);
            view.officers[static_cast<std::size_t>(view.officer_count++)] = {kind, square, attacks};
        }
    add_attacks(own, King, king_attacks(own.king()));
}

}  // namespace

std::array<LinearView, 2> make_views(const Position& position) {
    std::array<LinearView, 2> views;
    for (const Color color : kColors) {
        views[color].color = color;
        see_own(position, views[color]);
    }
    for (const Color color : kColors) views[color].enemy = views[~color].own.turned();
    return views;
}

}  // namespace scholar::nets
