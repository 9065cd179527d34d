#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/glicko.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/run_settings.hpp"
#include "nets/linear/linear_network.hpp"

namespace scholar::learning {

// Where a run of on-line learning stands after a game. It is written after each.
struct OnlineCheckpoint {
    std::uint64_t games = 0;      // learnt from
    std::uint64_t updates = 0;    // of the weights
    double core_seconds = 0;      // of this program, opponents in this process included
    std::uint64_t pgn_bytes = 0;  // of the file of games
    std::vector<double> weights;  // Score units
    std::vector<double> pending;  // what they change by at the next update, or, if adaptive, are told to
    std::vector<double> squares;  // sums of those of what was pending; empty unless steps are adaptive
    std::vector<double> mean;     // of the weights; empty where the recipe asks for none
    arena::Glicko rating;         // the learner's
    std::map<std::string, arena::Glicko> opponents;  // ratings by name, of those without an anchor
    std::vector<std::string> pool;                   // names of all that it could play
    std::vector<std::string> starts;  // FEN: positions of recent games, for measuring piece values
    nets::PieceValues piece_values = nets::kEqualPieceValues;
    RunSettings settings;  // of the recipe, and the seed
};

// Refuses weights that are not finite numbers, and leaves the files as they were.
base::Status save_online_checkpoint(const std::filesystem::path& folder, const OnlineCheckpoint& checkpoint);
base::Result<std::optional<Loaded<OnlineCheckpoint>>> load_online_checkpoint(
    const std::filesystem::path& folder);

}  // namespace scholar::learning
