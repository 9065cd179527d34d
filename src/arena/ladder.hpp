#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/ladder_games.hpp"
#include "arena/player.hpp"
#include "arena/time_control.hpp"
#include "base/error.hpp"

namespace scholar::arena {

// A player of the ladder.
struct LadderPlayer {
    EngineConfig config;                      // with a name
    std::optional<TimeControl> time_control;  // instead of the ladder's
    std::optional<double> anchor;             // Elo
    std::string version;                      // what the engine's own name must begin with; empty: anything
    std::string note;                         // for tables
};

// Players among whom another is placed, how they play, and what they have played among each other
// (ladder/ladder.toml). One of them has a rating by convention; those of all others come from the games.
struct Ladder {
    TimeControl time_control;
    std::chrono::milliseconds time_margin{100};
    std::vector<std::string> folders;  // where programs are looked for that are not in PATH
    std::vector<LadderPlayer> players;
    LadderRecord record;  // of games among these players, and perhaps others

    const TimeControl& control_of(const LadderPlayer& player) const {
        return player.time_control ? *player.time_control : time_control;
    }
};

// `name`: what errors call the text. Every key must be known, and its value of the right kind. `read_games`
// reads the games from the file that the key `games` names, if there is one; without it there must be none.
base::Result<Ladder> parse_ladder(
    std::string_view text, const std::string& name,
    const std::function<base::Result<LadderRecord>(const std::string& file)>& read_games = {});
// The games' file is looked for beside the ladder's.
base::Result<Ladder> read_ladder(const std::string& path);
// ladder/ladder.toml with the games beside it, which are part of the program.
base::Result<Ladder> built_in_ladder();

// ladder/ladder.toml, ladder/games.jsonl.zst and openings/first.epd, as they are.
std::string_view embedded_ladder();
std::string_view embedded_ladder_games();
std::string_view embedded_openings();

}  // namespace scholar::arena
