#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/output.hpp"
#include "games/store.hpp"

// What the subcommands of `scholar games` have in common.

namespace scholar::cli {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start);

using base::grouped;

// `part / whole`, and 0 of nothing.
double ratio(double part, double whole);

// Opens all of them, or says which cannot be. Of one that was cut off the whole blocks are read, which a line
// on standard error says.
base::Result<std::vector<games::StoreReader>> open_stores(const std::vector<std::string>& paths);

// All games of the stores.
std::uint64_t games_in(const std::vector<games::StoreReader>& stores);

// Calls `use` for every game of a store, unpacked.
template <class Use>
base::Status for_each_game(const games::StoreReader& store, std::string what, const std::stop_token& stop,
                           Use use) {
    base::Progress progress(std::move(what), store.games(), "games");
    std::uint64_t done = 0;
    for (std::size_t number = 0; number < store.blocks().size(); ++number) {
        const auto block = store.read_block(number);
        if (!block) return std::unexpected(block.error());
        for (std::size_t i = 0; i < block->games(); ++i) {
            if (stop.stop_requested()) return base::fail("stopped after {}", base::counted(done, "game"));
            const std::string where = fmt::format("{}: block {}", store.path(), number + 1);
            const auto game = block->game(i);
            if (!game) return base::fail_in(where, game.error());
            if (auto status = use(*game, block->info(i)); !status)
                return base::fail_in(fmt::format("{}: game {}", where, i + 1), status.error());
            progress.update(++done);
        }
    }
    return {};
}

}  // namespace scholar::cli
