#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "arena/placement.hpp"
#include "arena/ratings.hpp"
#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "cli/trace_option.hpp"

// scholar rate --ladder: placing an engine on the ladder, or rating the ladder's own players.

namespace scholar::cli {

struct LadderArguments {
    bool wanted = false;
    std::string file;  // "": the one in the program
    std::string engine;
    std::string results = "ladder-games.jsonl";
    std::string openings;
    std::string time_control;
    std::optional<int> games;  // nothing: 100 with an engine, none without
    double target = 0;
    int concurrency = 2;
    std::uint64_t seed = 1;
    bool levels = false;         // rate the levels of UCI_Elo instead of an engine
    bool fresh = false;          // without the games that the ladder has
    bool leave_one_out = false;  // show whether the scale hangs on one player
    TraceSetting trace;
    std::string record;  // file to write all games to; "": none
};

// What they say, but for the engine to place where there is none.
base::Result<arena::PlacementOptions> placement_options(const LadderArguments& arguments);

void add_ladder_options(Command command, LadderArguments& arguments);

// `more`: games of the ladder's players that were read from elsewhere.
base::Status rate_on_ladder(const LadderArguments& arguments, const arena::ResultPool& more, bool json,
                            const std::stop_token& stop);

}  // namespace scholar::cli
