#pragma once

#include <cstdint>
#include <memory>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "search/search.hpp"

namespace scholar::search {

// How a policy's move is chosen (A. Singh, "Convolutional neural networks learn to play chess", 2015, section
// 2.6): of all moves at once, "top probability" there, or first the man that is the likeliest to move by any
// move of his, then his move: "top move".
enum class PolicyChoice : std::uint8_t { Move, ManFirst };

struct PolicyPlayerOptions {
    static constexpr double kMostTemperature = 100;

    PolicyChoice choice = PolicyChoice::Move;
    // Above 0 the move is drawn by lot, each with its probability to the power of 1 / temperature, among
    // those of the man that was chosen first if one was; at 0 it is the likeliest.
    double temperature = 0;
    std::uint64_t seed = 0;  // of the lot, in each game anew
};

// Plays the move that a policy finds the likeliest, or one that is likely: what it knows without any search.
// The distribution over the root's moves is the policy's, among the moves that may be played; a score is
// there where the network gives one. Refused: a network without a policy.
base::Result<std::unique_ptr<Search>> make_policy_player(const nets::AnyNetwork& network,
                                                         const PolicyPlayerOptions& options = {});

}  // namespace scholar::search
