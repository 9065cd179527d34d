#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/pgn_import.hpp"
#include "learning/run/device.hpp"
#include "learning/selfplay_loop/learn_recipe.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::learning {

struct GamesLessons {
    std::vector<std::string> files;  // PGN ("-": standard input), compressed or not, or game stores
    std::filesystem::path folder;    // of what is made on the way: a store, a recipe, a run of train()
    std::uint64_t seed = 1;
    int threads = 0;  // for the import and for training; 0: one a core
    Device device = Device::Cpu;
    bool json = false;
};

// Teaches `start` other people's games as [games] of the recipe says, before anything is played: the PGN
// files become a store, a recipe for training is written beside it, and train() runs it. Goes on where an
// earlier call with the same folder was stopped or killed, and refuses other games or settings than that one
// had. Nothing if it was told to stop.
struct LearntFromGames {
    nets::FloatNetwork network;
    // Of training, spent by the calls before this one; what they spent on importing is not known.
    double core_seconds_before = 0;
};
base::Result<std::optional<LearntFromGames>> learn_from_games(const LearnRecipe& recipe,
                                                              const nets::FloatNetwork& start,
                                                              const GamesLessons& lessons,
                                                              const std::stop_token& stop);

// How the PGN files among them are read.
games::PgnImport import_of(const GamesLessons& lessons, std::vector<std::string> pgn_files);

// Whether each of the files is there, each store whole, and some game can be read from the PGN files, as far
// as that can be known before: pipes and standard input are not looked into, nor anything behind the first
// game. An error, too, if told to stop before one was found.
base::Status check_games(const std::vector<std::string>& files, const std::stop_token& stop);

// Where the training of a call with this folder says how it goes (learning/selfplay_loop/games_course.hpp).
std::filesystem::path games_lessons_metrics(const std::filesystem::path& folder);
// Whether a call with this folder has read any of the games.
bool games_lessons_begun(const std::filesystem::path& folder);
// Removes what calls with this folder have left there, and nothing else.
base::Status remove_games_lessons(const std::filesystem::path& folder);

}  // namespace scholar::learning
