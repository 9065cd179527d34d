#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/linear/linear_network.hpp"

// Linear evaluations as files of the one container. Metadata: what every network has
// (network_metadata.hpp), "feature_table" (the hash of all feature names in their order), "features" (how
// many), "stages" ("opening middle ending mating"), "quantisation" ("none": floats; "int32 64": fixed point).
// One tensor: "weight" [features, stages].

namespace scholar::nets {

constexpr const char* kLinear = "linear";

// In fixed point, or a float one that is rounded while loading. Refuses another architecture, table of
// features, stages or version, weights out of bounds and damaged data, saying which; load_any_network() names
// the file too.
base::Result<LinearNetwork> to_linear_network(const TensorFile& file);
// Of one in fixed point the rounded weights.
base::Result<FloatLinearNetwork> load_float_linear_network(const std::filesystem::path& path);

base::Status save_network(const std::filesystem::path& path, const LinearNetwork& network);
base::Status save_network(const std::filesystem::path& path, const FloatLinearNetwork& network);

}  // namespace scholar::nets
