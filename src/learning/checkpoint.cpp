#include "learning/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "nets/tensor_file.hpp"

namespace scholar::learning {

namespace {

namespace fs = std::filesystem;
using nets::Dtype;
using nets::Tensor;
using nets::TensorFile;

constexpr const char* kKind = "scholar checkpoint";
constexpr const char* kVersion = "1";

fs::path last_path(const fs::path& folder) {
    return folder / "checkpoint.safetensors";
}
fs::path previous_path(const fs::path& folder) {
    return folder / "checkpoint.previous.safetensors";
}

void put(TensorFile& file, const std::string& name, std::span<const float> values) {
    file.tensors[name] = Tensor::from<float>(Dtype::F32, {static_cast<std::int64_t>(values.size())}, values);
}

base::Status take(const TensorFile& file, const std::string& name, std::size_t count,
                  std::vector<float>& out) {
    const auto tensor = file.tensor(name, Dtype::F32, {static_cast<std::int64_t>(count)});
    if (!tensor) return std::unexpected(tensor.error());
    const auto values = (*tensor)->as<float>();
    out.assign(values.begin(), values.end());
    return {};
}

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

std::string settings_text(const Checkpoint& checkpoint) {
    return nlohmann::json(checkpoint.settings).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

base::Result<std::uint64_t> number(const TensorFile& file, const std::string& key) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size())
        return base::fail("{} '{}', expected a whole number", key, *text);
    return value;
}

TensorFile to_file(const Checkpoint& checkpoint) {
    TensorFile file;
    const ModelState& model = checkpoint.model;
    (void)for_each_array(model,
                         [&](const std::string& name, const std::vector<float>& values) -> base::Status {
                             put(file, name, values);
                             return {};
                         });
    const std::vector<float> bias{model.network.output_bias, model.output_bias.first.front(),
                                  model.output_bias.second.front()};
    put(file, "output.bias", bias);
    file.metadata = {{"kind", kKind},
                     {"version", kVersion},
                     {"width", fmt::format("{}", model.network.info.width)},
                     {"features", fmt::format("{}", model.network.transformer.size() /
                                                        static_cast<std::size_t>(model.network.info.width))},
                     {"factors", fmt::format("{}", model.factor.size() /
                                                       static_cast<std::size_t>(model.network.info.width))},
                     {"step", fmt::format("{}", model.steps)},
                     {"epoch", fmt::format("{}", checkpoint.place.epoch)},
                     {"consumed", fmt::format("{}", checkpoint.place.consumed)},
                     {"positions", fmt::format("{}", checkpoint.positions)},
                     {"clipped", fmt::format("{}", checkpoint.clipped)},
                     {"core_milliseconds", fmt::format("{:.0f}", 1000 * checkpoint.core_seconds)},
                     {"data_hash", fmt::format("{}", checkpoint.data_hash)},
                     {"settings", settings_text(checkpoint)}};
    for (const auto& [key, value] : model.network.info.history) file.metadata["history." + key] = value;
    return file;
}

base::Result<Checkpoint> from_file(const TensorFile& file) {
    for (const auto& [key, expected] : {std::pair{"kind", kKind}, {"version", kVersion}}) {
        const auto value = file.meta(key);
        if (!value) return std::unexpected(value.error());
        if (*value != expected) return base::fail("{} '{}', expected '{}'", key, *value, expected);
    }
    Checkpoint checkpoint;
    std::uint64_t width = 0;
    std::uint64_t features = 0;
    std::uint64_t factors = 0;
    std::uint64_t core_milliseconds = 0;
    for (const auto& [key, out] : {std::pair<const char*, std::uint64_t*>{"width", &width},
                                   {"features", &features},
                                   {"factors", &factors},
                                   {"step", &checkpoint.model.steps},
                                   {"epoch", &checkpoint.place.epoch},
                                   {"consumed", &checkpoint.place.consumed},
                                   {"positions", &checkpoint.positions},
                                   {"clipped", &checkpoint.clipped},
                                   {"core_milliseconds", &core_milliseconds},
                                   {"data_hash", &checkpoint.data_hash}}) {
        const auto value = number(file, key);
        if (!value) return std::unexpected(value.error());
        *out = *value;
    }
    checkpoint.core_seconds = static_cast<double>(core_milliseconds) / 1000;
    ModelState& model = checkpoint.model;
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
        return take(file, name, count, values);
    });
    if (!status) return std::unexpected(status.error());
    std::vector<float> bias;
    if (auto taken = take(file, "output.bias", 3, bias); !taken) return std::unexpected(taken.error());
    model.network.output_bias = bias[0];
    model.output_bias.first = {bias[1]};
    model.output_bias.second = {bias[2]};
    const auto settings = file.meta("settings");
    if (!settings) return std::unexpected(settings.error());
    try {
        checkpoint.settings = nlohmann::json::parse(*settings).get<decltype(checkpoint.settings)>();
    } catch (const nlohmann::json::exception&) {
        return base::fail("settings are not readable, expected a list of pairs");
    }
    return checkpoint;
}

base::Result<Checkpoint> load_one(const fs::path& path) {
    const auto file = nets::read_tensors(path);
    if (!file) return std::unexpected(file.error());
    auto checkpoint = from_file(*file);
    if (!checkpoint) return base::fail_in(path.string(), checkpoint.error());
    return checkpoint;
}

}  // namespace

base::Status save_checkpoint(const fs::path& folder, const Checkpoint& checkpoint) {
    if (auto status = check_finite(checkpoint.model); !status) return status;
    std::error_code error;
    if (fs::exists(last_path(folder), error)) {
        fs::rename(last_path(folder), previous_path(folder), error);
        if (error) return base::fail("{}: cannot rename: {}", last_path(folder).string(), error.message());
    }
    return nets::write_tensors(last_path(folder), to_file(checkpoint));
}

base::Result<std::optional<LoadedCheckpoint>> load_checkpoint(const fs::path& folder) {
    std::error_code ignored;
    const bool has_last = fs::exists(last_path(folder), ignored);
    const bool has_previous = fs::exists(previous_path(folder), ignored);
    if (!has_last && !has_previous) return std::nullopt;
    auto last = load_one(last_path(folder));
    if (last) return LoadedCheckpoint{std::move(*last), ""};
    auto previous = load_one(previous_path(folder));
    if (previous)
        return LoadedCheckpoint{std::move(*previous),
                                fmt::format("{}; going on from the checkpoint before, {}",
                                            last.error().message, previous_path(folder).filename().string())};
    if (!has_previous) return std::unexpected(last.error());
    return base::fail("{}; and the one before: {}", last.error().message, previous.error().message);
}

}  // namespace scholar::learning
