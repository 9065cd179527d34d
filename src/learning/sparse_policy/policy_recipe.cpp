#include "learning/sparse_policy/policy_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/optimise/optimiser_keys.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/perspective_keys.hpp"
#include "learning/sparse_policy/policy_task.hpp"

namespace scholar::learning {

void SparsePolicyRecipe::read(base::StrictToml& file, Schedule& schedule) {
    using PolicySection = base::StrictToml::Section;
    file.section("network", [&](PolicySection& keys) {
        keys.text("kind", std::nullopt);
        read_first_layer_keys(keys, info.architecture);
        const auto rows = nets::find_policy_rows(keys.text("outputs", std::string(to_string(info.rows))));
        if (rows)
            info.rows = *rows;
        else
            keys.refuse("outputs", "is wrong: " + rows.error().message);
        piece_values = keys.text("piece_values", "");
        initial = keys.text("initial", "");
    });
    file.section("optimiser", [&](PolicySection& keys) {
        adam = read_adam_keys(keys);
        schedule.learning_rate = keys.real("learning_rate", std::nullopt, 1e-9, 10);
        clip.transformer = static_cast<float>(
            keys.real("clip_transformer", static_cast<double>(clip.transformer), 0.01, transformer_bound()));
        clip.output = static_cast<float>(
            keys.real("clip_output", static_cast<double>(clip.output), 0.01, policy_output_bound()));
    });
}

void SparsePolicyRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](base::StrictToml::Section& keys) {
        largest_mean_difference = keys.real("largest_mean_difference", largest_mean_difference, 0, 1);
    });
}

std::unique_ptr<Task> SparsePolicyRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_sparse_policy_task(recipe, *this, device);
}

}  // namespace scholar::learning
