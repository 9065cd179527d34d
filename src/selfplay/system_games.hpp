#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "base/error.hpp"
#include "selfplay/filled_store.hpp"
#include "selfplay/system_player.hpp"

// Games of any system against itself, in a store.

namespace scholar::selfplay {

// The store does not depend on the number of threads, unless moves are limited by time.
struct SystemGames : StoreFilling {
    SystemPlan plan;
};

using EngineMaker = std::function<base::Result<std::unique_ptr<engine::Engine>>()>;

// Plays them, each thread with an engine of its own, all of which are there before the first game. `told`: so
// many games are in the store. Ends early when asked to stop.
base::Result<FilledStore> play_system_games(const SystemGames& how, const EngineMaker& make_engine,
                                            const std::function<void(std::uint64_t)>& told,
                                            const std::stop_token& stop);

}  // namespace scholar::selfplay
