#include "learning/comparison/encoder_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/comparison/encoder_keys.hpp"
#include "learning/comparison/encoder_task.hpp"

namespace scholar::learning {

void EncoderRecipe::read(base::StrictToml& file, Schedule& schedule) {
    using Section = base::StrictToml::Section;
    file.section("network", [&](Section& keys) {
        read_torch_network_keys(keys, plan);
        units = read_encoder(keys);
        const bool has_teacher = !plan.teacher.empty();
        if (learns == EncoderLearns::ToGiveBack && has_teacher)
            keys.refuse("teacher", "is there, expected none: an autoencoder learns from what goes in");
        // Without one it is missing.
        if (learns == EncoderLearns::ToImitate && !has_teacher) keys.text("teacher", std::nullopt);
    });
    file.section("optimiser", [&](Section& keys) { read_torch_optimiser_keys(keys, plan, schedule); });
}

std::unique_ptr<Task> EncoderRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_encoder_task(recipe, *this, device);
}

}  // namespace scholar::learning
