#pragma once

#include <stop_token>

#include "base/error.hpp"
#include "cli/rate_ladder.hpp"

// scholar rate --ladder --levels: how strong the points are between which UCI_Elo's levels lie.

namespace scholar::cli {

// Places the default player at each of engine::levels() on the ladder and prints what they came to, as
// engine/strength.cpp has them.
base::Status rate_levels(const LadderArguments& arguments, const std::stop_token& stop);

}  // namespace scholar::cli
