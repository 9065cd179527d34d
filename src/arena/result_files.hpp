#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "arena/ratings.hpp"
#include "base/error.hpp"
#include "games/game.hpp"

// Results of games, from whatever kind of file holds them.

namespace scholar::arena {

struct ResultsRead {
    std::uint64_t games = 0;       // with players and a result
    std::uint64_t unfinished = 0;  // without a result
    std::uint64_t nameless = 0;    // without the name of a player, or the same for both
    std::uint64_t problems = 0;    // what could not be read, games or lines
    std::string first_problem;     // "games.pgn: line 12: …"
};

// Adds the games of a file to a pool: PGN or lines of JSON (as matches write them), compressed or not, "-"
// for standard input, or a game store. Of PGN only tags and results are read, the moves are not played. What
// is wrong within the file is counted; an error is of the file.
base::Status read_results(const std::string& path, ResultPool& pool, ResultsRead& read,
                          const std::stop_token& stop = {});

// What a match writes of a game, as far as ratings need it.
struct ResultLine {
    std::string white;
    std::string black;
    games::GameResult result = games::GameResult::Unknown;
};
// Nothing of a line that is JSON and about something else than a game. A line that is no JSON, or a game with
// something else in these places, is an error that follows "line N: ".
base::Result<std::optional<ResultLine>> parse_result_line(std::string_view line);

}  // namespace scholar::arena
