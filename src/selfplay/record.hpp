#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/score.hpp"
#include "games/game.hpp"
#include "search/search.hpp"
#include "selfplay/treestrap.hpp"

namespace scholar::selfplay {

// What a player's search said of a position before it moved there.
struct Judgement {
    bool searched = false;  // false: the move was drawn by lot, and nothing else here means anything
    bool quick = false;     // only to find a move: PlayPlan::full_share
    chess::Score score;     // from the side to move's view
    // Of the score: the last iteration may have been cut off when it had found a better move, but not yet
    // how much better.
    search::Bound bound = search::Bound::Exact;
    search::LeafKind leaf = search::LeafKind::CutShort;
    // From the position to the leaf whose static value the score is, if it is exactly that; else empty.
    std::vector<chess::Move> variation;
    std::uint32_t nodes = 0;
    int depth = 0;  // of the last iteration that was completed
    bool operator==(const Judgement&) const = default;
};

// A finished game with everything that learning needs of it: what players hand to a trainer.
struct Record {
    std::uint64_t number = 0;      // of the game in its run; it decides the game's random choices
    std::uint32_t generation = 0;  // of the network that played it
    games::Game game;
    std::vector<Judgement> judgements;  // one for each move of the game
    // Whom the searches of both sides took for the winner, early enough to give up: PlayPlan::resign_score.
    std::optional<chess::Color> decided_for;
    // Inside the searches: PlayPlan::treestrap.
    std::vector<TreeStrapNode> nodes;
    // CPU time that the game took, where that was not in the process of those who learn from it.
    double core_seconds_elsewhere = 0;
};

}  // namespace scholar::selfplay
