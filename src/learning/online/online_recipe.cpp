#include "learning/online/online_recipe.hpp"

#include <cmath>

#include "base/files.hpp"
#include "base/strict_toml.hpp"
#include "nets/linear/linear_network.hpp"

namespace scholar::learning {

namespace {

using Section = base::StrictToml::Section;

// What a recipe does not say is as in the built-in one: these keys have no default but what that says.
constexpr std::nullopt_t kAsBuiltIn = std::nullopt;

void read_nodes(Section& learning, OnlineRecipe& recipe) {
    const bool in_tree = recipe.where == OnlineWhere::Tree;
    for (const char* key : {"least_depth", "most_nodes"})
        if (!in_tree && learning.has(key))
            learning.refuse(key, "stands beside another where than \"tree\", expected only one of them");
    if (!in_tree) return;
    for (const char* key : {"lambda", "windfall", "draw", "outcome_games"})
        if (learning.has(key))
            learning.refuse(key,
                            "stands beside where = \"tree\", which does not ask how the game goes on, "
                            "expected only one of them");
    selfplay::TreeStrapPlan& nodes = recipe.treestrap.emplace();
    nodes.least_depth = static_cast<int>(learning.integer("least_depth", nodes.least_depth, 1, 1'000));
    nodes.most_nodes = static_cast<std::size_t>(learning.integer("most_nodes", 200, 0, 1'000'000));
}

void read_learning(Section& learning, OnlineRecipe& recipe) {
    OnlineUpdate& update = recipe.update;
    update.lambda = learning.real("lambda", kAsBuiltIn, 0, 1);
    update.alpha = learning.real("alpha", kAsBuiltIn, 0, 1e6);
    const std::string windfall = learning.choice("windfall", kAsBuiltIn, {"ignore", "weaker", "learn"});
    update.windfall = windfall == "ignore"   ? Windfall::Ignore
                      : windfall == "weaker" ? Windfall::FromWeakerOnly
                                             : Windfall::Learn;
    const std::string where = learning.choice("where", "leaf", {"leaf", "root", "line", "tree"});
    recipe.where = where == "leaf"   ? OnlineWhere::Leaf
                   : where == "root" ? OnlineWhere::Root
                   : where == "line" ? OnlineWhere::Line
                                     : OnlineWhere::Tree;
    read_nodes(learning, recipe);
    // Noted only where they are given: runs that began when there were no such keys go on.
    if (learning.has("step"))
        recipe.step = learning.choice("step", "plain", {"plain", "adaptive"}) == "plain"
                          ? OnlineStep::Plain
                          : OnlineStep::Adaptive;
    if (learning.has("alpha_games")) recipe.alpha_games = learning.real("alpha_games", 0, 0, 1e9);
    if (learning.has("average_games")) recipe.average_games = learning.real("average_games", 0, 0, 1e9);
    recipe.outcome_games = static_cast<std::uint64_t>(learning.integer("outcome_games", 0, 0, 1'000'000'000));
    recipe.fixed_pawn = learning.flag("fixed_pawn", kAsBuiltIn);
    recipe.draw = learning.real("draw", recipe.draw, -1, 1);
    recipe.games_per_update =
        static_cast<std::uint64_t>(learning.integer("games_per_update", 1, 1, 1'000'000));
}

void read_play(Section& play, OnlineRecipe& recipe) {
    recipe.nodes = static_cast<std::uint64_t>(play.integer("nodes", kAsBuiltIn, 1, 1'000'000'000'000));
    recipe.table_megabytes = static_cast<std::size_t>(play.integer("table_megabytes", 16, 1, 65'536));
    recipe.random_moves = static_cast<int>(play.integer("random_moves", 0, 0, 100));
    recipe.search.exact_leaves = true;
    const bool mtdf = play.choice("search", kAsBuiltIn, {"pvs", "mtdf"}) == "mtdf";
    recipe.search.root_search = mtdf ? search::RootSearch::Mtdf : search::RootSearch::PrincipalVariation;
    recipe.search.convergence =
        static_cast<int>(std::lround(play.real("convergence", kAsBuiltIn, 0, 10) * nets::kPawnScore));
}

void read_opponents(Section& opponents, OnlineRecipe& recipe) {
    recipe.opponents = opponents.text("players", kAsBuiltIn);
    recipe.spread = opponents.real("spread", kAsBuiltIn, 1, 10'000);
    recipe.first_rating = opponents.real("first_rating", recipe.first_rating, -10'000, 10'000);
    recipe.rating_change = opponents.real("rating_change", recipe.rating_change, 0, 350);
}

}  // namespace

base::Result<OnlineRecipe> parse_online_recipe(std::string_view text, const std::string& name) {
    auto file = base::StrictToml::parse(text, name);
    if (!file) return std::unexpected(file.error());
    const auto built_in = base::StrictToml::parse(knightcap_recipe(), "knightcap.toml");
    if (!built_in) return std::unexpected(built_in.error());
    file->fall_back_on(*built_in);
    OnlineRecipe recipe;
    recipe.name = std::filesystem::path(name).stem().string();
    const auto read = [&](const char* section, void (*reader)(Section&, OnlineRecipe&)) {
        file->section(section, [&](Section& keys) { reader(keys, recipe); });
    };
    read("network",
         [](Section& network, OnlineRecipe& into) { into.start = network.text("start", kAsBuiltIn); });
    read("learning", read_learning);
    read("play", read_play);
    read("opponents", read_opponents);
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    recipe.settings = file->settings();
    return recipe;
}

base::Result<OnlineRecipe> load_online_recipe(const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    return parse_online_recipe(*text, path.string());
}

}  // namespace scholar::learning
