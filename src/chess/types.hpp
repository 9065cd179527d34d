#pragma once

#include <array>
#include <cassert>
#include <cstdint>

// The vocabulary of the board. Squares count from a1 = 0 along the ranks to h8 = 63.

namespace scholar::chess {

enum Color : std::uint8_t { White, Black };
constexpr Color operator~(Color color) {
    return static_cast<Color>(color ^ 1);
}
constexpr std::array<Color, 2> kColors{White, Black};

enum PieceKind : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King, NoKind };
constexpr std::array<PieceKind, 6> kPieceKinds{Pawn, Knight, Bishop, Rook, Queen, King};

// A piece of a colour: kind in the low three bits, colour in the fourth.
enum Piece : std::uint8_t { NoPiece = NoKind };
constexpr Piece make_piece(Color color, PieceKind kind) {
    return static_cast<Piece>(kind | color << 3);
}
constexpr PieceKind kind_of(Piece piece) {
    return static_cast<PieceKind>(piece & 7);
}
// Of a piece, not of NoPiece.
constexpr Color color_of(Piece piece) {
    return static_cast<Color>(piece >> 3);
}

// clang-format off
enum Square : std::uint8_t {
    A1, B1, C1, D1, E1, F1, G1, H1,  A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,  A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,  A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,  A8, B8, C8, D8, E8, F8, G8, H8,
    NoSquare
};
// clang-format on

constexpr Square make_square(int file, int rank) {
    return static_cast<Square>(rank * 8 + file);
}
constexpr int file_of(Square square) {
    return square & 7;
}
constexpr int rank_of(Square square) {
    return square >> 3;
}
constexpr Square operator+(Square square, int delta) {
    return static_cast<Square>(static_cast<int>(square) + delta);
}
constexpr Square operator-(Square square, int delta) {
    return static_cast<Square>(static_cast<int>(square) - delta);
}
// The same square seen from the other side of the board: a1 becomes a8.
constexpr Square mirror_rank(Square square) {
    return static_cast<Square>(square ^ 56);
}
// The square as `color` sees it: itself for White, mirrored for Black.
constexpr Square relative_square(Color color, Square square) {
    return static_cast<Square>(square ^ (color * 56));
}
constexpr int relative_rank(Color color, Square square) {
    return rank_of(relative_square(color, square));
}

// One step forward for a pawn of `color`.
constexpr int forward(Color color) {
    return color == White ? 8 : -8;
}

// A move in 16 bits: from, to, and what is special about it. Castling is written as the king taking its own
// rook, in standard chess too, so that Chess960 needs nothing else.
class Move {
  public:
    enum Special : std::uint16_t {
        Normal = 0,
        Castling = 1 << 12,
        EnPassant = 2 << 12,
        Promotion = 4 << 12,  // plus kind − Knight: 4 to 7
    };

    constexpr Move() = default;
    constexpr Move(Square from, Square to, Special special = Normal)
        : bits_(static_cast<std::uint16_t>(from | to << 6 | special)) {}
    static constexpr Move promotion(Square from, Square to, PieceKind kind) {
        return from_bits(static_cast<std::uint16_t>(from | to << 6 | Promotion | (kind - Knight) << 12));
    }
    static constexpr Move from_bits(std::uint16_t bits) {
        Move move;
        move.bits_ = bits;
        return move;
    }
    // No move at all; compares false to every legal move.
    static constexpr Move none() { return {}; }

    constexpr Square from() const { return static_cast<Square>(bits_ & 63); }
    constexpr Square to() const { return static_cast<Square>(bits_ >> 6 & 63); }
    constexpr bool is_promotion() const { return bits_ & Promotion; }
    constexpr bool is_castling() const { return (bits_ & 0xF000) == Castling; }
    constexpr bool is_en_passant() const { return (bits_ & 0xF000) == EnPassant; }
    // Knight to Queen; only of a promotion.
    constexpr PieceKind promotion_kind() const { return static_cast<PieceKind>((bits_ >> 12 & 3) + Knight); }
    constexpr std::uint16_t bits() const { return bits_; }
    constexpr explicit operator bool() const { return bits_ != 0; }
    constexpr bool operator==(const Move&) const = default;

  private:
    std::uint16_t bits_ = 0;
};

// No position has more than 218 legal moves (Petrović 1964).
constexpr int kMaxMoves = 256;

class MoveList {
  public:
    void push(Move move) {
        assert(size_ < kMaxMoves);
        moves_[size_++] = move;
    }
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](int index) const { return moves_[index]; }
    Move& operator[](int index) { return moves_[index]; }
    const Move* begin() const { return moves_; }
    const Move* end() const { return moves_ + size_; }
    bool contains(Move move) const {
        for (const Move candidate : *this)
            if (candidate == move) return true;
        return false;
    }

  private:
    Move moves_[kMaxMoves];
    int size_ = 0;
};

}  // namespace scholar::chess
