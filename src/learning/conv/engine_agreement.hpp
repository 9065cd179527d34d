#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "base/error.hpp"
#include "games/sample.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/conv/conv_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// How far what the engine says, of a file that it opens as any other, is from what libtorch says of the
// network that the file was made of.
struct EngineAgreement {
    std::size_t positions = 0;
    std::size_t moves = 0;           // legal ones, of all positions
    double mean_difference = 0;      // of a legal move's probability
    double largest_difference = 0;   // likewise
    double largest_of_results = 0;   // of the chance to win, draw or lose; 0 without such a head
    std::size_t same_best_move = 0;  // positions

    double largest() const { return std::max(largest_difference, largest_of_results); }
};

// `network` gives logits of moves and, if `shape` has a value, of the result (ResidualNetwork). It must lie
// on the CPU, and is worked out as it is when it is not trained. Positions without a legal move are passed
// over.
base::Result<EngineAgreement> compare_with_engine(const std::filesystem::path& file, TorchNetwork& network,
                                                  const nets::ConvShape& shape,
                                                  std::span<const games::Sample> samples);

// For people, one line.
std::string describe(const EngineAgreement& agreement);

}  // namespace scholar::learning
