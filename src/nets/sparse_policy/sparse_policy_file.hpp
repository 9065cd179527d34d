#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"

// Sparse policies as files. Metadata: "architecture" ("sparse-policy"), "version", "feature_set", "width",
// "activation" and "output_buckets" (1) as perspective networks have them
// (nets/perspective/network_file.hpp), "outputs" ("moves", "exchanges", "circumstances"), "quantisation"
// ("none", or the scales of transformer and output), "score_scale", "piece_values" (those by which exchanges
// are judged), and the history of the network. Tensors: "transformer.weight" [features, width],
// "transformer.bias" [width], "output.weight" [rows, units], "output.bias" [rows].

namespace scholar::nets {

// The architecture that these files name, and its version.
constexpr const char* kSparsePolicy = "sparse-policy";
constexpr const char* kSparsePolicyVersion = "1";

// A quantised network, or a float one that is quantised while loading. Refuses another architecture, feature
// set or version, dimensions that do not agree, and weights whose sums could overflow, saying which.
base::Result<SparsePolicyNetwork> to_sparse_policy(const TensorFile& file);

base::Status save_network(const std::filesystem::path& path, const SparsePolicyNetwork& network);
base::Status save_network(const std::filesystem::path& path, const FloatSparsePolicy& network);
// A file of integers as to_floats() has it.
base::Result<FloatSparsePolicy> load_float_sparse_policy(const std::filesystem::path& path);

// What such a network is apart from its weights, for whatever else keeps these in files.
void put_sparse_policy_info(TensorFile& file, const SparsePolicyInfo& info);
base::Result<SparsePolicyInfo> take_sparse_policy_info(const TensorFile& file);

}  // namespace scholar::nets
