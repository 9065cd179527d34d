#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/error.hpp"
#include "games/sample.hpp"
#include "learning/training/samples.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/comparison/comparison_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// Of form "split": adds to f what no comparison sees, so that over these pairs 1 / (1 + e^−f) is ½ on
// average, as many positions being of games that White won as of others. f is then the logit of the expected
// result of a game that will be decided.
void centre_values(nets::ComparisonNetwork& network, std::span<const SamplePair> pairs);

// Likewise: what the network thinks each kind of piece is worth (learning/measuring/removals.hpp).
nets::PieceValues measure_piece_values(std::shared_ptr<const nets::ComparisonNetwork> network,
                                       std::span<const games::Sample> samples, std::uint64_t seed);

// How far what the engine says, of a file that it opens as any other, is from what libtorch says of the
// network that the file was made of.
struct ComparisonAgreement {
    std::size_t pairs = 0;
    double mean_difference = 0;     // of the logit
    double largest_difference = 0;  // likewise
    std::size_t same_answer = 0;    // of the engine's comparator
};

// `network` gives z of a pair and must lie on the CPU.
base::Result<ComparisonAgreement> compare_with_engine(const std::filesystem::path& file,
                                                      TorchNetwork& network,
                                                      std::span<const SamplePair> pairs);

// For people, one line.
std::string describe(const ComparisonAgreement& agreement);

}  // namespace scholar::learning
