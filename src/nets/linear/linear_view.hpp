#pragma once

#include <array>
#include <bit>

#include "chess/position.hpp"

// How each side sees a position: its own pieces move up the board. Attacks are worked out here, once.

namespace scholar::nets {

// Square sets of one side, seen from one view.
struct Force {
    std::array<chess::Bitboard, 6> pieces{};
    std::array<chess::Bitboard, 6> attacks{};  // by kind; pieces see through nothing
    chess::Bitboard all = 0;
    chess::Bitboard once = 0;  // attacked by at least one piece, two, three
    chess::Bitboard twice = 0;
    chess::Bitboard thrice = 0;

    chess::Square king() const { return chess::lowest(pieces[chess::King]); }
    int number(chess::PieceKind kind) const { return chess::popcount(pieces[kind]); }
    chess::Bitboard minors() const { return pieces[chess::Knight] | pieces[chess::Bishop]; }
    chess::Bitboard officers() const { return all & ~pieces[chess::Pawn] & ~pieces[chess::King]; }
    // Attacked by a kind less valuable than this: pawn; knight, bishop; rook; queen.
    chess::Bitboard lesser_attacks(chess::PieceKind kind) const;
    // From the other side.
    Force turned() const;
};

struct Attacker {
    chess::PieceKind kind;
    chess::Square square;
    chess::Bitboard attacks;
};

struct LinearView {
    chess::Color color;
    bool to_move;
    bool may_castle_short;
    bool may_castle_long;
    Force own;
    Force enemy;
    chess::Bitboard occupied;
    std::array<Attacker, 16> officers;  // own, knight to queen
    int officer_count;
};

// By colour.
std::array<LinearView, 2> make_views(const chess::Position& position);

inline chess::Bitboard turned(chess::Bitboard set) {
    return std::byteswap(set);
}
// Everything above the set on its files, or below it, the set itself included.
constexpr chess::Bitboard fill_up(chess::Bitboard set) {
    set |= set << 8;
    set |= set << 16;
    return set | set << 32;
}
constexpr chess::Bitboard fill_down(chess::Bitboard set) {
    set |= set >> 8;
    set |= set >> 16;
    return set | set >> 32;
}
constexpr chess::Bitboard ahead(chess::Bitboard set) {
    return fill_up(set << 8);
}
constexpr chess::Bitboard beside(chess::Bitboard set) {
    return chess::shift<1>(set) | chess::shift<-1>(set);
}
constexpr chess::Bitboard whole_files(chess::Bitboard set) {
    return fill_up(fill_down(set));
}
// In king's moves.
constexpr int distance(chess::Square a, chess::Square b) {
    const int files = chess::file_of(a) - chess::file_of(b);
    const int ranks = chess::rank_of(a) - chess::rank_of(b);
    return std::max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

constexpr chess::Bitboard kDarkSquares = 0xAA55AA55AA55AA55ULL;  // a1 is one of them
constexpr chess::Bitboard same_colour(chess::Square square) {
    return chess::bit(square) & kDarkSquares ? kDarkSquares : ~kDarkSquares;
}
// Bishops on dark squares and on light ones.
constexpr bool on_both_colours(chess::Bitboard bishops) {
    return (bishops & kDarkSquares) && (bishops & ~kDarkSquares);
}

}  // namespace scholar::nets
