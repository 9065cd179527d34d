#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/perspective/network.hpp"

// Networks as files. Metadata: "architecture" ("perspective"), "version", "feature_set", "width",
// "activation" ("crelu": clipped, "screlu": squared, "pairwise": paired), "quantisation" ("none", or the
// scales of transformer and output), "output_buckets" (not in older files: 1), "hidden" (units of each hidden
// layer; only where there are some, and then "version" is 2), "hidden_shifts" (of each hidden layer of a
// quantised network), "score_scale", "piece_values", and the history of the network. Tensors:
// "transformer.weight" [features, width], "transformer.bias" [width], "hidden.1.weight" [output buckets,
// units, inputs], in quantised networks [output buckets, inputs / 2, units, 2], "hidden.1.bias" [output
// buckets, units] and so on, "output.weight" [output buckets × inputs], "output.bias" [output buckets].

namespace scholar::nets {

// The architecture that these files name.
constexpr const char* kPerspective = "perspective";
// The version of such a network's file: "2" where there are hidden layers, which older programs do not know,
// else "1".
std::string_view version_of(const Architecture& architecture);

// A quantised network, or a float one that is quantised while loading. Refuses another architecture, feature
// set or version, dimensions that do not agree, and damaged data, saying which.
base::Result<Network> load_network(const std::filesystem::path& path);
base::Result<Network> parse_network(std::span<const std::byte> bytes);
base::Result<Network> to_network(const TensorFile& file);

// Of a quantised one the rounded weights.
base::Result<FloatNetwork> load_float_network(const std::filesystem::path& path);

base::Status save_network(const std::filesystem::path& path, const Network& network);
base::Status save_network(const std::filesystem::path& path, const FloatNetwork& network);

// The metadata of an architecture, for whatever else keeps weights in files.
void put_architecture(TensorFile& file, const Architecture& architecture);
base::Result<Architecture> take_architecture(const TensorFile& file);

}  // namespace scholar::nets
