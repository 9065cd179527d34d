#include "chess/polyglot_key.hpp"

namespace scholar::chess {

namespace {

constexpr std::array<std::uint64_t, 781> kRandom{
#include "chess/polyglot_random.inc"
};
constexpr int kCastling = 768;
constexpr int kEnPassant = 772;
constexpr int kWhiteToMove = 780;

}  // namespace

std::uint64_t polyglot_key(const Position& position) {
    std::uint64_t key = 0;
    for (const Square square : squares(position.occupied())) {
        const Piece piece = position.piece_on(square);
        const int kind = 2 * kind_of(piece) + (color_of(piece) == White ? 1 : 0);
        key ^= kRandom[64 * kind + square];
    }
    // In the format's order: White short, White long, Black short, Black long; ours is the same.
    for (int right = 0; right < 4; ++right)
        if (position.castling_rights() >> right & 1) key ^= kRandom[kCastling + right];
    if (position.en_passant() != NoSquare) key ^= kRandom[kEnPassant + file_of(position.en_passant())];
    if (position.side_to_move() == White) key ^= kRandom[kWhiteToMove];
    return key;
}

}  // namespace scholar::chess
