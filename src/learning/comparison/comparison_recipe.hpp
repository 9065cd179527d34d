#pragma once

#include <cstdint>
#include <string>

#include "learning/training/recipe.hpp"
#include "learning/training/torch_keys.hpp"
#include "nets/comparison/comparison_network.hpp"

namespace scholar::learning {

// What a recipe says of the training of a network that compares two positions.
struct ComparisonRecipe final : TaskRecipe {
    // [network], [optimiser]
    nets::ComparisonShape shape;
    TorchPlan plan;

    // [target]: with a teacher the loss is H(y, P) + teacher_weight · H(P_T^τ, P^τ), where y says which
    // position is better, P what the network says and P_T what the teacher does, both at temperature τ: of
    // logits that are divided by it.
    double teacher_weight = 1;
    double temperature = 2;

    // [export]: between engine and libtorch, of the logit.
    double largest_difference = 0.01;

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    bool needs_moves() const override { return false; }
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

}  // namespace scholar::learning
