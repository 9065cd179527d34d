#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "chess/position.hpp"
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

// The position without a piece and what goes with it; nothing if that is none (the other king would be in
// check).
std::optional<chess::Position> position_without(const chess::Position& position, chess::Square gone);

// `whole`: the logit of each sample; `without`: that of each removal's board; both from the view of the side
// to move. Values are at least 1, and 1 for a kind of which none was removed; the king has none.
nets::PieceValues values_of_removals(std::span<const Removal> removals, std::span<const float> whole,
                                     std::span<const float> without);

// All of that, for who values whole positions: `logit_of` gives the logit of the expected result of the side
// to move. Where there is no position without the piece, nothing is removed.
nets::PieceValues piece_values_by_removals(std::span<const games::Sample> samples, std::uint64_t seed,
                                           const std::function<float(const chess::Position&)>& logit_of);

}  // namespace scholar::learning
