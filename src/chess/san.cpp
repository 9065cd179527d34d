#include "chess/san.hpp"

#include <algorithm>
#include <array>

#include "chess/fen.hpp"
#include "chess/legality.hpp"
#include "chess/movegen.hpp"

namespace scholar::chess {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Moves as the standard writes them, read without making a list of all legal ones.

constexpr std::array<PieceKind, 256> make_kinds_by_first_letter() {
    std::array<PieceKind, 256> kinds{};
    kinds.fill(NoKind);
    for (int c = 'a'; c <= 'h'; ++c) kinds[c] = Pawn;
    kinds['N'] = Knight;
    kinds['B'] = Bishop;
    kinds['R'] = Rook;
    kinds['Q'] = Queen;
    kinds['K'] = King;
    return kinds;
}
constexpr auto kKindByFirstLetter = make_kinds_by_first_letter();

// Whether the side to move is out of check once a piece other than its king has gone from `from` to `to` and
// what stood on the squares of `captured` is gone.
bool leaves_king_safe(const Position& position, Square from, Square to, Bitboard captured) {
    const Color us = position.side_to_move();
    const Color them = ~us;
    const Square king = position.king(us);
    const Bitboard occupied = (position.occupied() & ~bit(from) & ~captured) | bit(to);
    const Bitboard attackers = (bishop_attacks(king, occupied) & position.diagonal_sliders(them)) |
                               (rook_attacks(king, occupied) & position.straight_sliders(them)) |
                               (knight_attacks(king) & position.pieces(them, Knight)) |
                               (pawn_attacks(us, king) & position.pieces(them, Pawn));
    return !(attackers & ~captured);
}

Move match_pawn_move(const Position& position, const char* text, std::size_t size, PieceKind promotion,
                     Square to) {
    const Color us = position.side_to_move();
    const int up = forward(us);
    const Bitboard pawns = position.pieces(us, Pawn);
    if (relative_rank(us, to) < 2 || (relative_rank(us, to) == 7) != (promotion != NoKind))
        return Move::none();
    Square from = to - up;
    Bitboard captured = 0;
    Move::Special special = Move::Normal;
    if (size == 2) {
        if (position.occupied() & bit(to)) return Move::none();
        if (!(pawns & bit(from))) {
            if (relative_rank(us, to) != 3 || (position.occupied() & bit(from))) return Move::none();
            from = from - up;
            if (!(pawns & bit(from))) return Move::none();
        }
    } else if (size == 4 && text[1] == 'x') {
        from = make_square(text[0] - 'a', rank_of(from));
        const int step = file_of(from) - file_of(to);
        if (step * step != 1 || !(pawns & bit(from))) return Move::none();
        captured = bit(to);
        if (to == position.en_passant()) {
            captured = bit(to - up);
            special = Move::EnPassant;
        } else if (!(position.pieces(~us) & bit(to))) {
            return Move::none();
        }
    } else {
        return Move::none();
    }
    if (!leaves_king_safe(position, from, to, captured)) return Move::none();
    return promotion == NoKind ? Move(from, to, special) : Move::promotion(from, to, promotion);
}

Move match_piece_move(const Position& position, const char* text, std::size_t size, PieceKind kind,
                      Square to) {
    const Color us = position.side_to_move();
    if (position.pieces(us) & bit(to)) return Move::none();
    Bitboard origins = position.pieces(us, kind);
    // Between the letter and the square: a file, a rank, a capture sign, each of which may be missing.
    const char* at = text + 1;
    const char* const end = text + size - 2;
    if (at != end && *at >= 'a' && *at <= 'h') origins &= file_bits(*at++ - 'a');
    if (at != end && *at >= '1' && *at <= '8') origins &= rank_bits(*at++ - '1');
    if (at != end && *at == 'x') ++at;
    if (at != end) return Move::none();
    switch (kind) {
        case Knight:
            origins &= knight_attacks(to);
            break;
        case Bishop:
            origins &= bishop_attacks(to, position.occupied());
            break;
        case Rook:
            origins &= rook_attacks(to, position.occupied());
            break;
        case Queen:
            origins &= queen_attacks(to, position.occupied());
            break;
        default: {
            origins &= king_attacks(to);
            if (!origins || position.is_attacked(to, ~us, position.occupied() ^ origins)) return Move::none();
            return Move(lowest(origins), to);
        }
    }
    Move found = Move::none();
    for (const Square from : squares(origins)) {
        if (!leaves_king_safe(position, from, to, bit(to))) continue;
        if (found) return Move::none();
        found = Move(from, to);
    }
    return found;
}

Move find_castling(const Position& position, CastlingSide side) {
    const Color us = position.side_to_move();
    if (!position.may_castle(us, side)) return Move::none();
    const Move move(position.king(us), position.castling_rook(us, side), Move::Castling);
    return is_legal(position, move) ? move : Move::none();
}

// ---------------------------------------------------------------------------------------------------------------------
// Moves as people write them.

// A move as written, taken apart; −1 and NoKind where nothing was said.
struct Written {
    PieceKind kind = Pawn;
    int from_file = -1;
    int from_rank = -1;
    bool captures = false;  // has a sign of capture
    Square to = NoSquare;
    PieceKind promotion = NoKind;
};

PieceKind kind_of_letter(char c) {
    switch (c) {
        case 'P':
            return Pawn;
        case 'N':
            return Knight;
        case 'B':
            return Bishop;
        case 'R':
            return Rook;
        case 'Q':
            return Queen;
        case 'K':
            return King;
        default:
            return NoKind;
    }
}

// Of marks and judgements outside ASCII, by code point: what annotators, their programs and their fonts use.
bool is_mark(std::uint32_t code) {
    struct Range {
        std::uint32_t first, last;
    };
    static constexpr std::array kRanges{
        Range{0xA1, 0xA1},      // ¡
        Range{0xB1, 0xB1},      // ±
        Range{0xBF, 0xBF},      // ¿
        Range{0x2010, 0x2015},  // dashes
        Range{0x2020, 0x2021},  // †, ‡
        Range{0x2026, 0x2026},  // …
        Range{0x203C, 0x203C},  // ‼
        Range{0x2047, 0x2049},  // ⁇, ⁈, ⁉
        Range{0x2190, 0x23FF},  // arrows, mathematical and technical signs: →, ∞, ∓, ⌓
        Range{0x25A0, 0x2653},  // shapes and signs: □, ○, ♁; then come the chess pieces
        Range{0x2660, 0x2BFF},  // more signs, arrows and mathematics: ✓, ⟳, ⩲, ⨀, ⬒
        Range{0xFE0E, 0xFE0F},  // how the sign before shall look
    };
    return std::ranges::any_of(
        kRanges, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

// Bytes of the mark, word or numeric glyph that `text` begins with and that may stand behind a move; 0 if
// there is none.
std::size_t annotation_size(std::string_view text) {
    for (const std::string_view word : {"e.p.", "ep", "check", "mate", "ch", "dbl", "dis", "TN", "N", "D"})
        if (text.starts_with(word)) return word.size();
    const auto first = static_cast<unsigned char>(text.front());
    if (first == '$') {
        std::size_t digits = 1;
        while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
        return digits > 1 ? digits : 0;
    }
    if (first < 0x80) return std::string_view("!?+-=/\\~^#|_&@<>()").contains(text.front()) ? 1 : 0;

    const std::size_t size = first >= 0xE0 ? 3 : 2;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    if (first >= 0xC2 && first < 0xF0 && text.size() >= size &&
        std::ranges::all_of(text.substr(1, size - 1), continues)) {
        std::uint32_t code = size == 3 ? first & 0x0F : first & 0x1F;
        for (const char c : text.substr(1, size - 1))
            code = code << 6 | (static_cast<unsigned char>(c) & 0x3F);
        return is_mark(code) ? size : 0;
    }
    // One byte of Latin-1 or of Windows' form of it: …, †, ‡, dashes, ¡, ±, ¿.
    return std::string_view("\x85\x86\x87\x96\x97\xA1\xB1\xBF").contains(text.front()) ? 1 : 0;
}

bool is_promotion_letter(char c) {
    return std::string_view("QRBNqrbn").contains(c);
}

// Takes from the front of `text` what a pawn becomes: "=Q", "Q", "(Q)", "/Q" and the same with a small
// letter.
PieceKind take_promotion(std::string_view& text) {
    const bool sign = text.starts_with('=') || text.starts_with('(') || text.starts_with('/');
    const std::size_t at = sign ? 1 : 0;
    if (at >= text.size() || !is_promotion_letter(text[at])) return NoKind;
    const char letter = text[at];
    const bool closed = text.starts_with('(') && text.substr(at + 1).starts_with(')');
    text.remove_prefix(at + (closed ? 2 : 1));
    return kind_of_letter(letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter);
}

// Nothing if the text has not the shape of a move, with any annotations behind it.
bool take_apart(std::string_view text, Written& out) {
    if (const PieceKind kind = kind_of_letter(text.front()); kind != NoKind) {
        out.kind = kind;
        text.remove_prefix(1);
    }
    // Squares and signs go to the last rank among them: a letter or sign behind it belongs to what follows.
    std::size_t size = std::min(text.find_first_not_of("abcdefgh12345678x:-"), text.size());
    while (size > 0 && (text[size - 1] < '1' || text[size - 1] > '8')) --size;
    if (size < 2) return false;
    out.to = parse_square(text.substr(size - 2, 2));
    if (out.to == NoSquare) return false;
    for (const char c : text.substr(0, size - 2)) {
        if (c >= 'a' && c <= 'h' && out.from_file < 0)
            out.from_file = c - 'a';
        else if (c >= '1' && c <= '8' && out.from_rank < 0)
            out.from_rank = c - '1';
        else if (c == 'x' || c == ':')
            out.captures = true;
        else if (c != '-')
            return false;
    }
    text.remove_prefix(size);

    // "N" behind a pawn's move is a novelty, but on the last rank a knight.
    const bool may_promote = out.kind == Pawn && (rank_of(out.to) == 0 || rank_of(out.to) == 7);
    if (may_promote || !is_annotation(text)) out.promotion = take_promotion(text);
    if (!is_annotation(text)) return false;

    // A pawn that does not say where it comes from is pushed.
    if (out.kind == Pawn && out.from_file < 0) {
        if (out.captures) return false;
        out.from_file = file_of(out.to);
    }
    return true;
}

bool matches(const Position& position, Move move, const Written& written) {
    if (kind_of(position.piece_on(move.from())) != written.kind) return false;
    if (written.from_file >= 0 && file_of(move.from()) != written.from_file) return false;
    if (written.from_rank >= 0 && rank_of(move.from()) != written.from_rank) return false;
    if (written.kind == Pawn && written.captures && !position.is_capture(move)) return false;
    return (move.is_promotion() ? move.promotion_kind() : NoKind) == written.promotion;
}

}  // namespace

std::string to_san(const Position& position, Move move) {
    std::string san;
    const PieceKind kind = kind_of(position.piece_on(move.from()));
    if (move.is_castling()) {
        san = move.to() > move.from() ? "O-O" : "O-O-O";
    } else {
        if (kind == Pawn) {
            if (position.is_capture(move)) san += static_cast<char>('a' + file_of(move.from()));
        } else {
            san += kind_letter(kind);
            bool ambiguous = false;
            bool same_file = false;
            bool same_rank = false;
            for (const Move other : legal_moves(position)) {
                if (other.to() != move.to() || other.from() == move.from() || other.is_castling()) continue;
                if (kind_of(position.piece_on(other.from())) != kind) continue;
                ambiguous = true;
                same_file |= file_of(other.from()) == file_of(move.from());
                same_rank |= rank_of(other.from()) == rank_of(move.from());
            }
            if (ambiguous && (!same_file || same_rank)) san += static_cast<char>('a' + file_of(move.from()));
            if (same_file) san += static_cast<char>('1' + rank_of(move.from()));
        }
        if (position.is_capture(move)) san += 'x';
        san += to_string(move.to());
        if (move.is_promotion()) {
            san += '=';
            san += kind_letter(move.promotion_kind());
        }
    }
    const Position next = position.after(move);
    if (next.in_check()) san += has_legal_move(next) ? '+' : '#';
    return san;
}

std::optional<Move> match_san(const Position& position, std::string_view text) {
    const char* const begin = text.data();
    std::size_t size = text.size();
    while (size > 2 && (begin[size - 1] == '+' || begin[size - 1] == '#')) --size;
    if (size < 2 || size > 6) return std::nullopt;
    const PieceKind kind = kKindByFirstLetter[static_cast<unsigned char>(begin[0])];
    Move move = Move::none();
    if (kind == NoKind) {
        const std::string_view castling(begin, size);
        if (castling == "O-O")
            move = find_castling(position, KingSide);
        else if (castling == "O-O-O")
            move = find_castling(position, QueenSide);
    } else {
        PieceKind promotion = NoKind;
        if (kind == Pawn && size >= 4 && begin[size - 2] == '=') {
            promotion = kKindByFirstLetter[static_cast<unsigned char>(begin[size - 1])];
            if (promotion == NoKind || promotion == Pawn || promotion == King) return std::nullopt;
            size -= 2;
        }
        const auto file = static_cast<unsigned>(begin[size - 2] - 'a');
        const auto rank = static_cast<unsigned>(begin[size - 1] - '1');
        if (file > 7 || rank > 7) return std::nullopt;
        const Square to = make_square(static_cast<int>(file), static_cast<int>(rank));
        move = kind == Pawn ? match_pawn_move(position, begin, size, promotion, to)
                            : match_piece_move(position, begin, size, kind, to);
    }
    return move ? std::optional(move) : std::nullopt;
}

bool is_annotation(std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = annotation_size(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

base::Result<Move> parse_san(const Position& position, std::string_view text) {
    if (const auto move = match_san(position, text)) return *move;
    if (text.empty()) return base::fail("move '{}', expected a move such as Nf3, exd5, O-O or e8=Q", text);

    // As ChessBase, most others and UCI write it; no game has one.
    for (const std::string_view null_move : {"Z0", "--", "0000"})
        if (text.starts_with(null_move) && is_annotation(text.substr(null_move.size())))
            return base::fail("null move '{}', expected a legal move", text);

    if (const char first = text.front(); first == 'O' || first == '0' || first == 'o') {
        std::size_t letters = 0;
        std::size_t dashes = 0;
        std::size_t size = std::min(text.find_first_not_of("O0o-"), text.size());
        while (text[size - 1] == '-') --size;
        for (const char c : text.substr(0, size)) (c == '-' ? dashes : letters) += 1;
        const bool plain = (dashes == 0 || dashes + 1 == letters) && is_annotation(text.substr(size));
        const bool short_castling = plain && letters == 2;
        const bool long_castling = plain && letters == 3;
        if (!short_castling && !long_castling) return base::fail("move '{}', expected O-O or O-O-O", text);
        if (const Move move = find_castling(position, short_castling ? KingSide : QueenSide)) return move;
        return base::fail("castling '{}' is not legal in {}", text, to_fen(position));
    }

    Written written;
    if (!take_apart(text, written))
        return base::fail("move '{}', expected a move such as Nf3, exd5, O-O or e8=Q", text);

    Move found = Move::none();
    const MoveList moves = legal_moves(position);
    for (const Move move : moves) {
        if (move.to() != written.to || move.is_castling() || !matches(position, move, written)) continue;
        if (found) return base::fail("move '{}' is ambiguous in {}", text, to_fen(position));
        found = move;
    }
    if (found) return found;

    // A UCI move names no piece: e1g1 for castling, g1f3 for Nf3.
    if (written.kind == Pawn && written.from_file >= 0 && written.from_rank >= 0) {
        const Square from = make_square(written.from_file, written.from_rank);
        for (const Move move : moves) {
            if (move.from() != from) continue;
            const bool pawn_push = kind_of(position.piece_on(from)) == Pawn && !position.is_capture(move);
            if (pawn_push && written.captures) continue;
            const PieceKind promotion = move.is_promotion() ? move.promotion_kind() : NoKind;
            const bool castling_as_uci = move.is_castling() && file_of(from) == 4 &&
                                         written.to == make_square(move.to() > from ? 6 : 2, rank_of(from));
            if ((move.to() == written.to || castling_as_uci) && promotion == written.promotion) return move;
        }
    }
    return base::fail("move '{}' is not legal in {}", text, to_fen(position));
}

}  // namespace scholar::chess
