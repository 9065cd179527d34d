#include "learning/selfplay_loop/learn_recipe.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/strict_toml.hpp"
#include "games/parameters.hpp"
#include "games/sample_text.hpp"
#include "learning/optimise/optimiser_keys.hpp"
#include "learning/perspective/growth.hpp"
#include "learning/perspective/perspective_keys.hpp"

namespace scholar::learning {

namespace {

using Section = base::StrictToml::Section;

// What a recipe does not say is as in the built-in one: these keys have no default but what that says.
constexpr std::nullopt_t kBuiltIn = std::nullopt;

// A parameter of a stage as games::Number is one.
struct FeatureSetName {
    std::string_view name;
    static constexpr bool required = false;

    std::string expected() const { return "one of: " + nets::feature_set_names(); }
    bool read(LearnStage& into, std::string_view text) const {
        const auto found = nets::find_feature_set(text);
        if (found) into.features = *found;
        return found.has_value();
    }
};

constexpr std::tuple kStageParameters{
    games::Number{"from", &LearnStage::from, 0U, 1'000'000'000'000U},
    games::Number{"nodes", &LearnStage::nodes, 1U, 1'000'000'000U},
    games::Number{"window", &LearnStage::window, 1'000U, 200'000'000U},
    games::Number{"games", &LearnStage::games, 1U, 10'000'000U},
    games::Number{"learning_rate", &LearnStage::learning_rate, 1e-9, 10.0},
    games::Number{"result_weight", &LearnStage::result_weight, 0.0, 1.0},
    games::Number{"lambda", &LearnStage::lambda, 0.0, 1.0},
    games::Number{"reuse", &LearnStage::reuse, 0.001, 1'000.0},
    games::Number{"width", &LearnStage::width, 1, nets::Architecture::kMaxWidth},
    FeatureSetName{"feature_set"},
};

void read_play(Section& play, LearnRecipe& recipe) {
    selfplay::PlayPlan& plan = recipe.play;
    plan.least_random_moves = static_cast<int>(play.integer("least_random_moves", kBuiltIn, 0, 100));
    plan.most_random_moves = static_cast<int>(play.integer("most_random_moves", kBuiltIn, 0, 100));
    if (plan.most_random_moves < plan.least_random_moves)
        play.refuse("most_random_moves", fmt::format("is {}, expected at least least_random_moves, {}",
                                                     plan.most_random_moves, plan.least_random_moves));
    plan.own_start = play.real("own_start", kBuiltIn, 0, 1);
    plan.own_start_moves = static_cast<int>(play.integer("own_start_moves", 2, 0, 100));
    plan.unbalanced = play.real("unbalanced", kBuiltIn, 0, 1);
    plan.random_move = play.real("random_move", 0, 0, 1);
    plan.most_moves = static_cast<int>(play.integer("most_moves", kBuiltIn, 2, 10'000));
    plan.resign_score = static_cast<int>(play.integer("resign_score", kBuiltIn, 0, 30'000));
    plan.resign_not = play.real("resign_not", kBuiltIn, 0, 1);
    plan.table_megabytes = static_cast<std::size_t>(play.integer("table_megabytes", 1, 1, 65'536));
    recipe.keep_games = play.flag("keep_games", false);
}

void read_lessons(Section& lessons, LearnRecipe& recipe) {
    recipe.lessons.where = lessons.choice("where", kBuiltIn, {"leaf", "root"}) == "leaf"
                               ? LessonPlan::Where::Leaf
                               : LessonPlan::Where::Root;
}

void read_optimiser(Section& optimiser, LearnRecipe& recipe) {
    recipe.adam = read_adam_keys(optimiser);
    recipe.clip = read_clip_keys(optimiser, recipe.network.architecture);
    recipe.averaging = optimiser.real("averaging", kBuiltIn, 0, 0.999999);
    recipe.batch = static_cast<std::size_t>(optimiser.integer("batch", kBuiltIn, 1, 1 << 22));
    for (const LearnStage& stage : recipe.stages)
        if (stage.window < recipe.batch) {
            optimiser.refuse("batch", fmt::format("is {}, expected at most the smallest window, {}",
                                                  recipe.batch, stage.window));
            break;
        }
}

// What the first stage of a course need not say: as in the first of the built-in one.
LearnStage first_of_the_built_in() {
    LearnStage stage;
    if (auto file = base::StrictToml::parse(default_learn_recipe(), "learn.toml"))
        file->section("course", [&stage](Section& course) {
            for (const std::string& text : course.texts("stages", kBuiltIn)) {
                const auto given = games::split_parameters(text);
                if (given && !games::read_parameters(stage, *given, kStageParameters)) stage = {};
                break;
            }
        });
    return stage;
}

// Nothing if one is wrong: the reading has then been refused.
void read_stages(Section& section, LearnRecipe& recipe) {
    const std::vector<std::string> texts = section.texts("stages", kBuiltIn);
    recipe.head_start =
        static_cast<std::uint64_t>(section.integer("head_start", kBuiltIn, 0, std::int64_t{1} << 40));
    // Where it comes in a course of somebody's own, nobody else can know.
    if (section.has("stages") && !section.has("head_start")) {
        recipe.head_start = 0;
        section.renote("head_start", "0");
    }
    recipe.fill = section.real("fill", kBuiltIn, 0, 1);
    std::vector<LearnStage> stages;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool first = stages.empty();
        LearnStage before = first ? first_of_the_built_in() : stages.back();
        if (first) {
            before.width = recipe.network.architecture.width;
            before.features = recipe.network.architecture.features;
        }
        LearnStage stage = before;
        const auto given = games::split_parameters(texts[i]);
        const auto status = !given ? base::Status(std::unexpected(given.error()))
                            : given->name != "stage"
                                ? base::Status(base::fail("'{}', expected {}", given->name,
                                                          games::show_parameters("stage", kStageParameters)))
                                : games::read_parameters(stage, *given, kStageParameters);
        std::string wrong;
        if (!status)
            wrong = status.error().message;
        else if (first ? stage.from != 0 : stage.from <= before.from)
            wrong = fmt::format("from is {}, expected {}", stage.from,
                                first ? "0 in the first" : "more than in the one before");
        else if (stage.width < before.width ||
                 stage.width % recipe.network.architecture.width_multiple() != 0)
            wrong = fmt::format("width is {}, expected {} from {} on", stage.width,
                                nets::expected_widths(recipe.network.architecture), before.width);
        else if (!coarser_features(*before.features, *stage.features))
            wrong = fmt::format("feature_set is {}, expected {} or a finer one", stage.features->name,
                                before.features->name);
        if (!wrong.empty()) {
            if (!section.has("stages")) wrong += " (the recipe has no stages of its own: these are built in)";
            section.refuse("stages", "is wrong: " + wrong, i);
            return;
        }
        stages.push_back(stage);
    }
    recipe.stages = std::move(stages);
}

void read_games(Section& keys, LearnRecipe& recipe) {
    LearnRecipe::Games& games = recipe.games;
    games.stages =
        keys.texts("stages", std::vector<std::string>{"ply min=10 max=200", "not_in_check", "quiet_move"});
    for (std::size_t i = 0; i < games.stages.size(); ++i)
        if (const auto stage = games::parse_stage(games.stages[i]); !stage)
            keys.refuse("stages", "is wrong: " + stage.error().message, i);
    games.result_weight = keys.real("result_weight", 0.5, 0, 1);
    games.passes = keys.real("passes", 6, 0.001, 1'000);
    games.learning_rate = keys.real("learning_rate", 0.001, 1e-9, 10);
    games.batch = static_cast<std::size_t>(keys.integer("batch", 4'096, 1, 1 << 22));
    games.validation_share = keys.real("validation_share", 0.02, 0.001, 0.5);
    games.test_share = keys.real("test_share", 0, 0, 0.4);
}

}  // namespace

const LearnStage& LearnRecipe::stage_at(std::uint64_t taken_in) const {
    const auto after = std::ranges::upper_bound(stages, taken_in, {}, &LearnStage::from);
    return *std::prev(after);
}

nets::Architecture LearnRecipe::architecture_at(std::uint64_t taken_in) const {
    const LearnStage& stage = stage_at(taken_in);
    nets::Architecture architecture = network.architecture;
    architecture.width = stage.width;
    architecture.features = stage.features;
    return architecture;
}

base::Result<LearnRecipe> parse_learn_recipe(std::string_view text, const std::string& name) {
    auto file = base::StrictToml::parse(text, name);
    if (!file) return std::unexpected(file.error());
    const auto built_in = base::StrictToml::parse(default_learn_recipe(), "learn.toml");
    if (!built_in) return std::unexpected(built_in.error());
    file->fall_back_on(*built_in);
    LearnRecipe recipe;
    recipe.name = std::filesystem::path(name).stem().string();
    const auto read = [&](const char* section, void (*reader)(Section&, LearnRecipe&)) {
        file->section(section, [&](Section& keys) { reader(keys, recipe); });
    };
    read("network", [](Section& network, LearnRecipe& into) { into.network = read_network_keys(network); });
    read("play", read_play);
    read("lessons", read_lessons);
    read("course", read_stages);
    read("optimiser", read_optimiser);
    read("games", read_games);
    read("promotion", [](Section& promotion, LearnRecipe& into) {
        into.promotion.pairs = static_cast<int>(promotion.integer("pairs", 0, 0, 100'000));
        into.promotion.score = promotion.real("score", 0.5, 0, 1);
        into.promotion.every = static_cast<std::uint64_t>(promotion.integer("every", 1, 1, 1'000'000));
    });
    read("rating", [](Section& rating, LearnRecipe& into) {
        into.rating_pairs = static_cast<int>(rating.integer("pairs", kBuiltIn, 0, 100'000));
    });
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    recipe.settings = file->settings();
    recipe.text = text;
    return recipe;
}

base::Result<LearnRecipe> load_learn_recipe(const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    return parse_learn_recipe(*text, path.string());
}

RunSettings settled(RunSettings settings, std::uint64_t taken_in) {
    constexpr std::string_view kBetween = ", stage ";
    std::erase_if(settings, [](const auto& setting) {
        return setting.first == "play.keep_games" || setting.first == "course.fill";
    });
    for (auto& [key, value] : settings) {
        if (key != "course.stages") continue;
        // Each stage begins later than the one before.
        for (std::size_t end = value.find(kBetween); end != std::string::npos;
             end = value.find(kBetween, end + 1)) {
            const std::size_t next = value.find(kBetween, end + 1);
            const auto stage = games::split_parameters(
                std::string_view(value).substr(end + 2, next == std::string::npos ? next : next - end - 2));
            LearnStage begins;
            if (!stage || !games::read_parameters(begins, *stage, kStageParameters) ||
                begins.from <= taken_in)
                continue;
            value.resize(end);
            break;
        }
    }
    return settings;
}

}  // namespace scholar::learning
