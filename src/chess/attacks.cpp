#include "chess/attacks.hpp"

#include <vector>

#include "base/random.hpp"

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

#ifndef __BMI2__
// Finds a multiplier that maps every occupancy of the mask to an index whose attacks are right (no
// harmful collision), by trying sparse random numbers: the usual construction, seeded, well under a second.
void find_magic(detail::SliderEntry& entry, Bitboard* attacks, const std::vector<Bitboard>& occupancies,
                const std::vector<Bitboard>& reference, base::Random& random) {
    const std::size_t size = occupancies.size();
    entry.shift = 64 - popcount(entry.mask);
    std::vector<std::size_t> epoch(size, 0);
    for (std::size_t attempt = 1;; ++attempt) {
        entry.magic = random.next() & random.next() & random.next();
        if (popcount((entry.mask * entry.magic) >> 56) < 6) continue;
        bool good = true;
        for (std::size_t i = 0; i < size && good; ++i) {
            const std::size_t index = (occupancies[i] * entry.magic) >> entry.shift;
            if (epoch[index] < attempt) {
                epoch[index] = attempt;
                attacks[index] = reference[i];
            } else {
                good = attacks[index] == reference[i];
            }
        }
        if (good) return;
    }
}
#endif

void fill_sliders(std::array<detail::SliderEntry, 64>& entries, Bitboard* next,
                  const Directions& directions) {
#ifndef __BMI2__
    base::Random random(0x5C401A2);
#endif
    for (int s = 0; s < 64; ++s) {
        const auto square = static_cast<Square>(s);
        auto& entry = entries[square];
        entry.mask = relevant_mask(square, directions);
        entry.attacks = next;
        std::vector<Bitboard> occupancies;
        std::vector<Bitboard> reference;
        Bitboard occupied = 0;
        do {  // every subset of the mask, in the order in which PEXT counts them
            occupancies.push_back(occupied);
            reference.push_back(walk(square, occupied, directions));
            occupied = (occupied - entry.mask) & entry.mask;
        } while (occupied);
#ifdef __BMI2__
        for (std::size_t i = 0; i < reference.size(); ++i) next[i] = reference[i];
#else
        find_magic(entry, next, occupancies, reference, random);
#endif
        next += reference.size();
    }
}

}  // namespace

namespace detail {

AttackTables::AttackTables() {
    fill_sliders(bishop, storage.bishop.data(), kDiagonals);
    fill_sliders(rook, storage.rook.data(), kStraights);
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
