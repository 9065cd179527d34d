#pragma once

#include <array>
#include <span>
#include <vector>

#include "chess/position.hpp"

// What a network must beat to have learnt anything: a constant, and the count of the pieces.

namespace scholar::learning {

// Own minus enemy pawns, knights, bishops, rooks and queens, and a 1 for having the move.
using Material = std::array<double, 6>;
Material material_of(const chess::Position& position);

// Logistic regression: the logit is the sum of weight × material.
struct MaterialPredictor {
    Material weights{};
    double logit(const Material& material) const;
};

// The most likely weights for targets from 0 to 1 (Newton's method, which is iteratively reweighted least
// squares here).
MaterialPredictor fit_material(std::span<const Material> materials, std::span<const float> targets);

// The logit of the best constant: the mean target.
double fit_constant(std::span<const float> targets);

}  // namespace scholar::learning
