#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "nets/comparison/comparison_network.hpp"
#include "nets/container/tensor_file.hpp"

// Comparison networks as files of the one container. Metadata: what every network has (network_metadata.hpp),
// "inputs" ("773"), "activation" ("relu"), "form" ("pair", "antisymmetric", "split"), "encoder" and "head":
// units of their layers, "600 400 200 100", but of the head's last, "400 200 100" ("": it has no other).
// Tensors: those that for_each_weights() names, in float32, as libtorch's linear layers have them.

namespace scholar::nets {

constexpr const char* kComparison = "comparison";

// Refuses another architecture or version, shapes that check_shape() refuses, missing tensors, weights that
// check_network() refuses, saying which.
base::Result<ComparisonNetwork> to_comparison_network(const TensorFile& file);
// Refuses what check_network() refuses.
base::Result<TensorFile> to_tensor_file(const ComparisonNetwork& network);
base::Status save_network(const std::filesystem::path& path, const ComparisonNetwork& network);

}  // namespace scholar::nets
