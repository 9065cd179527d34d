#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "chess/types.hpp"

// Sets of squares: bit n is square n.

namespace scholar::chess {

using Bitboard = std::uint64_t;

constexpr Bitboard kFileA = 0x0101010101010101ULL;
constexpr Bitboard kFileH = kFileA << 7;
constexpr Bitboard kRank1 = 0xFFULL;

constexpr Bitboard bit(Square square) {
    return 1ULL << square;
}
constexpr Bitboard file_bits(int file) {
    return kFileA << file;
}
constexpr Bitboard rank_bits(int rank) {
    return kRank1 << (8 * rank);
}
constexpr Bitboard relative_rank_bits(Color color, int rank) {
    return rank_bits(color == White ? rank : 7 - rank);
}
constexpr int popcount(Bitboard set) {
    return std::popcount(set);
}
// Of a set that is not empty.
constexpr Square lowest(Bitboard set) {
    assert(set);
    if (!set) __builtin_unreachable();
    return static_cast<Square>(std::countr_zero(set));
}
constexpr bool several(Bitboard set) {
    return set & (set - 1);
}

constexpr Square take_lowest(Bitboard& set) {
    const Square square = lowest(set);
    set &= set - 1;
    return square;
}

// One step of a whole set; squares that would leave the board are dropped. Delta is 8, −8 or one of those
// ± 1.
template <int Delta>
constexpr Bitboard shift(Bitboard set) {
    constexpr int file_step = (Delta + 16 + 1) % 8 - 1;
    if constexpr (file_step == 1) set &= ~kFileH;
    if constexpr (file_step == -1) set &= ~kFileA;
    if constexpr (Delta > 0)
        return set << Delta;
    else
        return set >> -Delta;
}

// Squares of a set, lowest first: for (Square square : squares(set)).
class Squares {
  public:
    class Iterator {
      public:
        constexpr explicit Iterator(Bitboard rest) : rest_(rest) {}
        constexpr Square operator*() const { return lowest(rest_); }
        constexpr Iterator& operator++() {
            rest_ &= rest_ - 1;
            return *this;
        }
        constexpr bool operator!=(const Iterator& other) const { return rest_ != other.rest_; }

      private:
        Bitboard rest_;
    };
    constexpr explicit Squares(Bitboard set) : set_(set) {}
    constexpr Iterator begin() const { return Iterator(set_); }
    constexpr Iterator end() const { return Iterator(0); }

  private:
    Bitboard set_;
};
constexpr Squares squares(Bitboard set) {
    return Squares(set);
}

}  // namespace scholar::chess
