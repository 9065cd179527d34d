#pragma once

#include <cstdint>
#include <vector>

#include "chess/position.hpp"
#include "selfplay/record.hpp"

// From a finished game to positions with what a network should say of them.

namespace scholar::learning {

struct Lesson {
    chess::Position position;
    float target = 0.5F;  // expected result for the side to move
    float result =
        0.5F;         // of the game alone, for the side to move; of one that was cut off, what it was worth
    float slack = 0;  // so far above the target all is right, too (selfplay/interval.hpp)
};

struct LessonPlan {
    enum class Where : std::uint8_t {
        Leaf,  // TDLeaf(λ): the leaves whose static values the scores are
        Root,  // TD(λ): the positions of the game, without those in check or whose move is noisy
        Tree,  // TreeStrap: the nodes inside the searches, to the values and bounds that were found for them
    };
    // As in the built-in recipe, recipes/learn.toml: docs/results/learning.md says why.
    Where where = Where::Root;
    double lambda = 0.9;
    // Whether searches whose score is no more than a bound are left out, as if their moves had only been
    // played.
    bool only_exact = false;
    // Of what the search found at the position itself, in the place of as much of G_t, which is made of what
    // came after it alone.
    double own_weight = 0;
    // target = weight · result + (1 − weight) · G_t. Before the last move drawn by lot G_t alone: the result
    // says more about that move.
    double result_weight = 0;
};

std::vector<Lesson> lessons_of(const selfplay::Record& record, const LessonPlan& plan);

}  // namespace scholar::learning
