#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/sampler.hpp"
#include "learning/targets/target_rule.hpp"
#include "nets/perspective/feature_set.hpp"

namespace scholar::learning {

// Positions as a network reads them, and what it should say of each.
//
//   own, enemy: [position][stride] indices of active features; those after the position's count mean nothing
//   counts:     [position][own, enemy], each the number of pieces on the board
//   targets:    expected result for the side to move, 0 to 1, blended as the recipe says
//   highs:      where all up to there is right, too (selfplay/interval.hpp): of all positions, or of none
//   results:    the game's result alone: 1, ½ or 0
struct Batch {
    int stride = 0;
    std::vector<std::uint16_t> own;
    std::vector<std::uint16_t> enemy;
    std::vector<std::uint8_t> counts;
    std::vector<float> targets;
    std::vector<float> highs;
    std::vector<float> results;

    std::size_t size() const { return targets.size(); }
    void resize(std::size_t positions, int max_active);
    // Makes `board` (a chess::Position or nets::Placement) with `us` to move position number `at`.
    template <class Board>
    void put(std::size_t at, const nets::FeatureSet& features, const Board& board, chess::Color us,
             float target, float result) {
        const std::size_t first = at * static_cast<std::size_t>(stride);
        const int count = features.encode(board, us, own.data() + first, enemy.data() + first);
        counts[2 * at] = counts[2 * at + 1] = static_cast<std::uint8_t>(count);
        targets[at] = target;
        results[at] = result;
    }
    // What should have been said of position `at` by who said `expected`.
    float wanted(std::size_t at, float expected) const {
        return highs.empty() ? targets[at] : std::clamp(expected, targets[at], highs[at]);
    }
    // The positions [begin, end) as a batch of their own.
    Batch slice(std::size_t begin, std::size_t end) const;
};

// Writes sample i to place `offset` + i.
void encode_into(Batch& batch, std::size_t offset, std::span<const games::Sample> samples,
                 const nets::FeatureSet& features, const TargetRule& rule);
Batch encode(std::span<const games::Sample> samples, const nets::FeatureSet& features,
             const TargetRule& rule);

}  // namespace scholar::learning
