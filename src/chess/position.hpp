#pragma once

#include <array>
#include <cstdint>

#include "base/error.hpp"
#include "chess/attacks.hpp"
#include "chess/bitboard.hpp"
#include "chess/types.hpp"

namespace scholar::chess {

// Which wing a king castles to. In Chess960 the rook may stand anywhere on that side of the king.
enum CastlingSide : std::uint8_t { KingSide, QueenSide };

constexpr int castling_index(Color color, CastlingSide side) {
    return color * 2 + side;
}
constexpr std::uint8_t castling_bit(Color color, CastlingSide side) {
    return static_cast<std::uint8_t>(1 << castling_index(color, side));
}
// Where king and rook come to stand, in standard chess and Chess960 alike.
constexpr Square castled_king(Color color, CastlingSide side) {
    return relative_square(color, side == KingSide ? G1 : C1);
}
constexpr Square castled_rook(Color color, CastlingSide side) {
    return relative_square(color, side == KingSide ? F1 : D1);
}

// Everything that a FEN says, not yet checked.
struct Setup {
    std::array<Piece, 64> board;
    Color side_to_move = White;
    std::uint8_t castling_rights = 0;                                              // castling_bit()s
    std::array<Square, 4> castling_rooks{NoSquare, NoSquare, NoSquare, NoSquare};  // by castling_index()
    Square en_passant = NoSquare;  // the square that a pawn has just jumped over
    int halfmove_clock = 0;
    int fullmove_number = 1;

    Setup() { board.fill(NoPiece); }
};

// A legal position, without its history (chess/line.hpp has that). A plain value of about 160 bytes: search
// and trainers copy it; a move is unmade by going back to the copy.
class Position {
  public:
    // The start position of standard chess.
    Position();

    // Refuses, with the reason, what cannot arise in a game and could hurt the generator: not one king a
    // side, pawns on the first or last rank, more pieces than promotions allow, the side not to move in
    // check, three checkers, castling rights without king and rook, an en-passant square without its pawn.
    static base::Result<Position> from_setup(const Setup& setup);
    Setup setup() const;

    Bitboard occupied() const { return by_color_[White] | by_color_[Black]; }
    Bitboard pieces(Color color) const { return by_color_[color]; }
    Bitboard pieces(PieceKind kind) const { return by_kind_[kind]; }
    Bitboard pieces(Color color, PieceKind kind) const { return by_color_[color] & by_kind_[kind]; }
    Bitboard diagonal_sliders(Color color) const {
        return by_color_[color] & (by_kind_[Bishop] | by_kind_[Queen]);
    }
    Bitboard straight_sliders(Color color) const {
        return by_color_[color] & (by_kind_[Rook] | by_kind_[Queen]);
    }
    Piece piece_on(Square square) const { return board_[square]; }
    Square king(Color color) const { return lowest(pieces(color, King)); }
    // Any but pawns and the king: without them it may be bad to have to move.
    bool has_pieces(Color color) const { return (by_color_[color] & ~by_kind_[Pawn] & ~by_kind_[King]) != 0; }
    Color side_to_move() const { return side_; }

    // The square behind a pawn that has just advanced two, if an enemy pawn stands ready to take it there
    // (pinned or not); else NoSquare.
    Square en_passant() const { return en_passant_; }
    // Whether that capture is legal; only then does it tell two positions apart for repetition.
    bool en_passant_is_legal() const { return en_passant_is_legal_; }
    bool may_castle(Color color, CastlingSide side) const {
        return castling_rights_ & castling_bit(color, side);
    }
    std::uint8_t castling_rights() const { return castling_rights_; }
    Square castling_rook(Color color, CastlingSide side) const {
        return castling_rooks_[castling_index(color, side)];
    }
    // Half-moves since the last capture or pawn move.
    int halfmove_clock() const { return halfmove_clock_; }
    int fullmove_number() const { return fullmove_number_; }

    // Equal exactly where the rules call positions the same for repetition: pieces, side to move, castling
    // rights, and en passant where it is legal.
    std::uint64_t key() const { return key_; }
    // The same, worked out from nothing; for tests.
    std::uint64_t fresh_key() const;

    // Pieces of both colours that attack a square, sliders seeing through all but `occupied`.
    Bitboard attackers(Square square, Bitboard occupied) const;
    bool is_attacked(Square square, Color by, Bitboard occupied) const;
    // Enemy pieces that give check to the side to move.
    Bitboard checkers() const;
    bool in_check() const { return checkers() != 0; }

    // What the move takes: NoKind for a quiet move or castling, Pawn for en passant.
    PieceKind captured_kind(Move move) const {
        if (move.is_castling()) return NoKind;
        return move.is_en_passant() ? Pawn : kind_of(board_[move.to()]);
    }
    bool is_capture(Move move) const { return captured_kind(move) != NoKind; }
    // A capture or a promotion.
    bool is_noisy(Move move) const { return is_capture(move) || move.is_promotion(); }

    // The key after a legal move, if the move changes no castling rights and is no castling nor about en
    // passant; else another. To fetch with what will most likely be looked up.
    std::uint64_t nearly_key_after(Move move) const;

    // Plays a legal move. Anything else is a bug of the caller.
    void make(Move move);
    // Gives the move to the other side. Not in check.
    void make_null();
    Position after(Move move) const {
        Position next = *this;
        next.make(move);
        return next;
    }

    // Whether neither side can mate by any sequence of legal moves, as far as the material alone says
    // (FIDE 5.2.2): bare kings, one minor piece, or bishops that all stand on one colour.
    bool has_insufficient_material() const;

    bool operator==(const Position&) const = default;

  private:
    template <Color Us>
    void make_as(Move move);
    void put(Piece piece, Square square);
    void remove(Square square);
    void forget_castling(std::uint8_t rights);
    // After a two-square advance past `square`: sets the en-passant fields if a pawn of the side to move can
    // take.
    void note_en_passant(Square square);
    bool some_en_passant_is_legal() const;

    std::array<Bitboard, 6> by_kind_{};
    std::array<Bitboard, 2> by_color_{};
    std::array<Piece, 64> board_{};
    std::uint64_t key_ = 0;
    std::array<Square, 4> castling_rooks_{};
    std::uint16_t halfmove_clock_ = 0;
    std::uint16_t fullmove_number_ = 1;
    std::uint8_t castling_rights_ = 0;
    Color side_ = White;
    Square en_passant_ = NoSquare;
    bool en_passant_is_legal_ = false;
};

}  // namespace scholar::chess
