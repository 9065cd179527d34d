#include "learning/dense/dense_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/dense/dense_task.hpp"

namespace scholar::learning {

namespace {

using DenseSection = base::StrictToml::Section;

// None where one of them was refused.
std::vector<int> read_units(DenseSection& network, const char* key) {
    const std::vector<std::int64_t> numbers = network.integers(key);
    std::vector<int> units;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < 1 || numbers[i] > nets::DenseBounds::kUnits) {
            network.refuse(
                key,
                fmt::format("has {}, expected numbers from 1 to {}", numbers[i], nets::DenseBounds::kUnits),
                i);
            return {};
        }
        units.push_back(static_cast<int>(numbers[i]));
    }
    return units;
}

std::string names_of(std::span<const nets::DenseModality> modalities) {
    std::string names;
    for (const nets::DenseModality& each : modalities)
        names.append(names.empty() ? "" : ", ").append(each.name);
    return names;
}

nets::DenseShape read_dense_shape(DenseSection& network) {
    const auto features = nets::find_dense_feature_set(network.text("features", "giraffe-363"));
    if (!features) network.refuse("features", "is wrong: " + features.error().message);
    const nets::DenseFeatureSet& set = features ? **features : nets::dense_feature_sets().front();
    const std::vector<int> units = read_units(network, "apart");
    const std::vector<int> joint = read_units(network, "joint");
    const std::size_t each = set.modalities.size();
    std::vector<std::vector<int>> apart;
    // With other features another number of them would be right.
    if (features && units.size() % each != 0)
        network.refuse("apart", fmt::format("has {} numbers, expected {} for each layer: {}", units.size(),
                                            each, names_of(set.modalities)));
    else
        for (std::size_t i = 0; i + each <= units.size(); i += each)
            apart.emplace_back(units.begin() + static_cast<std::ptrdiff_t>(i),
                               units.begin() + static_cast<std::ptrdiff_t>(i + each));
    const nets::DenseShape shape = nets::dense_shape(set, apart, joint);
    if (auto status = nets::check_shape(shape); !status)
        network.refuse(joint.empty() ? "apart" : "joint", "is wrong: " + status.error().message);
    return shape;
}

DenseLoss read_loss(DenseSection& target) {
    const std::string name = target.choice("loss", "cross-entropy", {"cross-entropy", "l1", "l2"});
    if (name == "l1") return DenseLoss::L1;
    return name == "l2" ? DenseLoss::L2 : DenseLoss::CrossEntropy;
}

}  // namespace

void DenseRecipe::read(base::StrictToml& file, Schedule& schedule) {
    file.section("network", [&](DenseSection& keys) {
        read_torch_network_keys(keys, plan);
        shape = read_dense_shape(keys);
    });
    file.section("target", [&](DenseSection& keys) {
        result_weight = keys.real("result_weight", 1, 0, 1);
        fit_evaluations = keys.flag("fit_evaluations", true);
        loss = read_loss(keys);
    });
    file.section("optimiser", [&](DenseSection& keys) { read_torch_optimiser_keys(keys, plan, schedule); });
}

void DenseRecipe::read_export(base::StrictToml& file) {
    file.section("export", [&](DenseSection& keys) {
        largest_difference = keys.real("largest_difference", largest_difference, 0, 1e6);
    });
}

std::unique_ptr<Task> DenseRecipe::make_task(const Recipe& recipe, Device device) const {
    return make_dense_task(recipe, *this, device);
}

}  // namespace scholar::learning
