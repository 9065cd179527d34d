#pragma once

#include <cstdint>
#include <span>

#include "games/sampler.hpp"
#include "learning/perspective/model.hpp"

namespace scholar::learning {

// What the network thinks each kind of piece is worth: the mean fall of Score (400 · logit) when one of that
// kind is taken off the board, over positions, of the side to move and of the other. Which one, where there
// are several, is drawn at random from `seed`. At least 1; the king has none. Boards may be impossible
// without the piece (a king in check, the side to move being the other): the features are changed, no
// position is made.
nets::PieceValues measure_piece_values(const Model& model, std::span<const games::Sample> samples,
                                       std::uint64_t seed);

}  // namespace scholar::learning
