#pragma once

#include <compare>
#include <cstdint>

namespace scholar::search {

// What a node of a search has left to spend, in 1/64 of a half-move. A half-move costs 1 where the search is
// bounded by depth. It fits a table's draft of 16 bits. Formulas that speak of depth read whole half-moves,
// rounded down.
class Effort {
  public:
    static constexpr int kHalfMove = 64;

    constexpr Effort() = default;  // nothing left
    static constexpr Effort of_units(int units) { return Effort(units); }
    static constexpr Effort of_half_moves(int half_moves) { return Effort(half_moves * kHalfMove); }

    constexpr int units() const { return units_; }
    constexpr int half_moves() const { return units_ >> 6; }

    friend constexpr Effort operator+(Effort a, Effort b) { return Effort(a.units_ + b.units_); }
    friend constexpr Effort operator-(Effort a, Effort b) { return Effort(a.units_ - b.units_); }
    friend constexpr auto operator<=>(Effort, Effort) = default;

  private:
    constexpr explicit Effort(int units) : units_(units) {}

    int units_ = 0;
};
static_assert(1 << 6 == Effort::kHalfMove);

}  // namespace scholar::search
