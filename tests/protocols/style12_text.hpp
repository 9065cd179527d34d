#pragma once

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <string>

#include "chess/fen.hpp"
#include "chess/position.hpp"

namespace scholar::tests {

// A style 12 line as a server writes it, after the help file and not after the parser.
struct Style12Text {
    chess::Position position;
    int double_push = -1;  // file of the pawn that has just gone two squares
    int game = 1;
    std::string white = "White";
    std::string black = "Black";
    int relation = 1;
    int minutes = 3;
    int increment = 0;
    std::int64_t white_clock = 180'000;  // ms
    std::int64_t black_clock = 180'000;
    bool in_milliseconds = true;
    std::string verbose_move = "none";
    std::string pretty_move = "none";

    std::string text() const {
        std::string line = "<12>";
        for (int rank = 7; rank >= 0; --rank) {
            line += ' ';
            for (int file = 0; file < 8; ++file) {
                const chess::Piece piece = position.piece_on(chess::make_square(file, rank));
                line += piece == chess::NoPiece ? '-' : chess::piece_letter(piece);
            }
        }
        const auto right = [&](chess::Color color, chess::CastlingSide side) {
            return position.may_castle(color, side) ? 1 : 0;
        };
        const std::int64_t unit = in_milliseconds ? 1 : 1'000;
        return line + fmt::format(" {} {} {} {} {} {} {} {} {} {} {} {} {} 39 39 {} {} {} {} {} {} 0 1 0",
                                  position.side_to_move() == chess::White ? 'W' : 'B', double_push,
                                  right(chess::White, chess::KingSide), right(chess::White, chess::QueenSide),
                                  right(chess::Black, chess::KingSide), right(chess::Black, chess::QueenSide),
                                  position.halfmove_clock(), game, white, black, relation, minutes, increment,
                                  white_clock / unit, black_clock / unit, position.fullmove_number(),
                                  verbose_move, in_milliseconds ? "(0:00.123)" : "(0:00)", pretty_move);
    }
};

// The file of a pawn's double push; -1 for every other move.
inline int double_push_file(const chess::Position& before, chess::Move move) {
    const bool pawn = chess::kind_of(before.piece_on(move.from())) == chess::Pawn;
    const int ranks = chess::rank_of(move.to()) - chess::rank_of(move.from());
    return pawn && (ranks == 2 || ranks == -2) ? chess::file_of(move.to()) : -1;
}

}  // namespace scholar::tests
