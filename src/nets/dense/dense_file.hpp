#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/dense/dense_network.hpp"

// Dense networks as files of the one container. Metadata: what every network has (network_metadata.hpp),
// "features" (the name of a feature set), "inputs" (its size), "move_inputs" (how many numbers of a move),
// "moves" (the name of their set, if there are any), "activation" ("relu"), "output" ("tanh", "logistic",
// "softmax"), "layers" (how many), and for each "layer.0", …: three numbers for each of its blocks,
// which are first input, inputs and outputs: "0 19 32 19 216 64 235 128 32". Tensors: those that
// for_each_weights() names, in float32, as libtorch's linear layers have them.

namespace scholar::nets {

constexpr const char* kDense = "dense";

// Refuses another architecture or version, shapes that check_shape() refuses, missing tensors, weights that
// check_network() refuses, saying which.
base::Result<DenseNetwork> to_dense_network(const TensorFile& file);
// Refuses what check_network() refuses.
base::Result<TensorFile> to_tensor_file(const DenseNetwork& network);
base::Status save_network(const std::filesystem::path& path, const DenseNetwork& network);

}  // namespace scholar::nets
