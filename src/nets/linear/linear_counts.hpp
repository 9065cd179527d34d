#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "chess/position.hpp"
#include "nets/linear/linear_features.hpp"

// What a position has of the features of architecture "linear": White's counts less Black's, each from its
// own view of the board. The attack maps of both sides are worked out once, and everything is read off them.

namespace scholar::nets {

// Features with their counts. A feature may be in it more than once: its counts are added.
class FeatureCounts {
  public:
    struct Item {
        std::uint16_t feature;
        std::int16_t count;
    };

    void add(int feature, int count) {
        assert(size_ < items_.size());
        items_[size_++] = {static_cast<std::uint16_t>(feature), static_cast<std::int16_t>(count)};
    }
    // The same where a count of 0 is likely: without a branch that nobody can predict.
    void add_unless_zero(int feature, int count) {
        assert(size_ < items_.size());
        items_[size_] = {static_cast<std::uint16_t>(feature), static_cast<std::int16_t>(count)};
        size_ += count != 0;
    }
    const Item* begin() const { return items_.data(); }
    const Item* end() const { return items_.data() + size_; }

  private:
    // More than any legal board gives: 176 for the control of squares; for each side 70 for kinds attacking
    // kinds, at most 20 for each of 16 pieces and pawns, and one for each of 60 other blocks.
    std::array<Item, 1536> items_;
    std::size_t size_ = 0;
};

// What the pawns alone decide, and others ask about. By colour, each from its own view.
struct PawnSets {
    std::array<chess::Bitboard, 2> passed{};
    std::array<chess::Bitboard, 2> weak{};  // isolated ones among them
};

// The three parts of a position's features, each feature in one of them. All must be added up:
// material and places of the pieces (that is, one count of each piece, which a move changes little)…
void count_piece(chess::Piece piece, chess::Square square, int times, FeatureCounts& out);
void count_placement(const chess::Position& position, FeatureCounts& out);
// …what depends on the pawns of both sides and on nothing else, which few moves change…
PawnSets count_pawns(chess::Bitboard white, chess::Bitboard black, FeatureCounts& out);
// …and all the rest.
void count_rest(const chess::Position& position, const PawnSets& pawns, FeatureCounts& out);

// All three: White's counts less Black's.
void count_features(const chess::Position& position, FeatureCounts& out);

// The same by feature, for the side to move.
std::array<std::int16_t, kLinearFeatures> dense_counts(const chess::Position& position);

}  // namespace scholar::nets
