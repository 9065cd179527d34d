#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "games/recipe_sampling.hpp"
#include "learning/optimise/schedule.hpp"
#include "learning/run/device.hpp"
#include "learning/run/run_settings.hpp"

namespace scholar::base {
class StrictToml;
}

namespace scholar::learning {

class Task;
struct Recipe;

// What a task reads of a recipe: [network], [target], [optimiser] and [export], each with keys of its own.
class TaskRecipe {
  public:
    virtual ~TaskRecipe() = default;
    // All but [export]; in [optimiser] stands the learning rate, which goes into the schedule. [network] has
    // `kind`, which must be asked for or passed over. Errors are those of `file`.
    virtual void read(base::StrictToml& file, Schedule& schedule) = 0;
    virtual void read_export(base::StrictToml& /*file*/) {}
    // Whether a sample must say which move was played.
    virtual bool needs_moves() const { return true; }
    // The task of a run of the recipe that this is part of, which must outlive it.
    virtual std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const = 0;
};

// One training run, as its TOML file describes it; docs/training.md says what each key means. Relative paths
// are relative to the current folder.
struct Recipe {
    std::string name;             // of the file, without folder and extension
    std::uint64_t text_hash = 0;  // of the whole file
    // Every setting, defaults included, as ("section.key", value): what a checkpoint must agree with.
    RunSettings settings;

    // [data] and [sampler]; split: Train
    games::RecipeSampling data;

    std::shared_ptr<const TaskRecipe> task;

    Schedule schedule;  // [schedule]

    // [run]
    std::uint64_t seed = 1;
    std::size_t batch = 0;               // samples
    std::uint64_t validate_every = 0;    // steps
    std::uint64_t checkpoint_every = 0;  // steps
    std::size_t validation_positions = 0;
    int threads = 0;  // 0: one a core
    std::filesystem::path output;

    std::uint64_t positions() const { return schedule.steps * batch; }
    // Of the settings: two recipes that differ in comments only have the same.
    std::uint64_t hash() const;
    // Of samples for training, or of the held-out ones, in the order of this seed.
    games::Sampler::Options sampling(games::Split split, std::uint64_t with_seed) const;
};

// How many batches have so many positions or just more.
std::uint64_t steps_of(std::uint64_t positions, std::size_t batch);

base::Result<Recipe> load_recipe(const std::filesystem::path& path);
// `name` stands before errors.
base::Result<Recipe> parse_recipe(std::string_view text, const std::string& name);

}  // namespace scholar::learning
