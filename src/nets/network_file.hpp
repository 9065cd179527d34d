#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/error.hpp"
#include "nets/network.hpp"
#include "nets/tensor_file.hpp"

// Networks as files. Metadata: "architecture" ("perspective"), "version", "feature_set", "width",
// "activation" ("crelu": clipped, "screlu": squared, "pairwise": paired), "quantisation" ("none", or the
// scales of transformer and output), "output_buckets" (not in older files: 1), "score_scale", "piece_values",
// and the history of the network. Tensors: "transformer.weight" [features, width], "transformer.bias"
// [width], "output.weight" [output buckets × 2 × outputs], "output.bias" [output buckets].

namespace scholar::nets {

// The architecture that these files name.
constexpr const char* kPerspective = "perspective";

// A quantised network, or a float one that is quantised while loading. Refuses another architecture, feature
// set or version, dimensions that do not agree, and damaged data, saying which.
base::Result<Network> load_network(const std::filesystem::path& path);
base::Result<Network> parse_network(std::span<const std::byte> bytes);
base::Result<Network> to_network(const TensorFile& file);

// Of a quantised one the rounded weights.
base::Result<FloatNetwork> load_float_network(const std::filesystem::path& path);

base::Status save_network(const std::filesystem::path& path, const Network& network);
base::Status save_network(const std::filesystem::path& path, const FloatNetwork& network);

// Eight hexadecimal digits of the hash of the weights: the part of a file name that tells networks apart.
std::string content_name(const Network& network);

// The metadata of an architecture, for whatever else keeps weights in files.
void put_architecture(TensorFile& file, const Architecture& architecture);
base::Result<Architecture> take_architecture(const TensorFile& file);

}  // namespace scholar::nets
