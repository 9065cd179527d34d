#include "learning/optimise/optimiser_keys.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace scholar::learning {

namespace {

using OptimiserSection = base::StrictToml::Section;

// Nearer to 1, what a float leaves of 1 − x is no longer what the corrections of the first steps divide by.
constexpr double kNearestToOne = 0.99999;

struct KindOfOptimiser {
    const char* name;
    std::vector<const char*> keys;
    OptimiserOptions (*read)(OptimiserSection&);
};

double read_decay(OptimiserSection& keys) {
    return keys.real("weight_decay", 0, 0, 10);
}

double read_momentum(OptimiserSection& keys, double usual) {
    return keys.real("momentum", usual, 0, kNearestToOne);
}

AdamOptions read_adam(OptimiserSection& keys, AdamKind kind) {
    AdamOptions adam{.kind = kind};
    adam.beta1 = keys.real("beta1", adam.beta1, 0, kNearestToOne);
    adam.beta2 = keys.real("beta2", adam.beta2, 0, kNearestToOne);
    adam.epsilon = keys.real("epsilon", adam.epsilon, 1e-16, 1);
    adam.weight_decay = read_decay(keys);
    return adam;
}

const std::array<KindOfOptimiser, 8>& kinds() {
    static const std::array<KindOfOptimiser, 8> all{{
        {"sgd",
         {"weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions { return SgdOptions{read_decay(keys)}; }},
        {"momentum",
         {"momentum", "weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions {
             MomentumOptions options;
             options.momentum = read_momentum(keys, options.momentum);
             options.weight_decay = read_decay(keys);
             return options;
         }},
        {"nesterov",
         {"momentum", "weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions {
             NesterovOptions options;
             options.momentum = read_momentum(keys, options.momentum);
             options.weight_decay = read_decay(keys);
             return options;
         }},
        {"adagrad",
         {"epsilon", "weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions {
             AdaGradOptions options;
             options.epsilon = keys.real("epsilon", options.epsilon, 1e-16, 1);
             options.weight_decay = read_decay(keys);
             return options;
         }},
        {"adadelta",
         {"rho", "epsilon", "weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions {
             AdaDeltaOptions options;
             options.rho = keys.real("rho", options.rho, 0, kNearestToOne);
             options.epsilon = keys.real("epsilon", options.epsilon, 1e-16, 1);
             options.weight_decay = read_decay(keys);
             return options;
         }},
        {"rmsprop",
         {"decay", "epsilon", "momentum", "weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions {
             RmsPropOptions options;
             options.decay = keys.real("decay", options.decay, 0, kNearestToOne);
             options.epsilon = keys.real("epsilon", options.epsilon, 1e-16, 1);
             options.momentum = read_momentum(keys, options.momentum);
             options.weight_decay = read_decay(keys);
             return options;
         }},
        {"adam",
         {"beta1", "beta2", "epsilon", "weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions { return read_adam(keys, AdamKind::Adam); }},
        {"adamw",
         {"beta1", "beta2", "epsilon", "weight_decay"},
         [](OptimiserSection& keys) -> OptimiserOptions { return read_adam(keys, AdamKind::AdamW); }},
    }};
    return all;
}

bool has_key(const KindOfOptimiser& kind, const char* key) {
    return std::ranges::find(kind.keys, std::string_view(key)) != kind.keys.end();
}

}  // namespace

std::string_view kind_of(const OptimiserOptions& options) {
    constexpr std::array<std::string_view, 6> names{"sgd",     "momentum", "nesterov",
                                                    "adagrad", "adadelta", "rmsprop"};
    if (const auto* adam = std::get_if<AdamOptions>(&options))
        return adam->kind == AdamKind::Adam ? "adam" : "adamw";
    return names.at(options.index());
}

OptimiserOptions read_optimiser_keys(OptimiserSection& optimiser) {
    std::vector<std::string> names;
    for (const KindOfOptimiser& kind : kinds()) names.emplace_back(kind.name);
    const std::string name = optimiser.choice("kind", "adam", names);
    const KindOfOptimiser& kind = *std::ranges::find(kinds(), name, &KindOfOptimiser::name);
    // The same key of several kinds is refused once.
    std::vector<std::string_view> refused;
    for (const KindOfOptimiser& other : kinds())
        for (const char* key : other.keys)
            if (!has_key(kind, key) && optimiser.has(key) &&
                std::ranges::find(refused, std::string_view(key)) == refused.end()) {
                refused.emplace_back(key);
                optimiser.refuse(key, fmt::format("is no key of kind \"{}\", whose keys are {}", kind.name,
                                                  fmt::join(kind.keys, ", ")));
            }
    return kind.read(optimiser);
}

AdamOptions read_adam_keys(OptimiserSection& optimiser) {
    const bool apart = optimiser.choice("kind", "adam", {"adam", "adamw"}) == "adamw";
    return read_adam(optimiser, apart ? AdamKind::AdamW : AdamKind::Adam);
}

}  // namespace scholar::learning
