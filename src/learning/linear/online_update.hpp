#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nets/linear/linear_network.hpp"
#include "selfplay/interval.hpp"

// What KnightCap learns from one game against somebody else (J. Baxter, A. Tridgell, L. Weaver, "KnightCap: a
// chess program that learns by combining TD(λ) with game-tree search", 1998, section 4.1): TDLeaf(λ), as
// learning/targets/td.hpp has it, over the positions in which it was the learner's turn, with values squashed
// by tanh, and without learning to hope for blunders. Or, beyond the paper, what the search found is taught
// to other positions than the leaf.

namespace scholar::learning {

// A position whose static evaluation is to come nearer to what the search made of it.
struct OnlineLesson {
    // u = tanh(βJ) of its static evaluation J, −1 to 1, from the learner's view. Score's unit makes β 1/800:
    // u is twice Score::expected() less 1, and a quarter for a pawn (nets::kPawnScore), as in the paper.
    double value = 0;
    std::vector<nets::Slope> slopes;  // of J
    // TreeStrap: between which expected results, from the learner's view, the search found this position to
    // lie. The rest of the game then has no say.
    std::optional<selfplay::Interval> found{};
};

// What the learner's search said before one of its moves.
struct OnlinePrediction {
    double value = 0;  // v = tanh(βJ) of the search's score
    // Empty where nothing is learnt: what came before is still measured by this value. With TDLeaf(λ) the
    // leaf whose static value the score is, where it is one: u = v.
    std::vector<OnlineLesson> lessons;
    // Whether the opponent's answer to the learner's move was the one that the search expected.
    bool reply_expected = false;
};

// How positive differences count that followed a move the search had not expected: the opponent may simply
// have blundered.
enum class Windfall : std::uint8_t {
    Ignore,          // they are taken for 0, as in the paper
    FromWeakerOnly,  // only if the opponent is the weaker one (the paper's footnote 4)
    Learn,           // as any other
};

struct OnlineUpdate {
    double lambda = 0.7;
    // Of the paper's equation 11, for weights in pawns. The paper's 1 has a unit that it does not say.
    double alpha = 0.03;
    Windfall windfall = Windfall::Ignore;
};

// How a game ended, as the update sees it.
struct OnlineGameOutcome {
    double value = 0;   // 1, 0 or −1, from the learner's view
    bool tells = true;  // false: of a game lost or won by the clock or the line, nothing of the position
    bool opponent_is_weaker = false;  // by its rating before the game
};

// e_t for each prediction.
std::vector<double> online_errors(std::span<const OnlinePrediction> game, const OnlineGameOutcome& outcome,
                                  const OnlineUpdate& how);

// Adds α Σ_t ∇u · (v_t + e_t − u), the mean over the lessons of each prediction, to `weights` (in Score
// units), with ∇u = β (1 − u²) ∇J. Of a leaf with u = v that is the paper's α Σ_t ∇v_t · e_t. Where a lesson
// has been found by the search itself, the nearest of what was found stands in the place of v_t + e_t.
void add_online_update(std::span<const OnlinePrediction> game, const OnlineGameOutcome& outcome,
                       const OnlineUpdate& how, std::span<double> weights);

}  // namespace scholar::learning
