#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chess/types.hpp"
#include "games/sample.hpp"
#include "nets/container/piece_values.hpp"

namespace scholar::learning {

// What a network thinks each kind of piece is worth is the mean fall of Score (400 · logit) when one of that
// kind is taken off the board, over positions, of the side to move and of the other.
struct Removal {
    std::size_t sample = 0;  // by place
    chess::Square square = chess::NoSquare;
    chess::PieceKind kind = chess::NoKind;
    bool own = false;  // of the side to move
};

// One of each kind and colour that stands on the board, but no king; which one, where there are several, by
// lot, from `seed`.
std::vector<Removal> draw_removals(std::span<const games::Sample> samples, std::uint64_t seed);

// `whole`: the logit of each sample; `without`: that of each removal's board; both from the view of the side
// to move. Values are at least 1, and 1 for a kind of which none was removed; the king has none.
nets::PieceValues values_of_removals(std::span<const Removal> removals, std::span<const float> whole,
                                     std::span<const float> without);

}  // namespace scholar::learning
