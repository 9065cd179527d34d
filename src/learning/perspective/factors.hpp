#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "learning/optimise/adam.hpp"
#include "nets/perspective/architecture.hpp"

namespace scholar::learning {

// Rows that features share while training: each is added to the rows of all features that it stands for, so
// that what these have in common is learnt once, which matters where games are few.
enum class FactorKind : std::uint8_t {
    Piece,        // own pawn to enemy king: what a piece is worth anywhere
    PieceSquare,  // piece and square: what it is worth there wherever the own king stands, attacked or not
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

// For each feature of a transformer of so many, the row of a factor that stands for it.
std::vector<std::int64_t> rows_by_feature(FactorKind kind, int features);

// How many rows a factor has.
std::size_t rows_of(FactorKind kind);

// What follows works on one panel (learning/perspective/panels.hpp) of a transformer, of the gradient and of
// factors: nothing of it concerns another.

// The gradient of a factor's rows, given that of the transformer with all factors in it.
std::vector<float> factor_gradient(FactorKind kind, std::span<const float> gradient);

// Writes to `sums` the rows of the transformer and those of the factors that stand for them, added up. Where
// a sum is beyond ±`clip` the transformer's own row is moved until it is not, within rounding; gives the
// number of those. (To clip rows and factors apart would cut a network that comes as sums only, with factors
// of 0.)
std::size_t add_factors(std::span<const Factor> factors, std::size_t panel, float clip,
                        std::span<float> transformer, std::span<float> sums);

}  // namespace scholar::learning
