#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/engine.hpp"

// An engine that plays or searches by itself for a game store (`scholar selfplay`, `scholar nodes`).

namespace scholar::cli {

// Refuses options of the engine (NAME=VALUE) that are not a user's to set there: the seed is drawn for each
// game, and threads in a search would make of no two searches the same.
base::Status check_self_player(const std::vector<std::string>& settings);

// How a store says who it was.
struct SelfPlayer {
    std::string name;     // "Scholar NETWORK", or "Scholar SYSTEM NETWORK" of another system than the default
    std::string network;  // the network's content name; "": none values positions
    std::string options;  // the settings, in one line
};
SelfPlayer describe_self_player(engine::Engine& engine, const std::vector<std::string>& settings);

}  // namespace scholar::cli
