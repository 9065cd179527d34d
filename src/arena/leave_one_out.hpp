#pragma once

#include <string>
#include <vector>

#include "arena/ratings.hpp"
#include "base/error.hpp"

// Whether a pool's ratings hang on one of its players: everybody is left out once, with all his games.

namespace scholar::arena {

// Who moved most, for his own error, when somebody was left out.
struct LargestMove {
    std::string left_out;
    std::string moved;
    double moved_by = 0;  // Elo
    double error = 0;     // of his rating with everybody: half of the 95 % interval
};

// One for each player that has a rating. Where the anchors are left out, the others are shifted together so
// that their mean stays. Refused as rate_pool() does.
base::Result<std::vector<LargestMove>> leave_one_out(const ResultPool& pool, const RatingOptions& options);

}  // namespace scholar::arena
