#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/ladder.hpp"
#include "arena/ladder_games.hpp"
#include "arena/place.hpp"
#include "arena/ratings.hpp"
#include "arena/roster.hpp"
#include "base/error.hpp"
#include "games/openings.hpp"

// Placing a player on the ladder: choosing opponents, playing, estimating, until enough is known.

namespace scholar::arena {

struct PlacementOptions {
    Ladder ladder;
    std::optional<LadderPlayer> engine;  // whom to place; nothing: the ladder's own players play each other
    std::vector<games::Opening> openings;
    // Ends when so many games of the engine are in the file, those played earlier included; without an
    // engine, so many of each player, those of the ladder's own record included,
    int games = 100;
    // or when the 95 % interval of its rating is not wider than this to either side (Elo); 0: never.
    double target_error = 0;
    int concurrency = 1;
    std::uint64_t seed = 1;  // of the order of the openings
    ResultPool more_games;   // played elsewhere, of the same players
};

struct PlayerFailures {
    std::string player;
    std::string failure;  // "crash", "time loss"
    int games = 0;
    std::string last{};  // how the last such game ended
};

// The games of the ladder's own record and these.
ResultPool with_record(const Ladder& ladder, const ResultPool& games);

struct PlacementResult {
    ResultPool pool;                     // all games that were rated
    std::optional<PoolRatings> ratings;  // of everybody with a game, all together; nothing without one
    std::string engine;                  // the name under which it was placed
    std::optional<Place> place;          // of the engine
    std::vector<SkippedPlayer> skipped;
    std::vector<PlayerFailures> failures;  // now
    int games_played = 0;                  // now
    int games_known = 0;                   // earlier ones included
    bool interrupted = false;
};

struct PlacementProgress {
    int games = 0;  // of those that are wanted
    int wanted = 0;
    std::string estimate;  // "1,850 ± 60", or ""
};

// Whether a player of known strength is installed, which the anchor is and everybody in the ladder's record:
// without one there is no scale.
bool can_place(const Ladder& ladder);

// How players of these games are rated: those who are the ladder's anchors are given.
RatingOptions rating_options(const Ladder& ladder, const ResultPool& games);

// Players whose programs are not installed, or who refuse their options, are skipped; the scale stays, since
// their games in the ladder's record go on to count. An error: no two players, a player of the ladder that is
// not the one of its record, an engine to be placed that does not start, or games that cannot be written.
base::Result<PlacementResult> place_on_ladder(const PlacementOptions& options, LadderGames& games,
                                              const std::function<void(const PlacementProgress&)>& progress,
                                              const std::stop_token& stop);

}  // namespace scholar::arena
