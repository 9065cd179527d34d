#pragma once

#include <cstdint>
#include <stop_token>

#include "arena/glicko.hpp"
#include "base/error.hpp"
#include "learning/online/online_recipe.hpp"
#include "learning/online/online_student.hpp"

// Learning on-line, as KnightCap did (J. Baxter, A. Tridgell, L. Weaver, 1998, section 4): the linear
// evaluation plays one opponent after another, each near its own rating, and its weights change after every
// game (learning/linear/online_update.hpp).

namespace scholar::learning {

struct OnlineOutcome {
    bool finished = false;  // false: stopped, to be resumed
    std::uint64_t games = 0;
    arena::Glicko rating;
};

// A kill costs the game that was being played. With opponents whose moves depend on nothing but the position
// the same seed gives the same weights.
base::Result<OnlineOutcome> learn_online(const OnlineRecipe& recipe, const OnlineOptions& options,
                                         std::stop_token stop);

}  // namespace scholar::learning
