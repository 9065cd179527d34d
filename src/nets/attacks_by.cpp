#include "nets/attacks_by.hpp"

#include "chess/attacks.hpp"

namespace scholar::nets {

using namespace chess;

Attacks attacks_by(const Position& position, Color color) {
    Attacks attacks;
    const auto add = [&attacks](PieceKind kind, Bitboard squares) {
        attacks.by_kind[kind] |= squares;
        attacks.twice |= attacks.all & squares;
        attacks.all |= squares;
    };
    const Bitboard pawns = position.pieces(color, Pawn);
    const int up = forward(color);
    // Each wing by itself, so that squares attacked by two pawns are.
    add(Pawn, up > 0 ? shift<9>(pawns) : shift<-7>(pawns));
    add(Pawn, up > 0 ? shift<7>(pawns) : shift<-9>(pawns));
    for (const Square square : squares(position.pieces(color) & ~pawns)) {
        const PieceKind kind = kind_of(position.piece_on(square));
        attacks.from[square] = attacks_from(kind, color, square, position.occupied());
        add(kind, attacks.from[square]);
    }
    return attacks;
}

}  // namespace scholar::nets
