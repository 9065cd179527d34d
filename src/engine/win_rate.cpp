#include "engine/win_rate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace scholar::engine {

namespace {

// From here on more material on the board tells nothing more of how a score comes out: of the games of the
// network before, curves that bend at 30 or 34 fitted best (docs/results/engine.md).
constexpr int kTellingMaterial = 32;

// From 1,000 games of this engine with the network nets/scholar-de185459 against itself, 15,000 nodes a move
// (docs/results/engine.md). Made by
//     scholar net fit-wdl games.pgn
constexpr WinRateModel kDefault{.sharpness = 0.006497,
                                .sharpness_by_material = -0.001306,
                                .threshold = 3.3319,
                                .threshold_by_material = -2.4143};

}  // namespace

double logistic(double x) {
    return 1 / (1 + std::exp(-x));
}

double WinRateModel::even_chance(int material) const {
    const double u = scaled_material(material);
    return (threshold + threshold_by_material * u) / (sharpness + sharpness_by_material * u);
}

chess::Wdl WinRateModel::wdl(chess::Score score, int material) const {
    if (score.is_win()) return {1, 0, 0};
    if (score.is_loss()) return {0, 0, 1};
    const double u = scaled_material(material);
    const double x = (sharpness + sharpness_by_material * u) * score.value();
    const double bar = threshold + threshold_by_material * u;
    const double win = logistic(x - bar);
    const double loss = logistic(-x - bar);
    return {win, std::max(0.0, 1 - win - loss), loss};  // where hardly anything is left, rounding may be more
}

int WinRateModel::centipawns(chess::Score score, int material) const {
    if (score.is_win()) return kTablebaseCentipawns - (chess::Score::kTablebaseValue - score.value());
    if (score.is_loss()) return -centipawns(-score, material);
    const auto fitted = static_cast<int>(std::lround(100 * score.value() / even_chance(material)));
    return std::clamp(fitted, -kMostCentipawns, kMostCentipawns);
}

double WinRateModel::score_of_centipawns(double centipawns, int material) const {
    return centipawns * even_chance(material) / 100;
}

int material_of(const chess::Position& position) {
    constexpr std::array<int, 5> counts{1, 3, 3, 5, 9};
    int sum = 0;
    for (std::size_t kind = 0; kind < counts.size(); ++kind)
        sum += counts[kind] * std::popcount(position.pieces(static_cast<chess::PieceKind>(kind)));
    return sum;
}

double scaled_material(int material) {
    return 2.0 * std::min(material, kTellingMaterial) / kTellingMaterial - 1;
}

const WinRateModel& default_win_rate() {
    return kDefault;
}

}  // namespace scholar::engine
