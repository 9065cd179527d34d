#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "search/alpha_beta/tunables.hpp"

namespace scholar::search {

// How much less deep the `number`th move of a node is looked at first, before anything else is known of it,
// in 1/1024 half-moves.
class ReductionTable {
  public:
    explicit ReductionTable(const Tunables& tunables) {
        for (int depth = 1; depth < kSize; ++depth)
            for (int number = 1; number < kSize; ++number)
                table_[depth][number] = static_cast<int>(
                    tunables.reduction_base + tunables.reduction_slope * std::log(depth) * std::log(number));
    }
    int at(int depth, int number) const {
        return table_[std::min(depth, kSize - 1)][std::min(number, kSize - 1)];
    }

  private:
    static constexpr int kSize = 64;
    std::array<std::array<int, kSize>, kSize> table_{};
};

}  // namespace scholar::search
