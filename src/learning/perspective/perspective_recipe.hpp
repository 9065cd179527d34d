#pragma once

#include "learning/optimise/adam.hpp"
#include "learning/perspective/export.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/network_plan.hpp"
#include "learning/targets/target_rule.hpp"
#include "learning/training/recipe.hpp"

namespace scholar::learning {

// What a recipe says of the training of a perspective network.
struct PerspectiveRecipe final : TaskRecipe {
    NetworkPlan network;

    // [target]
    TargetPlan target;

    // [optimiser]
    AdamOptions adam;
    WeightClip clip;

    ExportLimits limits;  // [export]

    void read(base::StrictToml& file, Schedule& schedule) override;
    void read_export(base::StrictToml& file) override;
    bool needs_moves() const override { return false; }
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

// Of a recipe whose [network] is of the kind "perspective".
const PerspectiveRecipe& perspective_of(const Recipe& recipe);

}  // namespace scholar::learning
