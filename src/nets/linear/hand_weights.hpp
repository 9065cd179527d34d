#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "nets/linear/linear_network.hpp"

// Weights of the linear evaluation that people set, in a TOML file:
//
//   [weights]
//   start = "material"     # or "pawns": the starts of linear_network.hpp; or "nothing", all 0
//   set = [
//       "doubled_pawn -0.1 -0.1 -0.2 0",
//       "knight_mobility -0.2..0.2",
//   ]
//
// A line of `set` names a feature ("knight_square.e4"), or what the names of several have before a point
// ("knight_square"), and their weight in pawns: one for all stages, or one for each. A..B goes from the first
// of the features to the last in equal steps. Later lines stand over earlier ones. What a piece counts for in
// exchanges is its "material" weight.

namespace scholar::nets {

// `name` stands before errors.
base::Result<FloatLinearNetwork> parse_hand_weights(std::string_view text, const std::string& name);

}  // namespace scholar::nets
