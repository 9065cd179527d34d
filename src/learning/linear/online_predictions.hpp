#pragma once

#include <span>
#include <vector>

#include "arena/match.hpp"
#include "learning/linear/online_update.hpp"
#include "nets/linear/linear_network.hpp"
#include "selfplay/recording_player.hpp"

namespace scholar::learning {

// Which positions learn what a search found.
enum class OnlineWhere : std::uint8_t {
    Leaf,  // TDLeaf(λ): the end of the principal variation, whose static value the score is
    Root,  // TD(λ): the position that was searched
    Line,  // every position of the principal variation, both of these included
    // TreeStrap: the nodes inside the search, to the values and bounds that it found for each (J. Veness, D.
    // Silver, W. Uther, A. Blair, "Bootstrapping from game tree search", 2009). How the game goes on is not
    // asked.
    Tree,
};

// A finished game, as learning needs it.
struct OnlineGame {
    chess::Position start;
    std::vector<chess::Move> moves;  // all, those of its opening included
    bool mated = false;              // the learner's last move mated: it needs no expected reply
};

// What one side's searches said in a game. A score that is a mate counts as certain. Lessons are where the
// score is exactly the static value of a leaf: that leaf, and before it positions that are not in check and
// do not go on with a capture or a promotion, whose static values `network` gives; or, inside the tree, the
// nodes of each thought whose static values are not yet what was found.
std::vector<OnlinePrediction> predictions(std::span<const selfplay::Thought> thoughts, const OnlineGame& game,
                                          chess::Color side, OnlineWhere where,
                                          const nets::FloatLinearNetwork& network);

}  // namespace scholar::learning
