#include "learning/factors.hpp"

#include "learning/panels.hpp"

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

// Calls each(where a row of the factor begins, where that of a feature begins) for all features of all panels
// of a transformer of so many values.
template <class Each>
void for_rows(const Factor& factor, std::size_t width, std::size_t values, Each each) {
    const std::size_t features = values / width;
    for (std::size_t panel = 0; panel < width / kPanel; ++panel)
        for (std::size_t feature = 0; feature < features; ++feature)
            each((panel * rows_of(factor.kind) + row_of(factor.kind, feature)) * kPanel,
                 (panel * features + feature) * kPanel);
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

std::vector<std::int64_t> rows_by_feature(FactorKind kind, int features) {
    std::vector<std::int64_t> rows;
    for (int feature = 0; feature < features; ++feature)
        rows.push_back(static_cast<std::int64_t>(row_of(kind, static_cast<std::size_t>(feature))));
    return rows;
}

void add_factor(const Factor& factor, int width, std::span<float> transformer) {
    for_rows(factor, static_cast<std::size_t>(width), transformer.size(),
             [&](std::size_t row, std::size_t feature) {
                 const float* from = factor.rows.data() + row;
                 float* to = transformer.data() + feature;
                 for (std::size_t i = 0; i < kPanel; ++i) to[i] += from[i];
             });
}

std::vector<float> factor_gradient(const Factor& factor, int width, std::span<const float> gradient) {
    std::vector<float> sums(factor.rows.size());
    for_rows(factor, static_cast<std::size_t>(width), gradient.size(),
             [&](std::size_t row, std::size_t feature) {
                 const float* from = gradient.data() + feature;
                 float* to = sums.data() + row;
                 for (std::size_t i = 0; i < kPanel; ++i) to[i] += from[i];
             });
    return sums;
}

}  // namespace scholar::learning
