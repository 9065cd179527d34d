#pragma once

#include <string>

#include "arena/match.hpp"
#include "arena/ratings.hpp"

// What a tournament of several engines came to.

namespace scholar::arena {

// All its games. Which of the two had White is not known any more.
ResultPool pool_of(const MatchResult& result);

// Ratings by maximum likelihood, whose mean is 0; White's advantage is left out, since everybody had White as
// often as Black. An error without a finished game.
base::Result<PoolRatings> rate_tournament(const MatchResult& result);

// The table: rank, name, Elo with its error, points, games, and if there are not too many engines what each
// scored against each; then the engines' lines and why it ended, as of a match.
std::string describe_tournament(const MatchResult& result);

}  // namespace scholar::arena
