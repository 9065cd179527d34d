#include "learning/perspective/perspective_keys.hpp"

#include <algorithm>

#include "nets/perspective/feature_set.hpp"

namespace scholar::learning {

using Section = base::StrictToml::Section;

void read_first_layer_keys(Section& network, nets::Architecture& architecture) {
    using nets::Architecture;
    const auto features =
        nets::find_feature_set(network.text("feature_set", std::string(architecture.features->name)));
    if (features)
        architecture.features = *features;
    else
        network.refuse("feature_set", "is wrong: " + features.error().message);
    architecture.width = static_cast<int>(
        network.integer("width", std::nullopt, Architecture::kWidthMultiple, Architecture::kMaxWidth));
    const auto activation = nets::find_activation(network.text("activation", "squared"));
    if (activation)
        architecture.activation = *activation;
    else
        network.refuse("activation", "is wrong: " + activation.error().message);
    if (architecture.width % architecture.width_multiple() != 0)
        network.refuse("width",
                       fmt::format("is {}, expected {}", architecture.width, expected_widths(architecture)));
}

NetworkPlan read_network_keys(Section& network) {
    using nets::Architecture;
    NetworkPlan plan;
    Architecture& architecture = plan.architecture;
    read_first_layer_keys(network, architecture);
    architecture.output_buckets =
        static_cast<int>(network.integer("output_buckets", 1, 1, Architecture::kOutputBuckets.back()));
    if (std::ranges::count(Architecture::kOutputBuckets, architecture.output_buckets) == 0)
        network.refuse("output_buckets",
                       fmt::format("is {}, expected one of: {}", architecture.output_buckets,
                                   fmt::join(Architecture::kOutputBuckets, ", ")));
    const std::vector<std::int64_t> hidden = network.integers("hidden");
    // What is no int is refused, too.
    for (const std::int64_t units : hidden)
        architecture.hidden.push_back(
            static_cast<int>(std::clamp<std::int64_t>(units, 0, Architecture::kMaxHidden + 1)));
    if (auto status = nets::check_hidden(architecture.hidden); !status) {
        network.refuse("hidden", status.error().message);
        architecture.hidden.clear();
    }
    plan.factorise = network.flag("factorise", true);
    // "" is not a value that a recipe can write, so that absent and empty are not two things.
    plan.initial = network.text("initial", "");
    return plan;
}

WeightClip read_clip_keys(Section& optimiser, const nets::Architecture& architecture,
                          const nets::Architecture& grown) {
    const double bound = output_bound(architecture);
    WeightClip clip;
    clip.transformer =
        static_cast<float>(optimiser.real("clip_transformer", 3.75, 0.01, transformer_bound()));
    // What is usual is not said to depend on the width, so that a course may still be made wider later.
    clip.output = static_cast<float>(optimiser.real("clip_output", 6, 0.01, bound));
    // Where hidden layers come later the usual clip is not noted: a course may still get such a stage.
    if (!architecture.hidden.empty() || (!grown.hidden.empty() && optimiser.has("clip_hidden")))
        clip.hidden =
            static_cast<float>(optimiser.real("clip_hidden", clip.hidden, 0.01, hidden_bound(grown)));
    return within_bounds(clip, architecture);
}

}  // namespace scholar::learning
