#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "nets/linear/linear_feature_table.hpp"

// The features of architecture "linear", by number. linear_feature_table.hpp declares them in blocks; here
// each gets its number, its name and the hash by which files know the table.

namespace scholar::nets {

namespace detail {

constexpr auto kFeatureOffsets = [] {
    std::array<int, kFeatureBlocks.size() + 1> offsets{};
    for (std::size_t i = 0; i < kFeatureBlocks.size(); ++i)
        offsets[i + 1] = offsets[i] + kFeatureBlocks[i].size();
    return offsets;
}();

constexpr bool rows_stand_at_their_ids() {
    for (std::size_t i = 0; i < kFeatureBlocks.size(); ++i)
        if (static_cast<std::size_t>(kFeatureBlocks[i].id) != i) return false;
    return true;
}
static_assert(rows_stand_at_their_ids());

}  // namespace detail

// All of them. The paper's program had 1,468.
constexpr int kLinearFeatures = detail::kFeatureOffsets.back();
static_assert(kLinearFeatures >= 1468);

constexpr const FeatureBlock& row(Block block) {
    return kFeatureBlocks[static_cast<std::size_t>(block)];
}

// The number of a feature by its place on the axes of its block, each from 0.
constexpr int feature(Block block, int i = 0, int j = 0) {
    return detail::kFeatureOffsets[static_cast<std::size_t>(block)] + i * row(block).second.size + j;
}

// The number of a square's feature where the axis begins at a later square than a1.
constexpr int square_feature(Block block, chess::Square square) {
    return feature(block, square - row(block).first.first);
}

struct FeaturePlace {
    Block block;
    int i;
    int j;
};
FeaturePlace place_of(int feature);

// "knight_square.e4", "attack.rook.pawn", "tempo".
std::string feature_name(int feature);

std::string_view to_string(Group group);

// Of all names in their order: weights belong to one table and no other.
std::uint64_t feature_table_hash();

}  // namespace scholar::nets
