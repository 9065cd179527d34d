#include "chess/mirror.hpp"

#include <cassert>

namespace scholar::chess {

namespace {

Square turned_over(Square square) {
    return square == NoSquare ? square : mirror_rank(square);
}

}  // namespace

Position mirrored(const Position& position) {
    const Setup setup = position.setup();
    Setup other;
    for (int square = 0; square < 64; ++square) {
        const Piece piece = setup.board[square];
        if (piece != NoPiece) other.board[square ^ 56] = make_piece(~color_of(piece), kind_of(piece));
    }
    other.side_to_move = ~setup.side_to_move;
    for (const Color color : kColors)
        for (const CastlingSide side : {KingSide, QueenSide}) {
            if (!(setup.castling_rights & castling_bit(color, side))) continue;
            other.castling_rights |= castling_bit(~color, side);
            other.castling_rooks[castling_index(~color, side)] =
                turned_over(setup.castling_rooks[castling_index(color, side)]);
        }
    other.en_passant = turned_over(setup.en_passant);
    other.halfmove_clock = setup.halfmove_clock;
    other.fullmove_number = setup.fullmove_number;
    const auto result = Position::from_setup(other);
    assert(result && "a legal position is legal with the colours exchanged");
    return *result;
}

Move mirrored(Move move) {
    constexpr std::uint16_t kBothRanks = 56 | 56 << 6;
    return move ? Move::from_bits(static_cast<std::uint16_t>(move.bits() ^ kBothRanks)) : move;
}

}  // namespace scholar::chess
