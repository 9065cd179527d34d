#include "games/mirror.hpp"

#include <cassert>

namespace scholar::games {

namespace {

chess::Square turned(chess::Square square) {
    return square == chess::NoSquare ? square : chess::mirror_rank(square);
}

}  // namespace

chess::Position mirrored(const chess::Position& position) {
    const chess::Setup setup = position.setup();
    chess::Setup other;
    for (int square = 0; square < 64; ++square) {
        const chess::Piece piece = setup.board[square];
        if (piece != chess::NoPiece)
            other.board[square ^ 56] = chess::make_piece(~chess::color_of(piece), chess::kind_of(piece));
    }
    other.side_to_move = ~setup.side_to_move;
    for (const chess::Color color : chess::kColors)
        for (const chess::CastlingSide side : {chess::KingSide, chess::QueenSide}) {
            if (!(setup.castling_rights & chess::castling_bit(color, side))) continue;
            other.castling_rights |= chess::castling_bit(~color, side);
            other.castling_rooks[chess::castling_index(~color, side)] =
                turned(setup.castling_rooks[chess::castling_index(color, side)]);
        }
    other.en_passant = turned(setup.en_passant);
    other.halfmove_clock = setup.halfmove_clock;
    other.fullmove_number = setup.fullmove_number;
    const auto result = chess::Position::from_setup(other);
    assert(result && "a legal position is legal with the colours exchanged");
    return *result;
}

chess::Move mirrored(chess::Move move) {
    constexpr std::uint16_t kBothRanks = 56 | 56 << 6;
    return move ? chess::Move::from_bits(static_cast<std::uint16_t>(move.bits() ^ kBothRanks)) : move;
}

}  // namespace scholar::games
