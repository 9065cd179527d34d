#include "learning/selfplay_loop/learn_recipe.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "base/files.hpp"
#include "base/strict_toml.hpp"
#include "base/text.hpp"
#include "games/parameters.hpp"
#include "games/sample_text.hpp"
#include "learning/optimise/optimiser_keys.hpp"
#include "learning/perspective/growth.hpp"
#include "learning/perspective/perspective_keys.hpp"
#include "learning/run/course.hpp"

namespace scholar::learning {

namespace {

using Section = base::StrictToml::Section;

// What a recipe does not say is as in the built-in one: these keys have no default but what that says.
constexpr std::nullopt_t kBuiltIn = std::nullopt;

// Parameters of a network as games::Number is one.
struct FeatureSetName {
    std::string_view name;
    static constexpr bool required = false;

    std::string expected() const { return "one of: " + nets::feature_set_names(); }
    bool read(nets::Architecture& into, std::string_view text) const {
        const auto found = nets::find_feature_set(text);
        if (found) into.features = *found;
        return found.has_value();
    }
};

struct HiddenUnits {
    std::string_view name;
    static constexpr bool required = false;

    std::string expected() const {
        return fmt::format("units of at most {} layers as in 16,32, each a multiple of {} up to {}",
                           nets::Architecture::kMaxHiddenLayers, nets::Architecture::kHiddenMultiple,
                           nets::Architecture::kMaxHidden);
    }
    bool read(nets::Architecture& into, std::string_view text) const {
        std::vector<int> hidden;
        for (const auto part : std::views::split(text, ',')) {
            const auto units = base::parse_number<int>(std::string_view(part));
            if (!units) return false;
            hidden.push_back(*units);
        }
        if (hidden.empty() || !nets::check_hidden(hidden)) return false;
        into.hidden = std::move(hidden);
        return true;
    }
};

template <class V>
constexpr auto of_play(std::string_view name, V selfplay::PlayPlan::* member, std::type_identity_t<V> low,
                       std::type_identity_t<V> high) {
    return games::Of(&LearnStage::play, games::Number{name, member, low, high});
}

template <class Parameter>
constexpr auto of_network(Parameter parameter) {
    return games::Of(&LearnStage::network, parameter);
}

constexpr int kMostScore = 30'000;
constexpr std::uint64_t kMostNodes = 1'000'000'000;

constexpr std::tuple kStageParameters{
    games::Number{"from", &LearnStage::from, 0U, 1'000'000'000'000U},
    of_play("nodes", &selfplay::PlayPlan::nodes, 1, kMostNodes),
    of_play("full_share", &selfplay::PlayPlan::full_share, 0.001, 1),
    of_play("quick_nodes", &selfplay::PlayPlan::quick_nodes, 1, kMostNodes),
    of_play("least_random_moves", &selfplay::PlayPlan::least_random_moves, 0, 100),
    of_play("most_random_moves", &selfplay::PlayPlan::most_random_moves, 0, 100),
    of_play("opening_score", &selfplay::PlayPlan::opening_score, 0, kMostScore),
    of_play("own_start", &selfplay::PlayPlan::own_start, 0, 1),
    of_play("unbalanced", &selfplay::PlayPlan::unbalanced, 0, 1),
    of_play("random_move", &selfplay::PlayPlan::random_move, 0, 1),
    of_play("resign_score", &selfplay::PlayPlan::resign_score, 0, kMostScore),
    of_play("resign_not", &selfplay::PlayPlan::resign_not, 0, 1),
    of_play("draw_score", &selfplay::PlayPlan::draw_score, 0, kMostScore),
    of_play("draw_after", &selfplay::PlayPlan::draw_after, 0, 10'000),
    games::Number{"window", &LearnStage::window, 1'000U, 200'000'000U},
    games::Number{"games", &LearnStage::games, 1U, 10'000'000U},
    games::Number{"learning_rate", &LearnStage::learning_rate, 1e-9, 10.0},
    games::Number{"learning_rate_to", &LearnStage::learning_rate_to, 1e-9, 10.0},
    games::Number{"result_weight", &LearnStage::result_weight, 0.0, 1.0},
    games::Number{"result_weight_to", &LearnStage::result_weight_to, 0.0, 1.0},
    games::Number{"lambda", &LearnStage::lambda, 0.0, 1.0},
    games::Number{"lambda_to", &LearnStage::lambda_to, 0.0, 1.0},
    games::Number{"own_weight", &LearnStage::own_weight, 0.0, 1.0},
    games::Number{"weight_decay", &LearnStage::weight_decay, 0.0, 10.0},
    games::Number{"reuse", &LearnStage::reuse, 0.001, 1'000.0},
    of_network(games::Number{"width", &nets::Architecture::width, 1, nets::Architecture::kMaxWidth}),
    of_network(FeatureSetName{"feature_set"}),
    of_network(HiddenUnits{"hidden"}),
    of_network(games::Number{"output_buckets", &nets::Architecture::output_buckets, 1,
                             nets::Architecture::kOutputBuckets.back()}),
};

selfplay::PlayPlan read_play(Section& play) {
    selfplay::PlayPlan plan;
    plan.least_random_moves = static_cast<int>(play.integer("least_random_moves", kBuiltIn, 0, 100));
    plan.most_random_moves = static_cast<int>(play.integer("most_random_moves", kBuiltIn, 0, 100));
    if (plan.most_random_moves < plan.least_random_moves)
        play.refuse("most_random_moves", fmt::format("is {}, expected at least least_random_moves, {}",
                                                     plan.most_random_moves, plan.least_random_moves));
    plan.most_random_moves = std::max(plan.least_random_moves, plan.most_random_moves);
    plan.own_start = play.real("own_start", kBuiltIn, 0, 1);
    plan.own_start_moves = static_cast<int>(play.integer("own_start_moves", 2, 0, 100));
    plan.unbalanced = play.real("unbalanced", kBuiltIn, 0, 1);
    plan.random_move = play.real("random_move", 0, 0, 1);
    plan.most_moves = static_cast<int>(play.integer("most_moves", kBuiltIn, 2, 10'000));
    plan.resign_score = static_cast<int>(play.integer("resign_score", kBuiltIn, 0, kMostScore));
    plan.resign_not = play.real("resign_not", kBuiltIn, 0, 1);
    plan.table_megabytes = static_cast<std::size_t>(play.integer("table_megabytes", 1, 1, 65'536));
    return plan;
}

void read_lessons(Section& lessons, LearnRecipe& recipe) {
    LessonPlan& plan = recipe.lessons;
    const std::string where = lessons.choice("where", kBuiltIn, {"leaf", "root", "tree"});
    plan.where = where == "leaf"   ? LessonPlan::Where::Leaf
                 : where == "tree" ? LessonPlan::Where::Tree
                                   : LessonPlan::Where::Root;
    const bool in_tree = plan.where == LessonPlan::Where::Tree;
    for (const char* key : {"least_depth", "most_nodes"})
        if (!in_tree && lessons.has(key))
            lessons.refuse(key, "stands beside another where than \"tree\", expected only one of them");
    if (in_tree) {
        selfplay::TreeStrapPlan& nodes = recipe.nodes.emplace();
        nodes.least_depth = static_cast<int>(lessons.integer("least_depth", nodes.least_depth, 1, 1'000));
        nodes.most_nodes = static_cast<std::size_t>(lessons.integer("most_nodes", 0, 0, 1'000'000));
    }
    if (in_tree && lessons.has("only_exact"))
        lessons.refuse("only_exact",
                       "stands beside where = \"tree\", which learns from bounds, expected only one "
                       "of them");
    // Noted only where it is given: runs that began when there was no such key go on.
    if (lessons.has("only_exact")) plan.only_exact = lessons.flag("only_exact", false);
}

void read_optimiser(Section& optimiser, LearnRecipe& recipe) {
    recipe.adam = read_adam_keys(optimiser);
    const nets::Architecture& begin = recipe.network.architecture;
    recipe.clip =
        read_clip_keys(optimiser, begin, recipe.stages.empty() ? begin : recipe.stages.back().network);
    for (const LearnStage& stage : recipe.stages) {
        if (stage.network.hidden.empty() || !begin.hidden.empty()) continue;
        if (auto fits = check_deepening(stage.network, recipe.clip); !fits)
            optimiser.refuse("clip_output", fits.error().message);
        break;
    }
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
                if (!games::read_named(stage, text, kStageName, kStageParameters)) stage = {};
                break;
            }
        });
    return stage;
}

// What is wrong with a stage behind another; empty: nothing.
std::string wrong_in(const LearnStage& stage, const LearnStage& before, bool first) {
    std::string wrong = wrong_beginning(stage.from, first ? std::nullopt : std::optional(before.from));
    if (!wrong.empty()) return wrong;
    if (stage.play.most_random_moves < stage.play.least_random_moves)
        return fmt::format("most_random_moves is {}, expected at least least_random_moves, {}",
                           stage.play.most_random_moves, stage.play.least_random_moves);
    const nets::Architecture& to = stage.network;
    const nets::Architecture& from = before.network;
    if (to.width < from.width || to.width % to.width_multiple() != 0)
        return fmt::format("width is {}, expected {} from {} on", to.width, nets::expected_widths(to),
                           from.width);
    if (!coarser_features(*from.features, *to.features))
        return fmt::format("feature_set is {}, expected {} or a finer one", to.features->name,
                           from.features->name);
    if (!from.hidden.empty() && to.hidden != from.hidden)
        return fmt::format("hidden is {}, expected {} as before", fmt::join(to.hidden, ","),
                           fmt::join(from.hidden, ","));
    if (to.output_buckets < from.output_buckets ||
        std::ranges::count(nets::Architecture::kOutputBuckets, to.output_buckets) == 0)
        return fmt::format("output_buckets is {}, expected one of {}, and {} at least", to.output_buckets,
                           fmt::join(nets::Architecture::kOutputBuckets, ", "), from.output_buckets);
    return {};
}

constexpr double kStays = -1;

// The first key of a stage that says what something has come to when the next begins; empty: none.
std::string_view changing_key(const LearnStage& stage) {
    if (stage.learning_rate_to >= 0) return "learning_rate_to";
    if (stage.result_weight_to >= 0) return "result_weight_to";
    return stage.lambda_to >= 0 ? "lambda_to" : "";
}

// What stands behind a stage that ends: what it came to.
LearnStage after(const LearnStage& stage) {
    LearnStage next = stage;
    if (stage.learning_rate_to >= 0) next.learning_rate = stage.learning_rate_to;
    if (stage.result_weight_to >= 0) next.result_weight = stage.result_weight_to;
    if (stage.lambda_to >= 0) next.lambda = stage.lambda_to;
    next.learning_rate_to = next.result_weight_to = next.lambda_to = kStays;
    return next;
}

// Nothing if one is wrong: the reading has then been refused.
void read_stages(Section& section, const selfplay::PlayPlan& play, LearnRecipe& recipe) {
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
        LearnStage before = first ? first_of_the_built_in() : after(stages.back());
        if (first) {
            const std::uint64_t nodes = before.play.nodes;
            before.play = play;
            before.play.nodes = nodes;
            before.network = recipe.network.architecture;
        }
        LearnStage stage = before;
        const auto status = games::read_named(stage, texts[i], kStageName, kStageParameters);
        std::string wrong = status ? wrong_in(stage, before, first) : status.error().message;
        if (const std::string_view key = changing_key(stage);
            wrong.empty() && i + 1 == texts.size() && !key.empty())
            wrong = fmt::format("{} stands in the last stage, expected one behind it", key);
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
    games.weight_decay = keys.real("weight_decay", 10, 0, 10);
    games.batch = static_cast<std::size_t>(keys.integer("batch", 4'096, 1, 1 << 22));
    games.validation_share = keys.real("validation_share", 0.02, 0.001, 0.5);
    games.test_share = keys.real("test_share", 0, 0, 0.4);
}

}  // namespace

LearnStage LearnRecipe::stage_at(std::uint64_t taken_in) const {
    const auto next = std::ranges::upper_bound(stages, taken_in, {}, &LearnStage::from);
    LearnStage stage = *std::prev(next);
    if (next == stages.end()) return stage;
    const double share =
        static_cast<double>(taken_in - stage.from) / static_cast<double>(next->from - stage.from);
    const auto part_of_the_way = [share](double from, double to) {
        return to < 0 ? from : std::lerp(from, to, share);
    };
    if (stage.learning_rate_to >= 0)
        stage.learning_rate *= std::pow(stage.learning_rate_to / stage.learning_rate, share);
    stage.result_weight = part_of_the_way(stage.result_weight, stage.result_weight_to);
    stage.lambda = part_of_the_way(stage.lambda, stage.lambda_to);
    return stage;
}

std::optional<std::uint64_t> LearnRecipe::next_stage_from(std::uint64_t taken_in) const {
    const auto next = std::ranges::upper_bound(stages, taken_in, {}, &LearnStage::from);
    return next == stages.end() ? std::nullopt : std::optional(next->from);
}

bool LearnRecipe::has_own_starts() const {
    return std::ranges::any_of(stages, [](const LearnStage& stage) { return stage.play.own_start > 0; });
}

nets::Architecture LearnRecipe::architecture_at(std::uint64_t taken_in) const {
    return stage_at(taken_in).network;
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
    selfplay::PlayPlan play;
    file->section("play", [&](Section& keys) {
        play = read_play(keys);
        recipe.keep_games = keys.flag("keep_games", false);
    });
    read("lessons", read_lessons);
    file->section("course", [&](Section& keys) { read_stages(keys, play, recipe); });
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
            const auto text =
                std::string_view(value).substr(end + 2, next == std::string::npos ? next : next - end - 2);
            LearnStage begins;
            if (!games::read_named(begins, text, kStageName, kStageParameters) || begins.from <= taken_in)
                continue;
            value.resize(end);
            break;
        }
    }
    return settings;
}

}  // namespace scholar::learning
