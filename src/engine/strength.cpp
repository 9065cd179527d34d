#include "engine/strength.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace scholar::engine {

namespace {

// Their Elo was measured on the ladder with the default network, to which an even chance to win takes 177
// units. docs/results/engine.md.
constexpr std::array<Level, 8> kLevels{{
    {.elo = 840, .nodes = 60, .noise = 1'000},
    {.elo = 1010, .nodes = 200, .noise = 650},
    {.elo = 1360, .nodes = 500, .noise = 400},
    {.elo = 1710, .nodes = 700, .noise = 280},
    {.elo = 1960, .nodes = 1'000, .noise = 170},
    {.elo = 2470, .nodes = 4'000, .noise = 70},
    {.elo = 3030, .nodes = 30'000, .noise = 15},
    {.elo = 3360, .nodes = 100'000, .noise = 0},
}};

}  // namespace

std::span<const Level> levels() {
    return kLevels;
}

int weakest_elo() {
    return kLevels.front().elo;
}

int strongest_elo() {
    return kLevels.back().elo;
}

Level level_for(int elo) {
    const auto above = std::ranges::find_if(kLevels, [&](const Level& level) { return level.elo >= elo; });
    if (above == kLevels.begin()) return kLevels.front();
    if (above == kLevels.end()) return kLevels.back();
    const Level& high = *above;
    const Level& low = *std::prev(above);
    const double share = static_cast<double>(elo - low.elo) / (high.elo - low.elo);
    const double nodes = std::exp(std::lerp(std::log(static_cast<double>(low.nodes)),
                                            std::log(static_cast<double>(high.nodes)), share));
    return {elo, static_cast<std::uint64_t>(std::lround(nodes)), std::lerp(low.noise, high.noise, share)};
}

bool is_finishing(const chess::Position& position) {
    return std::popcount(position.pieces(~position.side_to_move())) == 1;
}

}  // namespace scholar::engine
