#pragma once

#include <string>

#include "learning/targets/target_rule.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/torch_keys.hpp"

namespace scholar::learning {

// What a recipe says of fitting a linear evaluation to games.
struct LinearRecipe final : TaskRecipe {
    // [network], [optimiser]
    std::string start = "nothing";  // weights to begin with: "nothing" (all 0), "material" or "pawns"
    TorchPlan plan;

    // [target]
    TargetPlan target;

    // [export]: between engine and libtorch, in Score units; the engine rounds each weight to 1/64.
    double largest_difference = 4;

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    bool needs_moves() const override { return false; }
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

}  // namespace scholar::learning
