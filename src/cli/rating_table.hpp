#pragma once

#include <string>
#include <vector>

#include "arena/ratings.hpp"
#include "cli/output.hpp"

// How `scholar rate` shows ratings.

namespace scholar::cli {

// Best first: anchors and rated players by rating, then those without one.
std::vector<std::size_t> by_rating(const arena::PoolRatings& ratings);

// The table, a line for each player, and below it White's advantage and the share of draws. `marked`: the
// players whose line begins with '>'.
std::string rating_table(const arena::PoolRatings& ratings, const std::vector<std::string>& marked = {});

// The same for programs.
Json rating_json(const arena::PoolRatings& ratings);

}  // namespace scholar::cli
