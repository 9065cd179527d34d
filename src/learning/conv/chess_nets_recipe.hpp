#pragma once

#include <vector>

#include "learning/training/recipe.hpp"
#include "learning/training/torch_keys.hpp"
#include "nets/conv/chess_nets.hpp"

namespace scholar::learning {

// What a recipe says of the training of ChessNet's networks (nets/conv/chess_nets.hpp): any of them at once,
// each from the positions that are its own.
struct ChessNetsRecipe final : TaskRecipe {
    // [network]
    nets::ChessNetShape shape;
    std::vector<nets::ChessNetRole> roles;             // in the order of kChessNetRoles
    nets::Precision precision = nets::Precision::F32;  // in training
    TorchPlan plan;

    // [export]: between what engine and libtorch give a square, as probabilities, or a value.
    double largest_difference = 1e-4;

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

}  // namespace scholar::learning
