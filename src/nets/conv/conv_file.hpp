#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/conv/conv_network.hpp"

// Convolutional networks as files of the one container. Metadata: what every network has
// (network_metadata.hpp), what input_metadata.hpp names, "filters", "blocks", "squeeze", "policy" ("none",
// "convolutional", "dense", "squares", "source-target"), "policy_filters", "value" ("none", "expected",
// "wdl"), "value_filters", "value_units", "moves_left_filters", "moves_left_units"; of version 2
// (version_of()) "policy_units", "source_blocks" and "value_second_units", too. Tensors: those that
// for_each_weights() names, in float32.

namespace scholar::nets {

constexpr const char* kResidual = "residual";

// Refuses another architecture or version, sizes and names that are not known, missing tensors, weights that
// are no numbers, saying which.
base::Result<ConvNetwork> to_conv_network(const TensorFile& file);
// Refuses what check_network() refuses.
base::Result<TensorFile> to_tensor_file(const ConvNetwork& network);
base::Status save_network(const std::filesystem::path& path, const ConvNetwork& network);

}  // namespace scholar::nets
