#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "learning/linear/online_predictions.hpp"
#include "learning/linear/online_update.hpp"
#include "learning/run/run_settings.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "selfplay/treestrap.hpp"

// How the linear evaluation learns by playing others (learning/online/online_learner.hpp): a TOML file, whose
// keys docs/knightcap.md explains.

namespace scholar::learning {

// How far weights go for what a game said of them.
enum class OnlineStep : std::uint8_t {
    Plain,     // alpha times the sum of equation 11, as in the paper
    Adaptive,  // each by alpha pawns times that sum, over the root of the sum of all its squares so far: far
               // at first, and where a feature is rare (AdaGrad: Duchi, Hazan, Singer 2011)
};

struct OnlineRecipe {
    std::string name;

    // Weights to begin with: "material" or "pawns" (nets/linear/linear_network.hpp), or the file of a
    // network.
    std::string start = "material";

    OnlineUpdate update;
    OnlineWhere where = OnlineWhere::Leaf;
    std::optional<selfplay::TreeStrapPlan> treestrap;  // where nodes inside searches teach
    OnlineStep step = OnlineStep::Plain;
    // In so many games at first λ is 1: the evaluations of later moves are not worth anything yet.
    std::uint64_t outcome_games = 0;
    // After so many games alpha is half of what it was at first, after twice as many a third, and so on; 0:
    // it stays.
    double alpha_games = 0;
    // What is kept is the mean of the weights after each of about so many of the last games, an exponential
    // one; 0: the weights themselves. These play in any case: errors are theirs, and a step that answers to
    // those of the mean would run past the mark.
    double average_games = 0;
    // Keeps what a pawn is worth, so that all else is in pawns.
    bool fixed_pawn = true;
    // What a draw is worth to the learner, −1 to 1.
    double draw = 0;
    // Weights change after so many games.
    std::uint64_t games_per_update = 1;

    std::uint64_t nodes = 10'000;  // a move of the learner's
    search::AlphaBetaOptions search;
    std::size_t table_megabytes = 16;

    // Whom it plays: the players of a file like ladder/ladder.toml; "built-in" are those of
    // ladder/online.toml, "self" is the learner itself, which then learns from both sides.
    std::string opponents = "built-in";
    double spread = 150;  // OpponentPool::choose()
    // Each game begins with so many moves by lot, half-moves.
    int random_moves = 0;
    double first_rating = 1500;
    // How much the learner's strength may change from one game to the next: Elo, a standard deviation.
    double rating_change = 20;

    // Everything read, defaults included, as ("section.key", value).
    RunSettings settings;

    bool plays_itself() const { return opponents == "self"; }
    bool plays_built_in() const { return opponents == "built-in"; }
};

// `name`: what errors call the text.
base::Result<OnlineRecipe> parse_online_recipe(std::string_view text, const std::string& name);
base::Result<OnlineRecipe> load_online_recipe(const std::filesystem::path& path);
// recipes/knightcap.toml and its kin, and ladder/online.toml, which are part of the program.
std::string_view knightcap_recipe();
std::string_view knightcap_beyond_recipe();
std::string_view knightcap_pawns_recipe();
std::string_view knightcap_self_recipe();
std::string_view knightcap_self_varied_recipe();
std::string_view online_opponents();

}  // namespace scholar::learning
