#include "nets/comparison/comparison_bits.hpp"

namespace scholar::nets {

using namespace chess;

ComparisonOnes::ComparisonOnes(const Position& position) {
    const auto add = [this](int bit) { ones_[static_cast<std::size_t>(count_++)] = bit; };
    for (const Square square : squares(position.occupied())) {
        const Piece piece = position.piece_on(square);
        add((color_of(piece) * 6 + kind_of(piece)) * 64 + square);
    }
    int bit = 12 * 64;
    if (position.side_to_move() == White) add(bit);
    for (const Color color : kColors)
        for (const CastlingSide side : {QueenSide, KingSide}) {
            ++bit;
            if (position.may_castle(color, side)) add(bit);
        }
}

}  // namespace scholar::nets
