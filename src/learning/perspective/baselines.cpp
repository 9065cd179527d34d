#include "learning/perspective/baselines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learning/targets/losses.hpp"

namespace scholar::learning {

namespace {

constexpr std::size_t kTerms = std::tuple_size_v<Material>;
using Matrix = std::array<Material, kTerms>;

// Solves matrix · x = right for a positive definite matrix, by elimination.
Material solve(Matrix matrix, Material right) {
    for (std::size_t pivot = 0; pivot < kTerms; ++pivot)
        for (std::size_t row = pivot + 1; row < kTerms; ++row) {
            const double factor = matrix[row][pivot] / matrix[pivot][pivot];
            for (std::size_t column = pivot; column < kTerms; ++column)
                matrix[row][column] -= factor * matrix[pivot][column];
            right[row] -= factor * right[pivot];
        }
    for (std::size_t row = kTerms; row-- > 0;) {
        for (std::size_t column = row + 1; column < kTerms; ++column)
            right[row] -= matrix[row][column] * right[column];
        right[row] /= matrix[row][row];
    }
    return right;
}

}  // namespace

Material material_of(const chess::Position& position) {
    const chess::Color us = position.side_to_move();
    Material material{};
    for (const chess::PieceKind kind : {chess::Pawn, chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
        material[kind] =
            chess::popcount(position.pieces(us, kind)) - chess::popcount(position.pieces(~us, kind));
    material[kTerms - 1] = 1;
    return material;
}

double MaterialPredictor::logit(const Material& material) const {
    return std::inner_product(material.begin(), material.end(), weights.begin(), 0.0);
}

MaterialPredictor fit_material(std::span<const Material> materials, std::span<const float> targets) {
    MaterialPredictor predictor;
    for (int round = 0; round < 20; ++round) {
        Material slope{};
        Matrix curvature{};
        // A pinch of ridge: a kind that never differs would leave the matrix singular.
        for (std::size_t i = 0; i < kTerms; ++i) {
            curvature[i][i] = 1e-3;
            slope[i] = -1e-3 * predictor.weights[i];
        }
        for (std::size_t i = 0; i < materials.size(); ++i) {
            const Material& x = materials[i];
            const double expected = sigmoid(predictor.logit(x));
            const double error = static_cast<double>(targets[i]) - expected;
            const double weight = expected * (1 - expected);
            for (std::size_t row = 0; row < kTerms; ++row) {
                slope[row] += error * x[row];
                for (std::size_t column = 0; column < kTerms; ++column)
                    curvature[row][column] += weight * x[row] * x[column];
            }
        }
        const Material step = solve(curvature, slope);
        double largest = 0;
        for (std::size_t i = 0; i < kTerms; ++i) {
            predictor.weights[i] += step[i];
            largest = std::max(largest, std::abs(step[i]));
        }
        if (largest < 1e-9) break;
    }
    return predictor;
}

double fit_constant(std::span<const float> targets) {
    const double mean = std::accumulate(targets.begin(), targets.end(), 0.0) /
                        std::max(1.0, static_cast<double>(targets.size()));
    const double inside = std::clamp(mean, 1e-6, 1 - 1e-6);
    return std::log(inside / (1 - inside));
}

}  // namespace scholar::learning
