#include "chess/attacks.hpp"

#include <cstddef>

#include "chess/magics.hpp"

namespace scholar::chess {

namespace {

using Directions = std::array<std::array<int, 2>, 4>;
constexpr Directions kDiagonals{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr Directions kStraights{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

constexpr bool on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

// Square by square until blocked: slow and plainly right; fills the tables.
Bitboard walk(Square square, Bitboard occupied, const Directions& directions) {
    Bitboard attacks = 0;
    for (const auto& [df, dr] : directions) {
        int file = file_of(square) + df;
        int rank = rank_of(square) + dr;
        while (on_board(file, rank)) {
            const Bitboard here = bit(make_square(file, rank));
            attacks |= here;
            if (occupied & here) break;
            file += df;
            rank += dr;
        }
    }
    return attacks;
}

// The edge squares that a slider reaches cannot block anything behind them.
Bitboard relevant_mask(Square square, const Directions& directions) {
    const Bitboard edges = ((rank_bits(0) | rank_bits(7)) & ~rank_bits(rank_of(square))) |
                           ((kFileA | kFileH) & ~file_bits(file_of(square)));
    return walk(square, 0, directions) & ~edges;
}

Bitboard steps(Square square, std::initializer_list<std::array<int, 2>> deltas) {
    Bitboard set = 0;
    for (const auto& [df, dr] : deltas)
        if (on_board(file_of(square) + df, rank_of(square) + dr))
            set |= bit(make_square(file_of(square) + df, rank_of(square) + dr));
    return set;
}

constexpr std::size_t kBishopEntries = 5248;
constexpr std::size_t kRookEntries = 102400;

struct SliderStorage {
    std::array<Bitboard, kBishopEntries> bishop;
    std::array<Bitboard, kRookEntries> rook;
};
SliderStorage storage;

void fill_sliders(std::array<detail::SliderEntry, 64>& entries, Bitboard* next, const Directions& directions,
                  [[maybe_unused]] const std::array<Bitboard, 64>& magics) {
    for (int s = 0; s < 64; ++s) {
        const auto square = static_cast<Square>(s);
        auto& entry = entries[square];
        entry.mask = relevant_mask(square, directions);
        entry.attacks = next;
#ifndef __BMI2__
        entry.magic = magics[square];
        entry.shift = 64 - popcount(entry.mask);
#endif
        Bitboard occupied = 0;
        do {  // every subset of the mask, in the order in which PEXT counts them
            next[detail::slot(entry, occupied)] = walk(square, occupied, directions);
            occupied = (occupied - entry.mask) & entry.mask;
        } while (occupied);
        next += std::size_t{1} << popcount(entry.mask);
    }
}

}  // namespace

namespace detail {

AttackTables::AttackTables() {
    fill_sliders(bishop, storage.bishop.data(), kDiagonals, kBishopMagics);
    fill_sliders(rook, storage.rook.data(), kStraights, kRookMagics);
    for (int a = 0; a < 64; ++a) {
        const auto from = static_cast<Square>(a);
        pawn[White][a] = steps(from, {{-1, 1}, {1, 1}});
        pawn[Black][a] = steps(from, {{-1, -1}, {1, -1}});
        knight[a] = steps(from, {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}});
        king[a] = steps(from, {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}});
        for (int b = 0; b < 64; ++b) {
            const auto to = static_cast<Square>(b);
            between[a][b] = line[a][b] = 0;
            for (const Directions* directions : {&kDiagonals, &kStraights}) {
                if (a == b || !(walk(from, 0, *directions) & bit(to))) continue;
                between[a][b] = walk(from, bit(to), *directions) & walk(to, bit(from), *directions);
                line[a][b] = (walk(from, 0, *directions) & walk(to, 0, *directions)) | bit(from) | bit(to);
            }
        }
    }
}

const AttackTables kTables;

}  // namespace detail

}  // namespace scholar::chess
