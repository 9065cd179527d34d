#include "learning/learn_recipe.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/strict_toml.hpp"
#include "games/parameters.hpp"
#include "learning/recipe_sections.hpp"

// The assembler puts the file into read-only data as it is.
__asm__(
    ".section .rodata\n"
    ".global scholar_learn_recipe_begin\n"
    ".global scholar_learn_recipe_end\n"
    "scholar_learn_recipe_begin:\n"
    ".incbin \"" SCHOLAR_LEARN_RECIPE
    "\"\n"
    "scholar_learn_recipe_end:\n"
    ".previous\n");

extern "C" {
extern const char scholar_learn_recipe_begin[];
extern const char scholar_learn_recipe_end[];
}

namespace scholar::learning {

namespace {

using Section = base::StrictToml::Section;

constexpr std::tuple kStageParameters{
    games::Number{"from", &LearnStage::from, 0U, 1'000'000'000'000U},
    games::Number{"nodes", &LearnStage::nodes, 1U, 1'000'000'000U},
    games::Number{"window", &LearnStage::window, 1'000U, 200'000'000U},
    games::Number{"games", &LearnStage::games, 1U, 10'000'000U},
    games::Number{"learning_rate", &LearnStage::learning_rate, 1e-9, 10.0},
    games::Number{"result_weight", &LearnStage::result_weight, 0.0, 1.0},
    games::Number{"lambda", &LearnStage::lambda, 0.0, 1.0},
};

void read_network(Section& network, LearnRecipe& recipe) {
    NetworkKeys keys = read_network_keys(network, 64);
    recipe.feature_set = std::move(keys.feature_set);
    recipe.width = keys.width;
    recipe.factorise = keys.factorise;
    recipe.initial = std::move(keys.initial);
}

void read_play(Section& play, LearnRecipe& recipe) {
    selfplay::PlayPlan& plan = recipe.play;
    plan.least_random_moves = static_cast<int>(play.integer("least_random_moves", 4, 0, 100));
    plan.most_random_moves = static_cast<int>(play.integer("most_random_moves", 9, 0, 100));
    if (plan.most_random_moves < plan.least_random_moves)
        play.refuse("most_random_moves", fmt::format("is {}, expected at least least_random_moves, {}",
                                                     plan.most_random_moves, plan.least_random_moves));
    plan.random_move = play.real("random_move", 0, 0, 1);
    plan.most_moves = static_cast<int>(play.integer("most_moves", 400, 2, 10'000));
    plan.resign_score = static_cast<int>(play.integer("resign_score", 0, 0, 30'000));
    plan.resign_not = play.real("resign_not", 0.1, 0, 1);
    plan.table_megabytes = static_cast<std::size_t>(play.integer("table_megabytes", 1, 1, 65'536));
}

void read_lessons(Section& lessons, LearnRecipe& recipe) {
    recipe.lessons.where = lessons.choice("where", "leaf", {"leaf", "root"}) == "leaf"
                               ? LessonPlan::Where::Leaf
                               : LessonPlan::Where::Root;
    recipe.reuse = lessons.real("reuse", 4, 0, 1'000);
}

void read_optimiser(Section& optimiser, LearnRecipe& recipe) {
    recipe.adam = read_adam_keys(optimiser);
    recipe.clip = read_clip_keys(optimiser, recipe.width);
    recipe.averaging = optimiser.real("averaging", 0, 0, 0.999999);
    recipe.batch = static_cast<std::size_t>(optimiser.integer("batch", 4'096, 1, 1 << 22));
}

void read_stages(Section& section, LearnRecipe& recipe) {
    const std::vector<std::string> texts = section.texts("stages", std::nullopt);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        LearnStage stage = recipe.stages.empty() ? LearnStage{} : recipe.stages.back();
        const auto given = games::split_parameters(texts[i]);
        const auto status = !given ? base::Status(std::unexpected(given.error()))
                            : given->name != "stage"
                                ? base::Status(base::fail("'{}', expected {}", given->name,
                                                          games::show_parameters("stage", kStageParameters)))
                                : games::read_parameters(stage, *given, kStageParameters);
        if (!status) {
            section.refuse("stages", "is wrong: " + status.error().message, i);
            return;
        }
        const bool first = recipe.stages.empty();
        if (first ? stage.from != 0 : stage.from <= recipe.stages.back().from)
            section.refuse("stages",
                           fmt::format("is wrong: from is {}, expected {}", stage.from,
                                       first ? "0 in the first" : "more than in the one before"),
                           i);
        if (first && (stage.window == 0 || stage.games == 0 || stage.learning_rate == 0))
            section.refuse("stages", "is wrong: the first must say window, games and learning_rate", i);
        recipe.stages.push_back(stage);
    }
}

}  // namespace

const LearnStage& LearnRecipe::stage_at(std::uint64_t taken_in) const {
    const auto after = std::ranges::upper_bound(stages, taken_in, {}, &LearnStage::from);
    return *std::prev(after);
}

base::Result<LearnRecipe> parse_learn_recipe(std::string_view text, const std::string& name) {
    auto file = base::StrictToml::parse(text, name);
    if (!file) return std::unexpected(file.error());
    LearnRecipe recipe;
    recipe.name = std::filesystem::path(name).stem().string();
    const auto read = [&](const char* section, void (*reader)(Section&, LearnRecipe&)) {
        file->section(section, [&](Section& keys) { reader(keys, recipe); });
    };
    read("network", read_network);
    read("play", read_play);
    read("lessons", read_lessons);
    read("optimiser", read_optimiser);
    read("course", read_stages);
    read("rating", [](Section& rating, LearnRecipe& into) {
        into.rating_pairs = static_cast<int>(rating.integer("pairs", 25, 0, 100'000));
    });
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    recipe.settings = file->settings();
    return recipe;
}

std::string_view default_learn_recipe() {
    return {scholar_learn_recipe_begin,
            static_cast<std::size_t>(scholar_learn_recipe_end - scholar_learn_recipe_begin)};
}

base::Result<LearnRecipe> load_learn_recipe(const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    return parse_learn_recipe(*text, path.string());
}

}  // namespace scholar::learning
