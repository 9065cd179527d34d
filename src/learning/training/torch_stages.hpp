#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scholar::learning {

class TorchNetwork;

// A stretch of a run in which some parts of a network are trained and the others frozen: layer by layer, a
// head on a trunk that somebody else has trained, a trunk that is only adjusted.
struct TorchStage {
    std::uint64_t from = 0;          // steps before it
    std::vector<std::string> parts;  // that are trained (learning/training/torch_network.hpp); none: all
    double learning_rate = 0;        // in place of the recipe's, which the schedule still bends; 0: that
};

// "stage from=1000 train=head+trunk.2 learning_rate=0.001".
base::Result<TorchStage> parse_torch_stage(std::string_view text);
// In order, the first from 0. Empty: one stage of all parts.
base::Status check_stages(const std::vector<TorchStage>& stages);
// The one of step number `step`, from 1. At least one.
const TorchStage& stage_of(const std::vector<TorchStage>& stages, std::uint64_t step);

// What is frozen stays as it is to the bit: no gradients, and running statistics are used, not gathered.
void set_trained(TorchNetwork& network, const TorchStage& stage);

}  // namespace scholar::learning
