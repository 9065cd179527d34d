#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

// What scores mean in results: how they are shown as centipawns and as chances to win, draw and lose.

namespace scholar::engine {

// 1 / (1 + e^-x).
double logistic(double x);

// An ordered logit. With a score x from the side to move's view and the material m on the board,
//     P(win)  = 1 / (1 + exp(θ(m) − β(m) x))        β(m) = sharpness + sharpness_by_material · u(m)
//     P(loss) = 1 / (1 + exp(θ(m) + β(m) x))        θ(m) = threshold + threshold_by_material · u(m)
// and u(m) = min(m, 32) / 16 − 1, from −1 for bare kings to 1 where an endgame begins. So an even chance to
// win is at x = a(m) = θ(m) / β(m), and the curve is 1 / β(m) wide: more material, more draws can still be
// spoilt.
struct WinRateModel {
    static constexpr int kTablebaseCentipawns = 20'000;
    static constexpr int kMostCentipawns = kTablebaseCentipawns - chess::kMaxPly - 1;  // of an evaluation

    double sharpness;  // per unit of Score
    double sharpness_by_material;
    double threshold;
    double threshold_by_material;

    // The score at which winning has an even chance: what is shown as 100 centipawns.
    double even_chance(int material) const;
    // What is proved, by a mate or an endgame table, is certain.
    chess::Wdl wdl(chess::Score score, int material) const;
    // Not of a mate. Rounded; the score that `score_of_centipawns` gives for it is the nearest. A win by an
    // endgame table is no evaluation: kTablebaseCentipawns less the half-moves to the position that the table
    // knows. Evaluations stay below all of those.
    int centipawns(chess::Score score, int material) const;
    double score_of_centipawns(double centipawns, int material) const;
};

// Both sides' pieces, counted as pawn 1, knight and bishop 3, rook 5, queen 9: 78 at the start, 0 with bare
// kings. It only says how far a game has come; nothing that plays knows these numbers.
int material_of(const chess::Position& position);
// u(m) above.
double scaled_material(int material);

// What the engine's scores are shown by: fitted to its own games.
const WinRateModel& default_win_rate();

}  // namespace scholar::engine
