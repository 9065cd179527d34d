#pragma once

#include <concepts>
#include <cstdint>

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "nets/container/piece_values.hpp"

namespace scholar::evaluators {

// The compile-time seam for searches that evaluate one leaf at a time. An evaluator follows the search's
// path:
//   reset(position)       begin anew at a root
//   push(before, move)    a legal move is made in `before`, which is where the evaluator stands
//   push_null(before)     the move passes to the other side
//   pop()                 back by one move
//   value(position)       the static score of `position`, which is where the evaluator stands, from its side
//   to move's
//                         view; never a mate score
//   piece_values()        what a piece is worth in exchanges, as learnt
// An evaluator belongs to one thread; what it reads (weights) may be shared.
template <class E>
concept LeafEvaluator =
    requires(E evaluator, const E& constant, const chess::Position& position, chess::Move move) {
        { evaluator.reset(position) };
        { evaluator.push(position, move) };
        { evaluator.push_null(position) };
        { evaluator.pop() };
        { evaluator.value(position) } -> std::same_as<chess::Score>;
        { constant.piece_values() } -> std::convertible_to<const nets::PieceValues&>;
    };

// Nodes that a search visits between two looks at its clock. An evaluator that may take a tenth of a
// millisecond for a position says fewer.
template <LeafEvaluator E>
inline constexpr std::uint64_t kNodesBetweenLooks = 512;

}  // namespace scholar::evaluators
