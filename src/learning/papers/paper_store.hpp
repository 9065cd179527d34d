#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "games/openings.hpp"
#include "selfplay/system_player.hpp"

// Games for experiments that need some and would rather not ask for any: a store of a player of Scholar's
// against itself.

namespace scholar::learning {

// What work says that was told to stop.
inline std::unexpected<base::Error> stopped_to_go_on() {
    return base::fail("stopped: the same command goes on");
}

struct PaperStore {
    std::string name;         // of the file, without its end
    std::uint64_t games = 0;  // from the built-in openings, with some moves by lot behind them
    std::uint64_t nodes = 100;
    std::uint64_t seed = 1;
    // Of the engine, beside what it is by default: another player's games.
    std::vector<std::pair<std::string, std::string>> options{};
    // Where the games begin, each as often as another, in place of the built-in openings and moves by lot.
    std::vector<games::Opening> openings{};
    // The evaluations are what the network says of each position without a search, in place of the searches'
    // scores.
    bool is_static = false;
};

// How its games are played, and who plays them: for some of them without a store.
base::Result<selfplay::SystemPlan> paper_plan(const PaperStore& wanted);
base::Result<std::unique_ptr<engine::Engine>> paper_engine(const PaperStore& wanted);

// Tells it from all others: by this program, its networks and what is wanted.
base::Result<std::string> paper_word(const PaperStore& wanted);

// Makes it, or goes on with it, or finds it there: NAME-HASH.games in `folder`, where the hash is that of
// this program, its network and what is wanted. The store's path; an error that says so if told to stop.
base::Result<std::filesystem::path> make_paper_store(const PaperStore& wanted,
                                                     const std::filesystem::path& folder, int threads,
                                                     const std::stop_token& stop);

}  // namespace scholar::learning
