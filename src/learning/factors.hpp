#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "learning/adam.hpp"
#include "nets/architecture.hpp"

namespace scholar::learning {

// Rows that features share while training: each is added to the rows of all features that it stands for, so
// that what these have in common is learnt once, which matters where games are few.
enum class FactorKind : std::uint8_t {
    Piece,        // own pawn to enemy king: what a piece is worth anywhere
    PieceSquare,  // piece and square: what it is worth there wherever the own king stands
};

struct Factor {
    FactorKind kind{};
    std::vector<float> rows;  // [row][width], or in panels
    AdamMoments moments;
};

// As files name them.
std::string_view to_string(FactorKind kind);

// Those that a factorised network has, with rows of zeros.
std::vector<Factor> factors_of(const nets::Architecture& architecture);

// Adds the factor to the transformer that it belongs to. Here and in the gradient both are in panels
// (learning/panels.hpp).
void add_factor(const Factor& factor, int width, std::span<float> transformer);

// For each feature of a transformer of so many, the row of a factor that stands for it.
std::vector<std::int64_t> rows_by_feature(FactorKind kind, int features);

// The gradient of the factor's rows, given that of the transformer with all factors in it.
std::vector<float> factor_gradient(const Factor& factor, int width, std::span<const float> gradient);

}  // namespace scholar::learning
