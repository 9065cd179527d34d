#include "learning/model_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace scholar::learning {

namespace {

using nets::Dtype;
using nets::Tensor;
using nets::TensorFile;

// Calls `each` with the name and the array of everything that a checkpoint keeps; stops at the first error.
template <class State, class Each>
base::Status for_each_array(State& state, Each each) {
    const auto parameter = [&](const std::string& name, auto& weights, auto& moments) -> base::Status {
        if (auto s = each(name, weights); !s) return s;
        if (auto s = each(name + ".first_moment", moments.first); !s) return s;
        return each(name + ".second_moment", moments.second);
    };
    if (!state.factor.empty())
        if (auto s = parameter("transformer.factor", state.factor, state.factor_moments); !s) return s;
    if (auto s = parameter("transformer.weight", state.network.transformer, state.transformer); !s) return s;
    if (auto s = parameter("transformer.bias", state.network.transformer_bias, state.transformer_bias); !s)
        return s;
    return parameter("output.weight", state.network.output, state.output);
}

}  // namespace

void put_floats(TensorFile& file, const std::string& name, std::span<const float> values) {
    file.tensors[name] = Tensor::from<float>(Dtype::F32, {static_cast<std::int64_t>(values.size())}, values);
}

base::Status take_floats(const TensorFile& file, const std::string& name, std::size_t count,
                         std::vector<float>& out) {
    const auto tensor = file.tensor(name, Dtype::F32, {static_cast<std::int64_t>(count)});
    if (!tensor) return std::unexpected(tensor.error());
    const auto values = (*tensor)->as<float>();
    out.assign(values.begin(), values.end());
    return {};
}

base::Status expect_kind(const TensorFile& file, std::string_view kind, std::string_view version) {
    for (const auto& [key, expected] : {std::pair{"kind", kind}, {"version", version}}) {
        const auto value = file.meta(key);
        if (!value) return std::unexpected(value.error());
        if (*value != expected) return base::fail("{} '{}', expected '{}'", key, *value, expected);
    }
    return {};
}

base::Status check_finite(const ModelState& model) {
    const auto check = [&](const std::string& name, std::span<const float> values) -> base::Status {
        if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return {};
        return base::fail(
            "step {}: {} holds values that are not finite numbers, expected none: no checkpoint was written",
            model.steps, name);
    };
    if (auto s = for_each_array(model, check); !s) return s;
    if (auto s = check("output.bias", {&model.network.output_bias, 1}); !s) return s;
    if (auto s = check("output.bias.first_moment", model.output_bias.first); !s) return s;
    return check("output.bias.second_moment", model.output_bias.second);
}

void put_model(TensorFile& file, const ModelState& model) {
    (void)for_each_array(model,
                         [&](const std::string& name, const std::vector<float>& values) -> base::Status {
                             put_floats(file, name, values);
                             return {};
                         });
    const std::vector<float> bias{model.network.output_bias, model.output_bias.first.front(),
                                  model.output_bias.second.front()};
    put_floats(file, "output.bias", bias);
    const auto width = static_cast<std::size_t>(model.network.info.width);
    file.metadata["width"] = fmt::format("{}", width);
    file.metadata["features"] = fmt::format("{}", model.network.transformer.size() / width);
    file.metadata["factors"] = fmt::format("{}", model.factor.size() / width);
    file.metadata["step"] = fmt::format("{}", model.steps);
    for (const auto& [key, value] : model.network.info.history) file.metadata["history." + key] = value;
}

base::Result<ModelState> take_model(const TensorFile& file) {
    ModelState model;
    std::uint64_t width = 0;
    std::uint64_t features = 0;
    std::uint64_t factors = 0;
    for (const auto& [key, out] : {std::pair<const char*, std::uint64_t*>{"width", &width},
                                   {"features", &features},
                                   {"factors", &factors},
                                   {"step", &model.steps}}) {
        const auto value = take_number(file, key);
        if (!value) return std::unexpected(value.error());
        *out = *value;
    }
    if (width == 0 || width > static_cast<std::uint64_t>(nets::Network::kMaxWidth) || features == 0 ||
        features > 65'536 || factors > features)
        return base::fail(
            "width {}, features {} and factors {}, expected 1 to {}, 1 to 65536 and no more than features",
            width, features, factors, nets::Network::kMaxWidth);
    model.network.info.width = static_cast<int>(width);
    for (const auto& [key, value] : file.metadata)
        if (key.starts_with("history.")) model.network.info.history[key.substr(8)] = value;
    model.factor.resize(factors * width);
    const auto status = for_each_array(model, [&](const std::string& name, std::vector<float>& values) {
        const std::size_t count = name.starts_with("transformer.weight")   ? features * width
                                  : name.starts_with("transformer.factor") ? factors * width
                                  : name.starts_with("transformer.bias")   ? width
                                                                           : 2 * width;
        return take_floats(file, name, count, values);
    });
    if (!status) return std::unexpected(status.error());
    std::vector<float> bias;
    if (auto taken = take_floats(file, "output.bias", 3, bias); !taken) return std::unexpected(taken.error());
    model.network.output_bias = bias[0];
    model.output_bias.first = {bias[1]};
    model.output_bias.second = {bias[2]};
    return model;
}

base::Result<std::uint64_t> take_number(const TensorFile& file, const std::string& key) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size())
        return base::fail("{} '{}', expected a whole number", key, *text);
    return value;
}

}  // namespace scholar::learning
