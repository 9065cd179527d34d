#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "engine/win_rate.hpp"

// Fitting the model of engine/win_rate.hpp to games.

namespace scholar::engine {

// A position's score and what became of its game, both from the side to move's view.
struct ScoredPosition {
    double score;        // Score units; no mate
    int material;        // material_of()
    int outcome;         // 1 won, 0 drawn, −1 lost
    std::uint32_t game;  // positions of one game are not independent of each other; in ascending order
};

// Of even_chance() and of the curve's width at some material, with standard errors.
struct FittedPoint {
    int material;
    double even_chance;
    double even_chance_error;
    double width;
    double width_error;
};

// Of the positions with a like chance to win, predicted and observed shares.
struct CalibrationRow {
    double from;  // predicted chance to win, up to the next row's
    std::uint64_t positions = 0;
    chess::Wdl predicted;
    chess::Wdl observed;
};

struct WinRateFit {
    WinRateModel model;
    // In the order of the model's members, from the games' own spread (clustered by game).
    std::array<double, 4> errors;
    std::uint64_t positions = 0;
    std::uint64_t games = 0;
    // Nats a position: of the model, and of one that knows only how often each result comes.
    double log_likelihood = 0;
    double baseline = 0;
    std::vector<FittedPoint> points;
    std::vector<CalibrationRow> calibration;
};

// By maximum likelihood, which has one maximum. Refused: positions that do not have all three outcomes, or
// scores that say nothing of them. Without `by_material` the model's slopes by material are 0.
base::Result<WinRateFit> fit_win_rate(const std::vector<ScoredPosition>& positions, bool by_material = true);

}  // namespace scholar::engine
