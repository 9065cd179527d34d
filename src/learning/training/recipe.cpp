#include "learning/training/recipe.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strict_toml.hpp"
#include "games/sampler_section.hpp"
#include "learning/training/task_table.hpp"

namespace scholar::learning {

namespace {

using base::StrictToml;
using Section = StrictToml::Section;

constexpr std::int64_t kMany = std::int64_t{1} << 40;

void read_schedule(Section& schedule, Recipe& recipe) {
    const std::string kind = schedule.choice("kind", "cosine", schedule_names());
    recipe.schedule.kind = schedule_kind(kind);
    recipe.schedule.warmup = static_cast<std::uint64_t>(schedule.integer("warmup", 0, 0, kMany));
    recipe.schedule.final_learning_rate = schedule.real("final_learning_rate", 0, 0, 10);
    recipe.schedule.every = static_cast<std::uint64_t>(schedule.integer("every", 1'000, 1, kMany));
    recipe.schedule.factor = schedule.real("factor", 0.5, 1e-6, 1);
    if (recipe.schedule.kind == ScheduleKind::Cooldown)
        recipe.schedule.cooldown = schedule.real("cooldown", 0.25, 0, 1);
    else if (schedule.has("cooldown")) {
        schedule.pass_over("cooldown");
        schedule.refuse("cooldown", fmt::format("stands beside kind '{}', expected kind 'cooldown'", kind));
    }
}

void read_run(Section& run, Recipe& recipe) {
    recipe.seed =
        static_cast<std::uint64_t>(run.integer("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
    recipe.batch = static_cast<std::size_t>(run.integer("batch", 16'384, 1, 1 << 22));
    if (run.has("steps") && run.has("positions"))
        run.refuse("positions", "stands beside 'steps', expected one of them");
    if (run.has("positions")) {
        const auto positions = static_cast<std::uint64_t>(run.integer("positions", std::nullopt, 1, kMany));
        recipe.schedule.steps = steps_of(positions, recipe.batch);
        run.integer("steps", 0, 1, kMany);
    } else {
        recipe.schedule.steps = static_cast<std::uint64_t>(run.integer("steps", std::nullopt, 1, kMany));
        run.integer("positions", 0, 1, kMany);
    }
    recipe.validate_every = static_cast<std::uint64_t>(run.integer("validate_every", 1'000, 1, kMany));
    recipe.checkpoint_every = static_cast<std::uint64_t>(run.integer("checkpoint_every", 1'000, 1, kMany));
    recipe.validation_positions =
        static_cast<std::size_t>(run.integer("validation_positions", 200'000, 100, 10'000'000));
    recipe.threads = static_cast<int>(run.integer("threads", 0, 0, 1'024));
    recipe.output = run.text("output", std::nullopt);
}

}  // namespace

base::Result<Recipe> parse_recipe(std::string_view text, const std::string& name) {
    auto file = StrictToml::parse(text, name);
    if (!file) return std::unexpected(file.error());
    const auto kind = file->choose("network", "kind", task_kinds().front().name, task_kind_names());
    if (!kind) return std::unexpected(kind.error());
    std::shared_ptr<TaskRecipe> task = std::ranges::find(task_kinds(), *kind, &TaskKind::name)->make_recipe();
    Recipe recipe;
    recipe.name = std::filesystem::path(name).stem().string();
    recipe.text_hash = base::hash_text(text);
    const auto read = [&](const char* section, void (*reader)(Section&, Recipe&)) {
        file->section(section, [&](Section& keys) { reader(keys, recipe); });
    };
    read("data", [](Section& keys, Recipe& into) { games::read_data_section(keys, into.data); });
    read("sampler", [](Section& keys, Recipe& into) { games::read_sampler_section(keys, into.data); });
    task->read(*file, recipe.schedule);
    read("schedule", read_schedule);
    read("run", read_run);
    task->read_export(*file);
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    recipe.settings = file->settings();
    recipe.data.sampling.bare_positions = !task->needs_moves();
    recipe.task = std::move(task);
    return recipe;
}

base::Result<Recipe> load_recipe(const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    return parse_recipe(*text, path.string());
}

std::uint64_t steps_of(std::uint64_t positions, std::size_t batch) {
    return (positions + batch - 1) / batch;
}

std::uint64_t Recipe::hash() const {
    std::string all;
    for (const auto& [key, value] : settings) all += fmt::format("{}={}\n", key, value);
    return base::hash_text(all);
}

games::Sampler::Options Recipe::sampling(games::Split split, std::uint64_t with_seed) const {
    games::Sampler::Options options;
    options.stores = data.stores;
    options.sampling = data.sampling;
    options.sampling.split = split;
    options.seed = with_seed;
    options.shuffle_buffer = data.shuffle_buffer;
    return options;
}

}  // namespace scholar::learning
