#include "learning/dense/dense_shape_keys.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

#include "learning/training/torch_keys.hpp"

namespace scholar::learning {

namespace {

std::string names_of(std::span<const nets::DenseModality> modalities) {
    std::string names;
    for (const nets::DenseModality& each : modalities)
        names.append(names.empty() ? "" : ", ").append(each.name);
    return names;
}

}  // namespace

nets::DenseShape read_dense_shape(base::StrictToml::Section& network, const nets::DenseMoveSet* moves,
                                  nets::DenseOutput output) {
    const auto features = nets::find_dense_feature_set(network.text("features", "giraffe-363"));
    if (!features) network.refuse("features", "is wrong: " + features.error().message);
    const nets::DenseFeatureSet& set = features ? **features : nets::dense_feature_sets().front();
    const std::vector<int> units = read_units(network, "apart", nets::DenseBounds::kUnits);
    const std::vector<int> joint = read_units(network, "joint", nets::DenseBounds::kUnits);
    const std::size_t each = set.modalities.size() + (moves ? 1 : 0);
    std::vector<std::vector<int>> apart;
    // With other features another number of them would be right.
    if (features && units.size() % each != 0)
        network.refuse("apart", fmt::format("has {} numbers, expected {} for each layer: {}", units.size(),
                                            each, names_of(set.modalities) + (moves ? ", move" : "")));
    else
        for (std::size_t i = 0; i + each <= units.size(); i += each)
            apart.emplace_back(units.begin() + static_cast<std::ptrdiff_t>(i),
                               units.begin() + static_cast<std::ptrdiff_t>(i + each));
    const nets::DenseShape shape = nets::dense_shape(set, apart, joint, moves, output);
    if (auto status = nets::check_shape(shape); !status)
        network.refuse(joint.empty() ? "apart" : "joint", "is wrong: " + status.error().message);
    return shape;
}

}  // namespace scholar::learning
