#pragma once

#include <array>
#include <string_view>

#include "chess/position.hpp"

// The four stages of a game, between which the linear evaluation passes smoothly (KnightCap, section 4.1).

namespace scholar::nets {

enum class Stage { Opening, Middle, Ending, Mating };
constexpr std::array kStages{Stage::Opening, Stage::Middle, Stage::Ending, Stage::Mating};
constexpr std::size_t kStageCount = kStages.size();
std::string_view to_string(Stage stage);

// How much of each stage a position is, in parts of a whole that add up to kWhole; the same for both sides.
//
// By the pieces of both sides without pawns and kings, in kPoints (80 at the start of a game): 80 and more is
// the opening, 48 the middle, 16 and less the ending, and between these the shares change evenly. Where the
// weaker side is down to a king and one pawn it is half mating instead, and with a bare king all mating.
struct StageShares {
    static constexpr int kWhole = 128;
    std::array<int, kStageCount> parts{};

    int of(Stage stage) const { return parts[static_cast<std::size_t>(stage)]; }
};
StageShares stage_shares(const chess::Position& position);

}  // namespace scholar::nets
