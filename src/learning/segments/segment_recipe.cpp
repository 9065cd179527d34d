#include "learning/segments/segment_recipe.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <tuple>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strict_toml.hpp"
#include "games/parameters.hpp"
#include "games/sampler_section.hpp"
#include "learning/run/course.hpp"
#include "learning/training/task_table.hpp"

namespace scholar::learning {

namespace {

using SegmentSection = base::StrictToml::Section;

constexpr std::int64_t kMuch = std::int64_t{1} << 40;

constexpr std::tuple kSegmentStageParameters{
    games::Number{"from", &SegmentStage::from, 0U, 1'000'000'000'000U},
    games::Number{"nodes", &SegmentStage::nodes, 1U, 1'000'000'000U},
    games::Number{"window", &SegmentStage::window, 1U, 1'000'000U},
    games::Number{"recent", &SegmentStage::recent, 0.001, 1.0},
    games::Number{"reuse", &SegmentStage::reuse, 0.001, 1'000.0},
    games::Number{"lambda", &SegmentStage::lambda, 0.0, 1.0},
    games::Number{"learning_rate", &SegmentStage::learning_rate, 1e-9, 10.0},
};

void read_start(SegmentSection& keys, SegmentRecipe& recipe) {
    MaterialStart& start = recipe.start;
    start.positions = static_cast<std::size_t>(keys.integer("positions", 0, 0, 100'000'000));
    start.passes = static_cast<int>(keys.integer("passes", 1, 1, 10'000));
    start.batch = static_cast<std::size_t>(keys.integer("batch", 256, 1, 1 << 22));
    start.learning_rate = keys.real("learning_rate", 0.001, 1e-9, 10);
    start.decided = keys.flag("decided", false);
    const std::vector<std::int64_t> values = keys.integers("values");
    constexpr std::size_t kKinds = 5;
    if (start.positions > 0 && !keys.has("values"))
        keys.refuse("positions",
                    "stands without 'values', expected those of pawn, knight, bishop, rook, queen");
    else if (keys.has("values") && values.size() != kKinds)
        keys.refuse("values", fmt::format("has {} numbers, expected {}: pawn, knight, bishop, rook, queen",
                                          values.size(), kKinds));
    for (std::size_t kind = 0; kind < std::min(values.size(), kKinds); ++kind) {
        if (values[kind] < 0 || values[kind] > 10'000)
            keys.refuse("values", "is wrong: expected Score units from 0 to 10000");
        start.values[kind] = static_cast<int>(std::clamp<std::int64_t>(values[kind], 0, 10'000));
    }
}

void read_play(SegmentSection& keys, SegmentRecipe& recipe) {
    SegmentPlan& plan = recipe.play;
    recipe.roots = static_cast<std::size_t>(keys.integer("roots", 256, 1, 10'000'000));
    plan.random_moves = static_cast<int>(keys.integer("random_moves", 1, 0, 100));
    plan.plies = static_cast<int>(keys.integer("plies", 12, 1, 10'000));
    plan.decided = static_cast<int>(keys.integer("decided", 0, 0, chess::Score::kMateValue));
    plan.table_megabytes = static_cast<std::size_t>(keys.integer("table_megabytes", 1, 1, 65'536));
    const bool mtdf = keys.choice("search", "pvs", {"pvs", "mtdf"}) == "mtdf";
    plan.search.root_search = mtdf ? search::RootSearch::Mtdf : search::RootSearch::PrincipalVariation;
    plan.search.convergence = static_cast<int>(
        keys.integer("convergence", search::AlphaBetaOptions::kDefaultConvergence, 0, 10'000));
}

void read_lessons(SegmentSection& keys, SegmentRecipe& recipe) {
    SegmentLessonPlan& plan = recipe.lessons;
    const std::string method = keys.choice("method", std::nullopt, {"tdleaf", "td-root", "treestrap"});
    plan.method = method == "tdleaf"    ? SegmentMethod::TdLeaf
                  : method == "td-root" ? SegmentMethod::TdRoot
                                        : SegmentMethod::TreeStrap;
    plan.only_first = keys.choice("learns", "every", {"every", "first"}) == "first";
    plan.quiet = keys.flag("quiet", true);
    selfplay::TreeStrapPlan treestrap;
    treestrap.quiet = plan.quiet;
    treestrap.least_depth = static_cast<int>(keys.integer("least_depth", 1, 0, 100));
    treestrap.most_nodes = static_cast<std::size_t>(keys.integer("most_nodes", 0, 0, 1'000'000'000));
    if (plan.method == SegmentMethod::TreeStrap) recipe.play.treestrap = treestrap;
    // Of the others it is the value that is learnt, whatever it was made of.
    recipe.play.search.exact_leaves = plan.method == SegmentMethod::TdLeaf;
}

// In order, the first from 0.
void read_course(SegmentSection& keys, SegmentRecipe& recipe) {
    const std::vector<std::string> texts = keys.texts("stages", std::vector<std::string>{kStageName});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        SegmentStage stage = recipe.stages.empty() ? SegmentStage() : recipe.stages.back();
        const auto status = games::read_named(stage, texts[i], kStageName, kSegmentStageParameters);
        const std::string wrong =
            status ? wrong_beginning(stage.from, recipe.stages.empty()
                                                     ? std::nullopt
                                                     : std::optional(recipe.stages.back().from))
                   : status.error().message;
        if (!wrong.empty()) {
            keys.refuse("stages", "is wrong: " + wrong, i);
            break;
        }
        recipe.stages.push_back(stage);
    }
}

void read_run(SegmentSection& keys, SegmentRecipe& recipe) {
    Recipe& training = recipe.training;
    training.seed =
        static_cast<std::uint64_t>(keys.integer("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
    training.batch = static_cast<std::size_t>(keys.integer("batch", 256, 1, 1 << 22));
    recipe.iterations = static_cast<std::uint64_t>(keys.integer("iterations", 0, 0, kMuch));
    training.output = keys.text("output", std::nullopt);
    // One: what it adds depends on how many there are.
    training.threads = 1;
}

}  // namespace

const SegmentStage& SegmentRecipe::stage_at(std::uint64_t iteration) const {
    return *std::prev(std::ranges::upper_bound(stages, iteration, {}, &SegmentStage::from));
}

base::Result<SegmentRecipe> parse_segment_recipe(std::string_view text, const std::string& name) {
    auto file = base::StrictToml::parse(text, name);
    if (!file) return std::unexpected(file.error());
    const auto kind = file->choose("network", "kind", "dense", task_kind_names());
    if (!kind) return std::unexpected(kind.error());
    const std::shared_ptr<TaskRecipe> task =
        std::ranges::find(task_kinds(), *kind, &TaskKind::name)->make_recipe();
    SegmentRecipe recipe;
    recipe.training.name = std::filesystem::path(name).stem().string();
    recipe.training.text_hash = base::hash_text(text);
    const auto read = [&](const char* section, void (*reader)(SegmentSection&, SegmentRecipe&)) {
        file->section(section, [&](SegmentSection& keys) { reader(keys, recipe); });
    };
    read("data", [](auto& keys, auto& into) { games::read_data_section(keys, into.training.data); });
    read("sampler", [](auto& keys, auto& into) { games::read_sampler_section(keys, into.training.data); });
    read("start", read_start);
    read("play", read_play);
    read("lessons", read_lessons);
    read("course", read_course);
    task->read(*file, recipe.training.schedule);
    read("run", read_run);
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    recipe.training.settings = file->settings();
    recipe.training.task = task;
    for (SegmentStage& stage : recipe.stages)
        if (stage.learning_rate == 0) stage.learning_rate = recipe.training.schedule.learning_rate;
    return recipe;
}

base::Result<SegmentRecipe> load_segment_recipe(const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    return parse_segment_recipe(*text, path.string());
}

}  // namespace scholar::learning
