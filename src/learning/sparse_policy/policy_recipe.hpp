#pragma once

#include <string>

#include "learning/optimise/adam.hpp"
#include "learning/sparse_policy/policy_model.hpp"
#include "learning/training/recipe.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"

namespace scholar::learning {

// What a recipe says of the training of a sparse policy.
struct SparsePolicyRecipe final : TaskRecipe {
    // [network]
    nets::SparsePolicyInfo info;  // without piece values
    std::string piece_values;     // the network whose piece values judge exchanges; "": all equal
    std::string initial;          // a file to begin with, best of floats; "": random weights

    // [optimiser]
    AdamOptions adam;
    PolicyClip clip;

    // [export]
    double largest_mean_difference = 0.01;

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

}  // namespace scholar::learning
