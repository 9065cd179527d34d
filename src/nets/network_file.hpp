#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/error.hpp"
#include "nets/network.hpp"
#include "nets/tensor_file.hpp"

// Networks as files. Metadata: "architecture" ("perspective"), "version", "feature_set", "width",
// "activation" ("crelu"), "quantisation" ("none", or the scales), "score_scale", "piece_values", and the
// history of the network.

namespace scholar::nets {

// A quantised network, or a float one that is quantised while loading. Refuses another architecture, feature
// set or version, dimensions that do not agree, and damaged data, saying which.
base::Result<Network> load_network(const std::filesystem::path& path);
base::Result<Network> parse_network(std::span<const std::byte> bytes);

base::Result<FloatNetwork> load_float_network(const std::filesystem::path& path);

base::Status save_network(const std::filesystem::path& path, const Network& network);
base::Status save_network(const std::filesystem::path& path, const FloatNetwork& network);

// Eight hexadecimal digits of the hash of the weights: the part of a file name that tells networks apart.
std::string content_name(const Network& network);

}  // namespace scholar::nets
