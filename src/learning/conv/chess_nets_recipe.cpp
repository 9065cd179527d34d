#include "learning/conv/chess_nets_recipe.hpp"

#include <algorithm>
#include <climits>
#include <fmt/format.h>

#include "base/strict_toml.hpp"
#include "learning/conv/chess_nets_task.hpp"
#include "learning/conv/input_keys.hpp"

namespace scholar::learning {

namespace {

using ChessNetSection = base::StrictToml::Section;

const std::vector<std::string> kSevenNetworks{"piece", "pawn", "knight", "bishop", "rook", "queen", "king"};

std::vector<nets::ChessNetRole> read_roles(ChessNetSection& network) {
    const std::vector<std::string> names = network.texts("networks", kSevenNetworks);
    std::vector<nets::ChessNetRole> roles;
    for (const nets::ChessNetRole role : nets::kChessNetRoles)
        if (std::ranges::find(names, to_string(role)) != names.end()) roles.push_back(role);
    if (roles.size() != names.size())
        network.refuse("networks",
                       fmt::format("has '{}', expected some of piece, pawn, knight, bishop, rook, "
                                   "queen, king, value, each once",
                                   fmt::join(names, ", ")));
    return roles;
}

}  // namespace

void ChessNetsRecipe::read(base::StrictToml& file, Schedule& schedule) {
    file.section("network", [&](ChessNetSection& keys) {
        read_torch_network_keys(keys, plan);
        read_input_keys(keys, shape.input);
        shape.piece_layer = keys.flag("piece_layer", shape.piece_layer);
        roles = read_roles(keys);
        if (const auto filters = keys.integers("filters"); !filters.empty()) {
            shape.filters.clear();
            // Beyond any bound they are still refused as what they are by check_shape().
            for (const std::int64_t each : filters)
                shape.filters.push_back(static_cast<int>(std::clamp<std::int64_t>(each, -1, INT_MAX)));
        }
        shape.units = static_cast<int>(keys.integer("units", shape.units, 1, nets::ConvBounds::kUnits));
        const std::string activation = keys.choice("activation", "relu", {"relu", "mish", "tanh"});
        shape.activation = activation == "relu"   ? nets::ConvActivation::Relu
                           : activation == "mish" ? nets::ConvActivation::Mish
                                                  : nets::ConvActivation::Tanh;
        precision = read_precision(keys);
        if (shape.input.layers.outcome && std::ranges::find(roles, nets::ChessNetRole::Value) != roles.end())
            keys.refuse("networks", "has 'value', which must not see the outcome that 'input' shows");
        if (auto status = nets::check_shape(shape); !status) keys.refuse("filters", status.error().message);
    });
    file.section("optimiser",
                 [&](ChessNetSection& keys) { read_torch_optimiser_keys(keys, plan, schedule); });
}

void ChessNetsRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](ChessNetSection& keys) {
        largest_difference = keys.real("largest_difference", largest_difference, 0, 1);
    });
}

std::unique_ptr<Task> ChessNetsRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_chess_nets_task(recipe, *this, device);
}

}  // namespace scholar::learning
