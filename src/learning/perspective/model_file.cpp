#include "learning/perspective/model_file.hpp"

#include <algorithm>
#include <cmath>

#include "learning/run/checkpoint_values.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

namespace {

using nets::TensorFile;

// Calls `each` with the name and the array of everything that a checkpoint keeps; stops at the first error.
template <class State, class Each>
base::Status for_each_array(State& state, Each each) {
    base::Status status;
    const auto parameter = [&](const std::string& name, auto& weights, auto& moments) {
        if (status) status = each(name, weights);
        if (status) status = each(name + ".first_moment", moments.first);
        if (status) status = each(name + ".second_moment", moments.second);
    };
    for (auto& factor : state.factors)
        parameter(fmt::format("factor.{}", to_string(factor.kind)), factor.rows, factor.moments);
    for_each_parameter(state, [&](const std::string& name, const auto&, auto& weights, auto& moments) {
        parameter(name, weights, moments);
    });
    return status;
}

}  // namespace

base::Status check_finite(const ModelState& model) {
    const auto check = [&](const std::string& name, std::span<const float> values) -> base::Status {
        if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return {};
        return base::fail(
            "step {}: {} holds values that are not finite numbers, expected none: no checkpoint was written",
            model.steps, name);
    };
    return for_each_array(model, check);
}

void put_model(TensorFile& file, const ModelState& model) {
    (void)for_each_array(model,
                         [&](const std::string& name, const std::vector<float>& values) -> base::Status {
                             put_floats(file, name, values);
                             return {};
                         });
    put_architecture(file, model.network.info.architecture);
    file.metadata["factorised"] = model.factors.empty() ? "no" : "yes";
    file.metadata["step"] = fmt::format("{}", model.steps);
    for (const auto& [key, value] : model.network.info.history) file.metadata["history." + key] = value;
}

base::Result<ModelState> take_model(const TensorFile& file) {
    const auto architecture = nets::take_architecture(file);
    if (!architecture) return std::unexpected(architecture.error());
    const auto factorised = file.meta("factorised");
    if (!factorised) return std::unexpected(factorised.error());
    const auto step = take_number(file, "step");
    if (!step) return std::unexpected(step.error());
    // What it holds is overwritten, each array by one of its size.
    ModelState model = ModelState::begin(nets::FloatNetwork::random(*architecture, 0), *factorised == "yes");
    model.steps = *step;
    for (const auto& [key, value] : file.metadata)
        if (key.starts_with("history.")) model.network.info.history[key.substr(8)] = value;
    const auto status = for_each_array(model, [&](const std::string& name, std::vector<float>& values) {
        return take_floats(file, name, values.size(), values);
    });
    if (!status) return std::unexpected(status.error());
    return model;
}

}  // namespace scholar::learning
