#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "games/recipe_sampling.hpp"
#include "learning/optimise/adam.hpp"
#include "learning/optimise/schedule.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/network_plan.hpp"
#include "learning/run/run_settings.hpp"

namespace scholar::learning {

// One training run, as its TOML file describes it; docs/training.md says what each key means. Relative paths
// are relative to the current folder.
struct Recipe {
    std::string name;             // of the file, without folder and extension
    std::uint64_t text_hash = 0;  // of the whole file
    // Every setting, defaults included, as ("section.key", value): what a checkpoint must agree with.
    RunSettings settings;

    // [data] and [sampler]; split: Train
    games::RecipeSampling data;

    NetworkPlan network;  // [network]

    // [target]
    double result_weight = 1;
    bool fit_evaluations = true;

    // [optimiser] and [schedule]
    AdamOptions adam;
    WeightClip clip;
    Schedule schedule;

    // [run]
    std::uint64_t seed = 1;
    std::size_t batch = 0;               // positions
    std::uint64_t validate_every = 0;    // steps
    std::uint64_t checkpoint_every = 0;  // steps
    std::size_t validation_positions = 0;
    int threads = 0;  // 0: one a core
    std::filesystem::path output;

    // [export]
    double largest_mean_difference = 0;  // between float and quantised network, in Score units
    double largest_difference = 0;

    std::uint64_t positions() const { return schedule.steps * batch; }
    // Of the settings: two recipes that differ in comments only have the same.
    std::uint64_t hash() const;
};

base::Result<Recipe> load_recipe(const std::filesystem::path& path);
// `name` stands before errors.
base::Result<Recipe> parse_recipe(std::string_view text, const std::string& name);

}  // namespace scholar::learning
