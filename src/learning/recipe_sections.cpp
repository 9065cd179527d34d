#include "learning/recipe_sections.hpp"

#include <algorithm>

#include "nets/feature_set.hpp"

namespace scholar::learning {

using Section = base::StrictToml::Section;

NetworkKeys read_network_keys(Section& network, std::optional<std::int64_t> width) {
    NetworkKeys keys;
    keys.feature_set = network.text("feature_set", std::string(nets::Features768::kName));
    if (const auto known = nets::find_feature_set(keys.feature_set); !known)
        network.refuse("feature_set", "is wrong: " + known.error().message);
    keys.width = static_cast<int>(
        network.integer("width", width, nets::Network::kWidthMultiple, nets::Network::kMaxWidth));
    if (keys.width % nets::Network::kWidthMultiple != 0)
        network.refuse("width", fmt::format("is {}, expected a multiple of {}", keys.width,
                                            nets::Network::kWidthMultiple));
    keys.factorise = network.flag("factorise", true);
    // "" is not a value that a recipe can write, so that absent and empty are not two things.
    keys.initial = network.text("initial", "");
    return keys;
}

AdamOptions read_adam_keys(Section& optimiser) {
    AdamOptions adam;
    const std::string kind = optimiser.choice("kind", "adam", {"adam", "adamw"});
    adam.kind = kind == "adam" ? OptimiserKind::Adam : OptimiserKind::AdamW;
    adam.beta1 = optimiser.real("beta1", 0.9, 0, 0.999999);
    adam.beta2 = optimiser.real("beta2", 0.999, 0, 0.99999999);
    adam.epsilon = optimiser.real("epsilon", 1e-8, 1e-16, 1);
    adam.weight_decay = optimiser.real("weight_decay", 0, 0, 10);
    return adam;
}

WeightClip read_clip_keys(Section& optimiser, int width) {
    const double bound = output_bound(std::max(width, 1));
    WeightClip clip;
    clip.transformer =
        static_cast<float>(optimiser.real("clip_transformer", 3.75, 0.01, transformer_bound()));
    clip.output = static_cast<float>(optimiser.real("clip_output", std::min(6.0, bound), 0.01, bound));
    return clip;
}

}  // namespace scholar::learning
