#include "learning/perspective/factors.hpp"

#include <algorithm>
#include <cmath>

#include "learning/perspective/panels.hpp"

namespace scholar::learning {

namespace {

using nets::FeatureSet;

// The row that stands for a feature, among others.
std::size_t row_of(FactorKind kind, std::size_t feature) {
    const std::size_t on_board = feature % FeatureSet::kBoard;
    return kind == FactorKind::Piece ? on_board / FeatureSet::kSquares : on_board;
}

}  // namespace

std::string_view to_string(FactorKind kind) {
    return kind == FactorKind::Piece ? "piece" : "piece_square";
}

std::size_t rows_of(FactorKind kind) {
    return static_cast<std::size_t>(kind == FactorKind::Piece ? FeatureSet::kPieces : FeatureSet::kBoard);
}

std::vector<Factor> factors_of(const nets::Architecture& architecture) {
    std::vector<Factor> factors;
    const auto add = [&](FactorKind kind) {
        const std::size_t size = rows_of(kind) * static_cast<std::size_t>(architecture.width);
        factors.push_back({kind, std::vector<float>(size), AdamMoments(size)});
    };
    add(FactorKind::Piece);
    if (architecture.features->size() > FeatureSet::kBoard) add(FactorKind::PieceSquare);
    return factors;
}

std::vector<std::int64_t> rows_by_feature(FactorKind kind, int features) {
    std::vector<std::int64_t> rows;
    rows.reserve(static_cast<std::size_t>(features));
    for (int feature = 0; feature < features; ++feature)
        rows.push_back(static_cast<std::int64_t>(row_of(kind, static_cast<std::size_t>(feature))));
    return rows;
}

std::vector<float> factor_gradient(FactorKind kind, std::span<const float> gradient) {
    std::vector<float> sums(rows_of(kind) * kPanel);
    for (std::size_t feature = 0; feature < gradient.size() / kPanel; ++feature) {
        const float* from = gradient.data() + feature * kPanel;
        float* to = sums.data() + row_of(kind, feature) * kPanel;
        for (std::size_t i = 0; i < kPanel; ++i) to[i] += from[i];
    }
    return sums;
}

std::size_t add_factors(std::span<const Factor> factors, std::size_t panel, float clip,
                        std::span<float> transformer, std::span<float> sums) {
    std::size_t clipped = 0;
    for (std::size_t feature = 0; feature < transformer.size() / kPanel; ++feature) {
        float* row = transformer.data() + feature * kPanel;
        const auto add_up = [&](float* sum) {
            std::copy_n(row, kPanel, sum);
            for (const Factor& factor : factors) {
                const float* shared = factor.rows.data() +
                                      (panel * rows_of(factor.kind) + row_of(factor.kind, feature)) * kPanel;
                for (std::size_t i = 0; i < kPanel; ++i) sum[i] += shared[i];
            }
        };
        float* sum = sums.data() + feature * kPanel;
        add_up(sum);
        std::uint32_t beyond = 0;
        for (std::size_t i = 0; i < kPanel; ++i) beyond += std::abs(sum[i]) > clip ? 1U : 0U;
        if (beyond == 0) continue;
        clipped += beyond;
        for (std::size_t i = 0; i < kPanel; ++i) row[i] += std::clamp(sum[i], -clip, clip) - sum[i];
        add_up(sum);  // as anybody will who adds the same rows up
    }
    return clipped;
}

}  // namespace scholar::learning
