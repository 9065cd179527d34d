#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Players among whom another is placed, and how they play (ladder/ladder.toml).
struct Ladder {
    TimeControl time_control;
    std::chrono::milliseconds time_margin{100};
    std::vector<std::string> folders;  // where programs are looked for that are not in PATH
    std::vector<LadderPlayer> players;

    const TimeControl& control_of(const LadderPlayer& player) const {
        return player.time_control ? *player.time_control : time_control;
    }
};

// `name`: what errors call the text. Every key must be known, and its value of the right kind.
base::Result<Ladder> parse_ladder(std::string_view text, const std::string& name);
base::Result<Ladder> read_ladder(const std::string& path);

// ladder/ladder.toml and openings/first.epd, which are part of the program.
std::string_view embedded_ladder();
std::string_view embedded_openings();

}  // namespace scholar::arena
