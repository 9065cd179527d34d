#include "learning/linear/linear_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/linear/linear_task.hpp"
#include "learning/targets/target_keys.hpp"

namespace scholar::learning {

void LinearRecipe::read(base::StrictToml& file, Schedule& schedule) {
    using Section = base::StrictToml::Section;
    file.section("network", [&](Section& keys) {
        read_torch_network_keys(keys, plan);
        start = keys.choice("start", "nothing", {"nothing", "material", "pawns"});
        if (!plan.initial.empty() && keys.has("start"))
            keys.refuse("start", "stands beside 'initial', expected only one of them");
    });
    file.section("target", [&](Section& keys) { target = read_target_keys(keys); });
    file.section("optimiser", [&](Section& keys) { read_torch_optimiser_keys(keys, plan, schedule); });
}

void LinearRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](base::StrictToml::Section& keys) {
        largest_difference = keys.real("largest_difference", largest_difference, 0, 1e6);
    });
}

std::unique_ptr<Task> LinearRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_linear_task(recipe, *this, device);
}

}  // namespace scholar::learning
