#pragma once

#include <string>
#include <vector>

#include "base/strict_toml.hpp"
#include "learning/optimise/optimiser_options.hpp"
#include "learning/optimise/schedule.hpp"
#include "learning/training/torch_stages.hpp"

// The keys that recipes of all TorchTasks have (docs/training.md). Does not include libtorch.

namespace scholar::learning {

struct TorchPlan {
    // [network]
    std::string initial;                     // a file of weights to begin with; "": random ones
    std::vector<std::string> initial_parts;  // what is taken of it; none named: all of the network
    std::string teacher;                     // the file of a network whose outputs are the targets; "": none
    // [optimiser]
    OptimiserOptions optimiser;
    double learning_rate = 0;
    std::vector<TorchStage> stages;  // at least one
    // What is measured, written and played is an exponential average of the weights with this decay a step;
    // 0: the weights themselves.
    double averaging = 0;
};

// `kind`, `initial`, `initial_parts`, `teacher`: the task reads the other keys of its network itself.
void read_torch_network_keys(base::StrictToml::Section& network, TorchPlan& plan);
// Units of layers, 1 to `most` each; none where the key is absent, or one of them was refused.
std::vector<int> read_units(base::StrictToml::Section& network, const char* key, int most);
// All of [optimiser].
void read_torch_optimiser_keys(base::StrictToml::Section& optimiser, TorchPlan& plan, Schedule& schedule);

}  // namespace scholar::learning
