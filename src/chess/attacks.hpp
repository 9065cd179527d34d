#pragma once

#include <array>
#include <cstddef>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "chess/bitboard.hpp"

// Where each piece attacks from each square. Sliding pieces look their attacks up by the occupancy of the
// squares that can block them: indexed by PEXT where the build's machine has it, by magic multiplication
// elsewhere. All tables are constants, made once before main() and never written again.

namespace scholar::chess {

namespace detail {

struct SliderEntry {
    Bitboard mask;  // squares whose occupancy matters
    const Bitboard* attacks;
#ifndef __BMI2__
    Bitboard magic;
    int shift;
#endif
};

struct AttackTables {
    std::array<std::array<Bitboard, 64>, 2> pawn;
    std::array<Bitboard, 64> knight;
    std::array<Bitboard, 64> king;
    std::array<SliderEntry, 64> bishop;
    std::array<SliderEntry, 64> rook;
    std::array<std::array<Bitboard, 64>, 64> between;
    std::array<std::array<Bitboard, 64>, 64> line;
    AttackTables();
    AttackTables(const AttackTables&) = delete;
    AttackTables& operator=(const AttackTables&) = delete;
};

extern const AttackTables kTables;

// Where the attacks of a slider stand among those of its square.
inline std::size_t slot(const SliderEntry& entry, Bitboard occupied) {
#ifdef __BMI2__
    return _pext_u64(occupied, entry.mask);
#else
    return ((occupied & entry.mask) * entry.magic) >> entry.shift;
#endif
}

inline Bitboard slide(const SliderEntry& entry, Bitboard occupied) {
    return entry.attacks[slot(entry, occupied)];
}

}  // namespace detail

inline Bitboard pawn_attacks(Color color, Square square) {
    return detail::kTables.pawn[color][square];
}
inline Bitboard knight_attacks(Square square) {
    return detail::kTables.knight[square];
}
inline Bitboard king_attacks(Square square) {
    return detail::kTables.king[square];
}
inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
    return detail::slide(detail::kTables.bishop[square], occupied);
}
inline Bitboard rook_attacks(Square square, Bitboard occupied) {
    return detail::slide(detail::kTables.rook[square], occupied);
}
inline Bitboard queen_attacks(Square square, Bitboard occupied) {
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}

// Of one man.
inline Bitboard attacks_from(PieceKind kind, Color color, Square square, Bitboard occupied) {
    switch (kind) {
        case Pawn:
            return pawn_attacks(color, square);
        case Knight:
            return knight_attacks(square);
        case Bishop:
            return bishop_attacks(square, occupied);
        case Rook:
            return rook_attacks(square, occupied);
        case Queen:
            return queen_attacks(square, occupied);
        default:
            return king_attacks(square);
    }
}

template <Color Us>
constexpr Bitboard pawn_attacks_of(Bitboard pawns) {
    constexpr int up = forward(Us);
    return shift<up + 1>(pawns) | shift<up - 1>(pawns);
}

// The squares strictly between two on one line, else none.
inline Bitboard between(Square a, Square b) {
    return detail::kTables.between[a][b];
}
// The whole line through two squares from edge to edge, else none.
inline Bitboard line_through(Square a, Square b) {
    return detail::kTables.line[a][b];
}

}  // namespace scholar::chess
