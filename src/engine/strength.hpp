#pragma once

#include <cstdint>
#include <span>

#include "chess/position.hpp"

// UCI_LimitStrength: how the engine is made to play like a weaker player.

namespace scholar::engine {

// A player of some strength: few nodes, so that it overlooks what is deep, and errors in its judgement, the
// same each time it sees a position, so that it is wrong about what is near as people are.
struct Level {
    int elo;
    std::uint64_t nodes;  // a move
    double noise;         // standard deviation of the error of an evaluation, in Score units
};

// The points between which levels lie, weakest first. Their Elo was measured (docs/results/engine.md).
std::span<const Level> levels();
int weakest_elo();
int strongest_elo();

// Between the points: nodes by their logarithm, noise linearly. Outside of them: the nearest.
Level level_for(int elo);

// Whether a weak player would be broken, not weak, if it went on to err: the opponent has a bare king, and
// anyone who plays chess can win that.
bool is_finishing(const chess::Position& position);
// Then, and to carry out a mate it has seen, it searches so many nodes at least, without errors.
constexpr std::uint64_t kFinishingNodes = 20'000;

}  // namespace scholar::engine
