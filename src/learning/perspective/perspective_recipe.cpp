#include "learning/perspective/perspective_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/optimise/optimiser_keys.hpp"
#include "learning/perspective/perspective_keys.hpp"
#include "learning/perspective/perspective_task.hpp"
#include "learning/targets/target_keys.hpp"

namespace scholar::learning {

void PerspectiveRecipe::read(base::StrictToml& file, Schedule& schedule) {
    using Section = base::StrictToml::Section;
    file.section("network", [&](Section& keys) {
        // Not noted: runs that began when there was no such key go on.
        keys.pass_over("kind");
        network = read_network_keys(keys);
    });
    file.section("target", [&](Section& keys) { target = read_target_keys(keys); });
    file.section("optimiser", [&](Section& keys) {
        adam = read_adam_keys(keys);
        schedule.learning_rate = keys.real("learning_rate", std::nullopt, 1e-9, 10);
        clip = read_clip_keys(keys, network.architecture, network.architecture);
    });
}

void PerspectiveRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](base::StrictToml::Section& keys) {
        limits.largest_mean_difference = keys.real("largest_mean_difference", 5, 0, 1e6);
        limits.largest_difference = keys.real("largest_difference", 40, 0, 1e6);
    });
}

std::unique_ptr<Task> PerspectiveRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_perspective_task(recipe, device);
}

const PerspectiveRecipe& perspective_of(const Recipe& recipe) {
    return static_cast<const PerspectiveRecipe&>(*recipe.task);
}

}  // namespace scholar::learning
