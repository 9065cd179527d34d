#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "arena/ladder.hpp"
#include "arena/ladder_games.hpp"
#include "base/error.hpp"
#include "learning/selfplay_loop/learn_status.hpp"

// Where a run's networks stand among players of known strength, on the ladder of ladder/ladder.toml.

namespace scholar::learning {

struct LadderPlan {
    arena::Ladder ladder;
    std::filesystem::path results;  // file of the games; those that are there count
    int games = 100;                // of each network
    int threads = 1;                // games at a time
    std::uint64_t seed = 1;
    // Of the networks: how long they think, where it is not as the ladder says, and options of the engine.
    std::optional<arena::TimeControl> control{};
    std::vector<std::pair<std::string, std::string>> options{};
    // Is told of each game, with how many there are; may be empty.
    std::function<void(int games)> watch{};
};

// By games that have been played, together with those of the ladder's record. Nothing if none of them lead to
// somebody of known strength.
std::optional<LadderPlace> place_by_games(const arena::ResultPool& games, const arena::Ladder& ladder,
                                          const std::string& name);

// Lets the network in this file play under this name. Nothing if it was told to stop, or if the games were
// too few to meet anybody of known strength.
base::Result<std::optional<LadderPlace>> place_network(const LadderPlan& plan, const std::string& name,
                                                       const std::filesystem::path& network,
                                                       const std::stop_token& stop);

}  // namespace scholar::learning
