#pragma once

#include <cstdlib>

#include "chess/position.hpp"

// The same position as seen in a mirror: the rules do not tell the two apart.

namespace scholar::tests {

namespace detail {

// Every square changed by `flip` (an exclusive or), and the colours too if asked for.
inline chess::Position reflected(const chess::Position& position, int flip, bool swap_colors) {
    using namespace chess;
    const auto moved = [flip](Square square) { return static_cast<Square>(square ^ flip); };
    const auto color_of_image = [swap_colors](Color color) { return swap_colors ? ~color : color; };
    const Setup from = position.setup();
    Setup to;
    for (int s = 0; s < 64; ++s) {
        const Piece piece = from.board[s];
        if (piece != NoPiece)
            to.board[moved(static_cast<Square>(s))] =
                make_piece(color_of_image(color_of(piece)), kind_of(piece));
    }
    to.side_to_move = color_of_image(from.side_to_move);
    for (const Color color : kColors) {
        for (const CastlingSide side : {KingSide, QueenSide}) {
            if (!(from.castling_rights & castling_bit(color, side))) continue;
            to.castling_rights |= castling_bit(color_of_image(color), side);
            to.castling_rooks[castling_index(color_of_image(color), side)] =
                moved(from.castling_rooks[castling_index(color, side)]);
        }
    }
    if (from.en_passant != NoSquare) to.en_passant = moved(from.en_passant);
    to.halfmove_clock = from.halfmove_clock;
    to.fullmove_number = from.fullmove_number;
    const auto result = Position::from_setup(to);
    if (!result) std::abort();  // what is legal is legal in the mirror
    return *result;
}

inline chess::Move reflected(chess::Move move, int flip) {
    return chess::Move::from_bits(static_cast<std::uint16_t>(move.bits() ^ flip ^ flip << 6));
}

}  // namespace detail

// Colours changed and the board turned upside down: nothing but the names has changed.
inline chess::Position mirrored(const chess::Position& position) {
    return detail::reflected(position, 56, true);
}
inline chess::Move mirrored(chess::Move move) {
    return detail::reflected(move, 56);
}

// The a-file becomes the h-file. Only of positions without castling rights.
inline chess::Position mirrored_by_files(const chess::Position& position) {
    return detail::reflected(position, 7, false);
}
inline chess::Move mirrored_by_files(chess::Move move) {
    return detail::reflected(move, 7);
}

inline chess::Position without_castling(const chess::Position& position) {
    chess::Setup setup = position.setup();
    setup.castling_rights = 0;
    const auto result = chess::Position::from_setup(setup);
    if (!result) std::abort();
    return *result;
}

}  // namespace scholar::tests
