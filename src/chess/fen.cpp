#include "chess/fen.hpp"

#include <charconv>
#include <vector>

#include "base/text.hpp"

namespace scholar::chess {

namespace {

constexpr std::string_view kPieceLetters = "PNBRQK";

using base::fail;
using base::Result;

base::Status parse_board(std::string_view field, Setup& setup) {
    int rank = 7;
    int file = 0;
    bool after_digit = false;
    for (const char c : field) {
        if (c == '/') {
            if (file != 8) return fail("FEN: rank {} has {} squares, expected 8", rank + 1, file);
            if (rank == 0) return fail("FEN: more than 8 ranks");
            --rank;
            file = 0;
            after_digit = false;
        } else if (c >= '1' && c <= '8') {
            if (after_digit) return fail("FEN: two digits in a row on rank {}", rank + 1);
            file += c - '0';
            after_digit = true;
        } else if (const Piece piece = parse_piece(c); piece != NoPiece) {
            if (file >= 8) return fail("FEN: rank {} has more than 8 squares", rank + 1);
            setup.board[make_square(file, rank)] = piece;
            ++file;
            after_digit = false;
        } else {
            return fail("FEN: '{}' in the board, expected a piece, a digit or '/'", base::excerpt({&c, 1}));
        }
        if (file > 8) return fail("FEN: rank {} has more than 8 squares", rank + 1);
    }
    if (rank != 0) return fail("FEN: {} ranks, expected 8", 8 - rank);
    if (file != 8) return fail("FEN: rank 1 has {} squares, expected 8", file);
    return {};
}

Square find_king(const Setup& setup, Color color) {
    for (int s = 0; s < 64; ++s)
        if (setup.board[s] == make_piece(color, King)) return static_cast<Square>(s);
    return NoSquare;
}

base::Status parse_castling(std::string_view field, Setup& setup) {
    if (field == "-") return {};
    for (const char c : field) {
        const Color color = c >= 'A' && c <= 'Z' ? White : Black;
        const char upper = static_cast<char>(color == White ? c : c - 'a' + 'A');
        const Square king = find_king(setup, color);
        if (king == NoSquare) return {};  // refused with a better reason later
        const Piece rook_piece = make_piece(color, Rook);
        const int rank = color == White ? 0 : 7;
        Square rook = NoSquare;
        CastlingSide side = KingSide;
        if (upper == 'K' || upper == 'Q') {
            side = upper == 'K' ? KingSide : QueenSide;
            // X-FEN: the outermost rook on that side of the king.
            for (int step = 0; step < 8; ++step) {
                const Square square = make_square(side == KingSide ? 7 - step : step, rank);
                if (square == king) break;
                if (setup.board[square] == rook_piece) {
                    rook = square;
                    break;
                }
            }
        } else if (upper >= 'A' && upper <= 'H') {
            rook = make_square(upper - 'A', rank);
            side = rook > king ? KingSide : QueenSide;
        } else {
            return fail("FEN: castling '{}', expected '-', letters of KQkq or rook files",
                        base::excerpt(field));
        }
        if (setup.castling_rights & castling_bit(color, side))
            return fail("FEN: castling '{}' gives one right twice", field);
        setup.castling_rights |= castling_bit(color, side);
        setup.castling_rooks[castling_index(color, side)] = rook;
    }
    return {};
}

Result<int> parse_number(std::string_view field, std::string_view what) {
    int value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size())
        return fail("FEN: {} '{}', expected a number", what, base::excerpt(field));
    return value;
}

std::string castling_field(const Position& position) {
    std::string field;
    for (const Color color : kColors) {
        for (const CastlingSide side : {KingSide, QueenSide}) {
            if (!position.may_castle(color, side)) continue;
            const Square rook = position.castling_rook(color, side);
            const Bitboard outside =
                rank_bits(rank_of(rook)) & (side == KingSide ? ~((bit(rook) << 1) - 1) : bit(rook) - 1);
            char letter = side == KingSide ? 'K' : 'Q';
            if (position.pieces(color, Rook) & outside) letter = static_cast<char>('A' + file_of(rook));
            field += color == White ? letter : static_cast<char>(letter - 'A' + 'a');
        }
    }
    return field.empty() ? "-" : field;
}

}  // namespace

std::string to_string(Square square) {
    if (square >= NoSquare) return "-";
    return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

Square parse_square(std::string_view text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return NoSquare;
    return make_square(text[0] - 'a', text[1] - '1');
}

char kind_letter(PieceKind kind) {
    return kPieceLetters[kind];
}

char piece_letter(Piece piece) {
    const char letter = kind_letter(kind_of(piece));
    return color_of(piece) == White ? letter : static_cast<char>(letter - 'A' + 'a');
}

Piece parse_piece(char letter) {
    const bool black = letter >= 'a' && letter <= 'z';
    const auto kind = kPieceLetters.find(black ? static_cast<char>(letter - 'a' + 'A') : letter);
    if (kind == std::string_view::npos) return NoPiece;
    return make_piece(black ? Black : White, static_cast<PieceKind>(kind));
}

Result<Position> parse_fen(std::string_view fen) {
    const auto fields = base::split_words(fen);
    if (fields.size() != 4 && fields.size() != 6)
        return fail("FEN: {} fields in '{}', expected 6 (or 4, without clocks)", fields.size(),
                    base::excerpt(fmt::format("{}", fmt::join(fields, " "))));
    Setup setup;
    if (auto status = parse_board(fields[0], setup); !status) return std::unexpected(status.error());
    if (fields[1] != "w" && fields[1] != "b")
        return fail("FEN: side to move '{}', expected 'w' or 'b'", base::excerpt(fields[1]));
    setup.side_to_move = fields[1] == "w" ? White : Black;
    if (auto status = parse_castling(fields[2], setup); !status) return std::unexpected(status.error());
    if (fields[3] != "-") {
        setup.en_passant = parse_square(fields[3]);
        if (setup.en_passant == NoSquare)
            return fail("FEN: en-passant square '{}', expected a square or '-'", base::excerpt(fields[3]));
    }
    if (fields.size() == 6) {
        const auto clock = parse_number(fields[4], "half-move clock");
        if (!clock) return std::unexpected(clock.error());
        const auto number = parse_number(fields[5], "move number");
        if (!number) return std::unexpected(number.error());
        setup.halfmove_clock = *clock;
        setup.fullmove_number = *number;
    }
    auto position = Position::from_setup(setup);
    if (!position) return base::fail_in("FEN", position.error());
    return position;
}

std::string to_epd_fields(const Position& position) {
    std::string out;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const Piece piece = position.piece_on(make_square(file, rank));
            if (piece == NoPiece) {
                ++empty;
                continue;
            }
            if (empty > 0) out += static_cast<char>('0' + std::exchange(empty, 0));
            out += piece_letter(piece);
        }
        if (empty > 0) out += static_cast<char>('0' + empty);
        if (rank > 0) out += '/';
    }
    out += position.side_to_move() == White ? " w " : " b ";
    out += castling_field(position);
    out += ' ';
    out += to_string(position.en_passant());
    return out;
}

std::string to_fen(const Position& position) {
    return fmt::format("{} {} {}", to_epd_fields(position), position.halfmove_clock(),
                       position.fullmove_number());
}

}  // namespace scholar::chess
