#include "learning/dense/dense_recipe.hpp"

#include "base/strict_toml.hpp"
#include "learning/dense/dense_shape_keys.hpp"
#include "learning/dense/dense_task.hpp"
#include "learning/targets/target_keys.hpp"

namespace scholar::learning {

namespace {

using DenseSection = base::StrictToml::Section;

DenseLoss read_loss(DenseSection& target) {
    const std::string name = target.choice("loss", "cross-entropy", {"cross-entropy", "l1", "l2"});
    if (name == "l1") return DenseLoss::L1;
    return name == "l2" ? DenseLoss::L2 : DenseLoss::CrossEntropy;
}

}  // namespace

void DenseRecipe::read(base::StrictToml& file, Schedule& schedule) {
    file.section("network", [&](DenseSection& keys) {
        read_torch_network_keys(keys, plan);
        shape = read_dense_shape(keys, nullptr, nets::DenseOutput::Tanh);
    });
    file.section("target", [&](DenseSection& keys) {
        target = read_target_keys(keys);
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
