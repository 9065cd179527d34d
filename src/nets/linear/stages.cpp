#include "nets/linear/stages.hpp"

#include <algorithm>

#include "nets/linear/linear_feature_table.hpp"

namespace scholar::nets {

using namespace chess;

namespace {

constexpr int kOpening = 80;
constexpr int kMiddle = 48;
constexpr int kEnding = 16;
constexpr int kSpan = kOpening - kMiddle;
static_assert(kMiddle - kEnding == kSpan && StageShares::kWhole % (2 * kSpan) == 0);

int officer_points(const Position& position, Color color) {
    int sum = 0;
    for (const PieceKind kind : {Knight, Bishop, Rook, Queen})
        sum += kPoints[kind] * popcount(position.pieces(color, kind));
    return sum;
}

}  // namespace

std::string_view to_string(Stage stage) {
    constexpr std::array<std::string_view, kStageCount> names{"opening", "middle", "ending", "mating"};
    return names[static_cast<std::size_t>(stage)];
}

StageShares stage_shares(const Position& position) {
    const std::array officers{officer_points(position, White), officer_points(position, Black)};
    int weaker = 2;
    for (const Color color : kColors)
        weaker = std::min(weaker, officers[color] + popcount(position.pieces(color, Pawn)));
    const int whole = StageShares::kWhole / 2 * weaker;
    const int material = std::clamp(officers[White] + officers[Black], kEnding, kOpening);
    const int opening = whole * std::max(0, material - kMiddle) / kSpan;
    const int ending = whole * std::max(0, kMiddle - material) / kSpan;
    return {{opening, whole - opening - ending, ending, StageShares::kWhole - whole}};
}

}  // namespace scholar::nets
