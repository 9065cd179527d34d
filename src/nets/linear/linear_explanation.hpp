#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chess/position.hpp"
#include "nets/linear/linear_network.hpp"

// Why a linear evaluation says what it says.

namespace scholar::nets {

// What one feature gives to a value.
struct ValuePart {
    int feature;
    int count;             // own less enemy
    std::int64_t weighed;  // in units of 1 / LinearNetwork::kSumUnit of a Score unit
};

// The value of a position for its side to move as a sum.
struct ValueExplanation {
    StageShares shares;
    std::vector<ValuePart> parts;  // of all features that are not even, by number
    std::int64_t sum = 0;          // of the parts, exactly
    chess::Score value;            // that sum rounded and bounded: what the engine uses
};
ValueExplanation explain(const LinearNetwork& network, const chess::Position& position);

// The weights of a block of features at one stage, in Score units.
struct BlockWeights {
    double mean = 0;  // the weight itself where the block is a single feature
    double mean_absolute = 0;
    double largest = 0;  // the weight that is farthest from 0
    int set = 0;         // weights that are not 0
};
BlockWeights summarise(const FloatLinearNetwork& network, Block block, Stage stage);
// The same of all blocks of a group.
BlockWeights summarise(const FloatLinearNetwork& network, Group group, Stage stage);
int feature_count(Group group);

}  // namespace scholar::nets
