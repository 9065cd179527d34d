#include "learning/comparison/comparison_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/comparison/comparison_task.hpp"
#include "learning/comparison/encoder_keys.hpp"

namespace scholar::learning {

namespace {

using ComparisonSection = base::StrictToml::Section;

nets::ComparisonForm read_form(ComparisonSection& network) {
    const std::string name = network.choice("form", "pair", {"pair", "antisymmetric", "split"});
    if (name == "antisymmetric") return nets::ComparisonForm::Antisymmetric;
    return name == "split" ? nets::ComparisonForm::Split : nets::ComparisonForm::Pair;
}

}  // namespace

void ComparisonRecipe::read(base::StrictToml& file, Schedule& schedule) {
    file.section("network", [&](ComparisonSection& keys) {
        read_torch_network_keys(keys, plan);
        shape = {read_encoder(keys), read_units(keys, "head", nets::ComparisonBounds::kUnits),
                 read_form(keys)};
        if (shape.encoder.empty()) return;
        if (auto status = nets::check_shape(shape); !status)
            keys.refuse("encoder", "is wrong: " + status.error().message);
    });
    file.section("target", [&](ComparisonSection& keys) {
        for (const char* key : {"teacher_weight", "temperature"})
            if (plan.teacher.empty() && keys.has(key))
                keys.refuse(key, "stands without 'teacher' in [network], expected one");
        if (plan.teacher.empty()) return;
        teacher_weight = keys.real("teacher_weight", teacher_weight, 0, 1'000);
        temperature = keys.real("temperature", temperature, 1, 1'000);
    });
    file.section("optimiser",
                 [&](ComparisonSection& keys) { read_torch_optimiser_keys(keys, plan, schedule); });
}

void ComparisonRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](ComparisonSection& keys) {
        largest_difference = keys.real("largest_difference", largest_difference, 0, 1e6);
    });
}

std::unique_ptr<Task> ComparisonRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_comparison_task(recipe, *this, device);
}

}  // namespace scholar::learning
