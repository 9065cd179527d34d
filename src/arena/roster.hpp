#pragma once

#include <span>
#include <string>
#include <vector>

#include "arena/ladder.hpp"
#include "arena/player.hpp"
#include "base/error.hpp"
#include "games/openings.hpp"

// Whether a ladder's players can play on this machine.

namespace scholar::arena {

struct SkippedPlayer {
    std::string name;
    std::string reason;
};

struct TriedOut {
    std::string name;  // the engine's own, if its version or its name is asked for; else the configured one
    std::vector<EngineOption> options;
};

// Starts a player once, to see whether it can play games at this time control from these openings. An error
// says why not.
base::Result<TriedOut> try_out(const LadderPlayer& player, const TimeControl& control,
                               std::span<const games::Opening> openings);

// The player with its program found in PATH or in the ladder's folders, tried out, and of the version that is
// asked for. An error says why it cannot play.
base::Result<LadderPlayer> find_player(const Ladder& ladder, LadderPlayer player,
                                       std::span<const games::Opening> openings);

}  // namespace scholar::arena
