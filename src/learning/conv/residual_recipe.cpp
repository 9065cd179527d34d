#include "learning/conv/residual_recipe.hpp"

#include <initializer_list>
#include <string>
#include <vector>

#include "base/strict_toml.hpp"
#include "learning/conv/input_keys.hpp"
#include "learning/conv/residual_task.hpp"

namespace scholar::learning {

namespace {

using ResidualSection = base::StrictToml::Section;

// The key as one of these, by the names that files have for them.
template <class Value>
Value read_name(ResidualSection& network, const char* key, const char* usual,
                std::initializer_list<Value> values) {
    std::vector<std::string> names;
    for (const Value value : values) names.emplace_back(to_string(value));
    const std::string name = network.choice(key, usual, names);
    for (const Value value : values)
        if (name == to_string(value)) return value;
    return *values.begin();  // it was refused
}

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
    shape.activation = read_name(network, "activation", "relu",
                                 {ConvActivation::Relu, ConvActivation::Mish, ConvActivation::Prelu});
    if (shape.squeeze > 0 && shape.activation == ConvActivation::Prelu)
        network.refuse("squeeze", "stands beside activation = \"prelu\", expected only one of them");
    shape.policy = read_name(
        network, "policy", "convolutional",
        {PolicyForm::Convolutional, PolicyForm::Dense, PolicyForm::Squares, PolicyForm::SourceTarget});
    const bool is_in_two = shape.policy == PolicyForm::SourceTarget;
    shape.policy_filters =
        number("policy_filters", is_in_two ? 2 : shape.filters, 1, nets::ConvBounds::kFilters);
    if (is_in_two) {
        shape.policy_units = number("policy_units", 64, 1, nets::ConvBounds::kUnits);
        shape.source_blocks = number("source_blocks", std::nullopt, 0, shape.blocks);
    }
    shape.value = read_name(network, "value", "wdl", {ValueForm::Wdl, ValueForm::Expected, ValueForm::None});
    if (shape.input.layers.outcome && shape.value != ValueForm::None)
        network.refuse("input",
                       "shows the outcome, which must not be seen beside a value, expected value = "
                       "\"none\"");
    if (shape.value == ValueForm::None) {
        for (const char* key : {"value_filters", "value_units", "value_second_units", "moves_left_filters"})
            if (network.has(key))
                network.refuse(key, "stands beside value = \"none\", expected only one of them");
        return shape;
    }
    shape.value_filters = number("value_filters", shape.value_filters, 1, nets::ConvBounds::kFilters);
    shape.value_units = number("value_units", shape.value_units, 1, nets::ConvBounds::kUnits);
    // Noted only where it is given: runs that began when there was no such key go on.
    if (network.has("value_second_units"))
        shape.value_second_units = number("value_second_units", 0, 0, nets::ConvBounds::kUnits);
    if (network.has("moves_left_filters")) {
        shape.moves_left_filters = number("moves_left_filters", 0, 1, nets::ConvBounds::kFilters);
        shape.moves_left_units = number("moves_left_units", 32, 1, nets::ConvBounds::kUnits);
    } else if (network.has("moves_left_units")) {
        network.refuse("moves_left_units", "stands there without moves_left_filters");
    }
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
        if (shape.policy == nets::PolicyForm::Squares || shape.policy == nets::PolicyForm::SourceTarget)
            masked = keys.flag("masked", masked);
        else if (keys.has("masked"))
            keys.refuse("masked",
                        "stands beside another policy than \"squares\" and \"source-target\" in [network]");
        if (!masked && !plan.teacher.empty())
            keys.refuse("masked", "false beside a teacher, who knows the rules, expected true");
        if (shape.value != nets::ValueForm::None)
            value_weight = keys.real("value_weight", 1, 0, 1'000);
        else if (keys.has("value_weight"))
            keys.refuse("value_weight",
                        "stands beside value = \"none\" in [network], expected only one of them");
        if (shape.value == nets::ValueForm::Expected)
            // Noted only where it is given: runs that began when there was no such key go on.
            result_weight = keys.has("result_weight") ? keys.real("result_weight", 1, 0, 1) : 1;
        else if (keys.has("result_weight"))
            keys.refuse("result_weight", "stands there without value = \"expected\" in [network]");
        if (result_weight < 1 && !plan.teacher.empty())
            keys.refuse("result_weight", "below 1 beside a teacher, who says what is expected, expected 1");
        if (shape.moves_left_filters > 0)
            moves_left_weight = keys.real("moves_left_weight", moves_left_weight, 0, 1'000);
        else if (keys.has("moves_left_weight"))
            keys.refuse("moves_left_weight", "stands there without moves_left_filters in [network]");
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
