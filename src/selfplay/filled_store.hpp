#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/error.hpp"
#include "games/game.hpp"
#include "selfplay/growing_store.hpp"

// A game store that several threads make games for: numbered batches, which go into it in their order.

namespace scholar::selfplay {

struct StoreFilling {
    std::uint64_t games = 100;  // in the end
    std::uint64_t batch = 1;    // games that are made together, but for the last ones
    int threads = 1;            // batches at a time
    std::filesystem::path store;
    Settings settings;  // that make the games what they are: resumed is only what has the same
    bool resume = false;
    bool replace = false;  // what has the store's name
};

struct FilledStore {
    std::uint64_t before = 0;                        // games that were there when it was resumed
    std::uint64_t games = 0;                         // now
    std::optional<GrowingStore::Finished> finished;  // nothing: stopped before that, to be resumed
};

// Batch number `number`, from 0, in the thread of worker `worker`, from 0: StoreFilling::batch games.
// Nothing: it was told to stop.
using BatchMaker = std::function<base::Result<std::optional<std::vector<games::Game>>>(
    int worker, std::uint64_t number, const std::stop_token& stop)>;

// How many threads there will be: no more than batches.
int workers_of(const StoreFilling& how);

// Makes them and puts them in. `told`: so many games are in the store. Ends early when asked to stop. What is
// in the store depends on what the batches are alone, not on threads, nor on how often it was killed.
base::Result<FilledStore> fill_store(const StoreFilling& how, const BatchMaker& make,
                                     const std::function<void(std::uint64_t)>& told,
                                     const std::stop_token& stop);

}  // namespace scholar::selfplay
