#include "learning/dense/dense_moves_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/dense/dense_moves_task.hpp"
#include "learning/dense/dense_shape_keys.hpp"

namespace scholar::learning {

void DenseMovesRecipe::read(base::StrictToml& file, Schedule& schedule) {
    using MovesSection = base::StrictToml::Section;
    // The loss says what the network's output means, and so belongs to its shape.
    file.section("target", [&](MovesSection& keys) {
        loss = keys.choice("loss", "cross-entropy", {"cross-entropy", "softmax"}) == "softmax"
                   ? DenseMovesLoss::Softmax
                   : DenseMovesLoss::CrossEntropy;
    });
    file.section("network", [&](MovesSection& keys) {
        read_torch_network_keys(keys, plan);
        const auto moves = nets::find_dense_move_set(keys.text("moves", "giraffe-moves"));
        if (!moves) keys.refuse("moves", "is wrong: " + moves.error().message);
        shape = read_dense_shape(
            keys, moves ? *moves : &nets::dense_move_sets().front(),
            loss == DenseMovesLoss::Softmax ? nets::DenseOutput::Softmax : nets::DenseOutput::Logistic);
    });
    file.section("optimiser", [&](MovesSection& keys) { read_torch_optimiser_keys(keys, plan, schedule); });
}

void DenseMovesRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](base::StrictToml::Section& keys) {
        largest_mean_difference = keys.real("largest_mean_difference", largest_mean_difference, 0, 1);
    });
}

std::unique_ptr<Task> DenseMovesRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_dense_moves_task(recipe, *this, device);
}

}  // namespace scholar::learning
