#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

#include "base/error.hpp"
#include "selfplay/growing_store.hpp"
#include "selfplay/system_player.hpp"

// Games of any system against itself, in a store.

namespace scholar::selfplay {

struct SystemGames {
    SystemPlan plan;
    std::uint64_t games = 100;
    // Games at a time; the store does not depend on it, unless moves are limited by time.
    int threads = 1;
    std::filesystem::path store;
    Settings settings;  // that make the games what they are: resumed is only what has the same
    bool resume = false;
    bool replace = false;  // what has the store's name
};

struct SystemGamesResult {
    std::uint64_t before = 0;                        // games that were there when it was resumed
    std::uint64_t games = 0;                         // now
    std::optional<GrowingStore::Finished> finished;  // nothing: stopped before that, to be resumed
};

using EngineMaker = std::function<base::Result<std::unique_ptr<engine::Engine>>()>;

// Plays them, each thread with an engine of its own, all of which are there before the first game. `told`: so
// many games are in the store. Ends early when asked to stop.
base::Result<SystemGamesResult> play_system_games(const SystemGames& how, const EngineMaker& make_engine,
                                                  const std::function<void(std::uint64_t)>& told,
                                                  const std::stop_token& stop);

}  // namespace scholar::selfplay
