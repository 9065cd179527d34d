#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/error.hpp"
#include "games/sample.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/dense/dense_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// What the network thinks each kind of piece is worth (learning/measuring/removals.hpp). Where there is no
// legal position without the piece (the other king would be in check), nothing is removed.
nets::PieceValues measure_piece_values(std::shared_ptr<const nets::DenseNetwork> network,
                                       std::span<const games::Sample> samples, std::uint64_t seed);

// How far what the engine says, of a file that it opens as any other, is from what libtorch says of the
// network that the file was made of; in Score units, to which the engine rounds.
struct DenseAgreement {
    std::size_t positions = 0;
    double mean_difference = 0;
    double largest_difference = 0;
};

// `network` gives z of inputs [position][shape.inputs()] and must lie on the CPU.
base::Result<DenseAgreement> compare_with_engine(const std::filesystem::path& file, TorchNetwork& network,
                                                 const nets::DenseShape& shape,
                                                 std::span<const games::Sample> samples);

// For people, one line.
std::string describe(const DenseAgreement& agreement);

}  // namespace scholar::learning
