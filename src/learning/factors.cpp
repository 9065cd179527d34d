#include "learning/factors.hpp"

namespace scholar::learning {

namespace {

using nets::FeatureSet;

std::size_t rows_of(FactorKind kind) {
    return static_cast<std::size_t>(kind == FactorKind::Piece ? FeatureSet::kPieces : FeatureSet::kBoard);
}

// The row that stands for a feature, among others.
std::size_t row_of(FactorKind kind, std::size_t feature) {
    const std::size_t on_board = feature % FeatureSet::kBoard;
    return kind == FactorKind::Piece ? on_board / FeatureSet::kSquares : on_board;
}

}  // namespace

std::string_view to_string(FactorKind kind) {
    return kind == FactorKind::Piece ? "piece" : "piece_square";
}

std::vector<Factor> factors_of(const nets::Architecture& architecture) {
    std::vector<Factor> factors;
    const auto add = [&](FactorKind kind) {
        const std::size_t size = rows_of(kind) * static_cast<std::size_t>(architecture.width);
        factors.push_back({kind, std::vector<float>(size), AdamMoments(size)});
    };
    add(FactorKind::Piece);
    if (architecture.features->buckets > 1) add(FactorKind::PieceSquare);
    return factors;
}

void add_factor(const Factor& factor, int width, std::span<float> transformer) {
    const auto w = static_cast<std::size_t>(width);
    for (std::size_t feature = 0; feature < transformer.size() / w; ++feature) {
        const float* from = factor.rows.data() + row_of(factor.kind, feature) * w;
        float* to = transformer.data() + feature * w;
        for (std::size_t i = 0; i < w; ++i) to[i] += from[i];
    }
}

std::vector<float> factor_gradient(const Factor& factor, int width, std::span<const float> gradient) {
    std::vector<float> sums(factor.rows.size());
    const auto w = static_cast<std::size_t>(width);
    for (std::size_t feature = 0; feature < gradient.size() / w; ++feature) {
        const float* from = gradient.data() + feature * w;
        float* to = sums.data() + row_of(factor.kind, feature) * w;
        for (std::size_t i = 0; i < w; ++i) to[i] += from[i];
    }
    return sums;
}

}  // namespace scholar::learning
