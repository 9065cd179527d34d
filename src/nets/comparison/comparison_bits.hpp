#pragma once

#include <array>
#include <span>

#include "chess/position.hpp"

namespace scholar::nets {

// What a position is to a comparison (DeepChess, section 2), whoever is to move: a bit for each man on each
// square, one for White to move, four for castling rights; in the order of the feature set "bits-773"
// (nets/dense/dense_feature_set.cpp).
constexpr int kComparisonBits = 12 * 64 + 1 + 4;

// The bits that are 1, by their numbers. There are some 30 of them, so that a list is what a layer wants.
class ComparisonOnes {
  public:
    explicit ComparisonOnes(const chess::Position& position);

    std::span<const int> all() const { return {ones_.data(), static_cast<std::size_t>(count_)}; }

  private:
    static constexpr std::size_t kMostOnes = 64 + 1 + 4;
    std::array<int, kMostOnes> ones_;
    int count_ = 0;
};

}  // namespace scholar::nets
