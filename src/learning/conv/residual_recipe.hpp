#pragma once

#include "learning/training/recipe.hpp"
#include "learning/training/torch_keys.hpp"
#include "nets/conv/conv_network.hpp"

namespace scholar::learning {

// What a recipe says of the training of a residual network: a policy over whole moves, or over squares, and,
// on the same trunk, win, draw and loss, or the expected result.
struct ResidualRecipe final : TaskRecipe {
    // [network], [optimiser]
    nets::ConvShape shape;
    nets::Precision precision = nets::Precision::F32;  // of the convolutions, in training
    TorchPlan plan;

    // [target]
    // Whether a policy is asked for legal moves only, and need not learn which they are; otherwise each step
    // of a policy of squares, or of source and target, is among all squares.
    bool masked = true;
    double value_weight = 1;         // of the result's loss; that of the moves has 1
    double result_weight = 1;        // of the result in what is to be expected; a search has the rest
    double moves_left_weight = 0.5;  // and of that of the half-moves that are left

    // [export]: between what engine and libtorch give a move or a result, as probabilities, or half-moves
    // left, as a share of them.
    double largest_difference = 1e-4;

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

}  // namespace scholar::learning
