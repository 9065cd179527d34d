#include "learning/conv/residual_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/conv/input_keys.hpp"
#include "learning/conv/residual_task.hpp"

namespace scholar::learning {

namespace {

using ResidualSection = base::StrictToml::Section;

nets::ConvShape read_shape(ResidualSection& network) {
    using nets::ConvActivation;
    using nets::PolicyForm;
    using nets::ValueForm;
    nets::ConvShape shape;
    const auto number = [&network](const char* key, std::optional<int> usual, int least, int most) {
        return static_cast<int>(network.integer(key, usual, least, most));
    };
    read_input_keys(network, shape.input);
    shape.filters = number("filters", std::nullopt, 1, nets::ConvBounds::kFilters);
    shape.blocks = number("blocks", std::nullopt, 0, nets::ConvBounds::kBlocks);
    shape.squeeze = number("squeeze", 0, 0, nets::ConvBounds::kFilters);
    shape.activation = network.choice("activation", "relu", {"relu", "mish"}) == "relu"
                           ? ConvActivation::Relu
                           : ConvActivation::Mish;
    const std::string policy =
        network.choice("policy", "convolutional", {"convolutional", "dense", "squares"});
    shape.policy = policy == "dense"     ? PolicyForm::Dense
                   : policy == "squares" ? PolicyForm::Squares
                                         : PolicyForm::Convolutional;
    shape.policy_filters = number("policy_filters", shape.filters, 1, nets::ConvBounds::kFilters);
    shape.value = network.choice("value", "wdl", {"wdl", "none"}) == "wdl" ? ValueForm::Wdl : ValueForm::None;
    if (shape.input.layers.outcome && shape.value != ValueForm::None)
        network.refuse("input",
                       "shows the outcome, which must not be seen beside a value, expected value = "
                       "\"none\"");
    if (shape.value == ValueForm::None) {
        for (const char* key : {"value_filters", "value_units"})
            if (network.has(key))
                network.refuse(key, "stands beside value = \"none\", expected only one of them");
        return shape;
    }
    shape.value_filters = number("value_filters", shape.value_filters, 1, nets::ConvBounds::kFilters);
    shape.value_units = number("value_units", shape.value_units, 1, nets::ConvBounds::kUnits);
    return shape;
}

}  // namespace

void ResidualRecipe::read(base::StrictToml& file, Schedule& schedule) {
    file.section("network", [&](ResidualSection& keys) {
        read_torch_network_keys(keys, plan);
        shape = read_shape(keys);
        precision = read_precision(keys);
    });
    file.section("target", [&](ResidualSection& keys) {
        if (shape.policy == nets::PolicyForm::Squares)
            masked = keys.flag("masked", masked);
        else if (keys.has("masked"))
            keys.refuse("masked", "stands beside another policy than \"squares\" in [network]");
        if (!masked && !plan.teacher.empty())
            keys.refuse("masked", "false beside a teacher, who knows the rules, expected true");
        if (shape.value != nets::ValueForm::None)
            value_weight = keys.real("value_weight", 1, 0, 1'000);
        else if (keys.has("value_weight"))
            keys.refuse("value_weight",
                        "stands beside value = \"none\" in [network], expected only one of them");
    });
    file.section("optimiser",
                 [&](ResidualSection& keys) { read_torch_optimiser_keys(keys, plan, schedule); });
}

void ResidualRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](ResidualSection& keys) {
        largest_difference = keys.real("largest_difference", largest_difference, 0, 1);
    });
}

std::unique_ptr<Task> ResidualRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_residual_task(recipe, *this, device);
}

}  // namespace scholar::learning
