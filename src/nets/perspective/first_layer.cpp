#include "nets/perspective/first_layer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace scholar::nets {

namespace {

// The largest positive and negative sums that any board could give one unit with the own king in a bucket: on
// each square at most one piece, at most 32 pieces in all, each counting as much as the worst piece there.
struct Reach {
    int up;
    int down;
};
Reach reach_of_unit(const FirstLayer& layer, int unit, int bucket) {
    std::array<int, FeatureSet::kSquares> up{};
    std::array<int, FeatureSet::kSquares> down{};
    const int pieces = layer.features->states * FeatureSet::kPieces;
    for (int piece = 0; piece < pieces; ++piece)
        for (int square = 0; square < FeatureSet::kSquares; ++square) {
            const int weight = layer.row((bucket * pieces + piece) * FeatureSet::kSquares + square)[unit];
            const auto at = static_cast<std::size_t>(square);
            up[at] = std::max(up[at], weight);
            down[at] = std::min(down[at], weight);
        }
    std::ranges::sort(up, std::greater{});
    std::ranges::sort(down);
    Reach reach{layer.bias[unit], layer.bias[unit]};
    for (int i = 0; i < FeatureSet::kMaxActive; ++i) {
        reach.up += up[static_cast<std::size_t>(i)];
        reach.down += down[static_cast<std::size_t>(i)];
    }
    return reach;
}

}  // namespace

base::Result<FirstLayerReach> check_first_layer(const FirstLayer& layer) {
    FirstLayerReach found;
    for (int unit = 0; unit < layer.width; ++unit) {
        bool dead = true;
        for (int bucket = 0; bucket < layer.features->buckets; ++bucket) {
            const Reach reach = reach_of_unit(layer, unit, bucket);
            found.bound = std::max({found.bound, reach.up, -reach.down});
            dead = dead && reach.up <= 0;
        }
        found.dead_units += dead;
    }
    constexpr int most = std::numeric_limits<std::int16_t>::max();
    if (found.bound > most)
        return base::fail("transformer: a board could sum to {}, expected at most {}", found.bound, most);
    for (int feature = 0; feature < layer.features->size(); ++feature) {
        const std::int16_t* row = layer.row(feature);
        if (std::all_of(row, row + layer.width, [](std::int16_t weight) { return weight == 0; }))
            ++found.zero_rows;
    }
    return found;
}

}  // namespace scholar::nets
