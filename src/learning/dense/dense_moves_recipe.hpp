#pragma once

#include <cstdint>

#include "learning/training/recipe.hpp"
#include "learning/training/torch_keys.hpp"
#include "nets/dense/dense_network.hpp"

namespace scholar::learning {

// Between what a network says of the legal moves of a position and which is the best, as the mean over
// positions.
enum class DenseMovesLoss : std::uint8_t {
    // Giraffe's (section 6.4): each move by itself is the best or not, −ln σ(z) or −ln (1 − σ(z)), summed
    // over
    // the position's moves.
    CrossEntropy,
    Softmax,  // −ln of the best move's share of Σ e^z
};

// What a recipe says of the training of a dense network that judges moves.
struct DenseMovesRecipe final : TaskRecipe {
    // [network], [optimiser]
    nets::DenseShape shape;
    TorchPlan plan;

    // [target]
    DenseMovesLoss loss = DenseMovesLoss::CrossEntropy;

    // [export]: of probabilities between engine and libtorch, in the mean. Two moves of which both are told
    // nearly the same may change places with the last bit, and their probabilities with it.
    double largest_mean_difference = 1e-4;

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

}  // namespace scholar::learning
