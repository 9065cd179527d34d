#pragma once

#include <cstdint>
#include <span>

#include "games/sampler.hpp"
#include "learning/perspective/model.hpp"

namespace scholar::learning {

// What the network thinks each kind of piece is worth (learning/measuring/removals.hpp). Boards may be
// impossible without the piece (a king in check, the side to move being the other): the features are changed,
// no position is made.
nets::PieceValues measure_piece_values(const Model& model, std::span<const games::Sample> samples,
                                       std::uint64_t seed);

}  // namespace scholar::learning
