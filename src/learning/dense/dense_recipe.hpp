#pragma once

#include <cstdint>

#include "learning/targets/target_rule.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/torch_keys.hpp"
#include "nets/dense/dense_network.hpp"

namespace scholar::learning {

// Between what a dense network expects and the target, as the mean over positions. tanh z and 2t − 1 are what
// is expected of White, −1 to 1.
enum class DenseLoss : std::uint8_t {
    CrossEntropy,  // −t·log p − (1 − t)·log(1 − p), p = σ(2z) = (1 + tanh z) / 2
    L1,            // |tanh z − (2t − 1)|, Giraffe's
    L2,            // its square
};

// What a recipe says of the training of a dense network that judges positions.
struct DenseRecipe final : TaskRecipe {
    // [network], [optimiser]
    nets::DenseShape shape;
    TorchPlan plan;

    // [target]
    TargetPlan target;
    DenseLoss loss = DenseLoss::CrossEntropy;

    // [export]: between engine and libtorch, in Score units, to which the engine rounds.
    double largest_difference = 1;

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    bool needs_moves() const override { return false; }
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

}  // namespace scholar::learning
