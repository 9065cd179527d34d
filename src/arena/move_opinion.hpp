#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chess/types.hpp"

namespace scholar::arena {

// What somebody holds of the legal moves of a position.
struct MoveOpinion {
    // The best first; what stands behind the last of them is not known, if there are no shares either. Empty:
    // only the shares tell.
    std::vector<chess::Move> ranked;
    // Of the legal moves, probabilities or visits, in any order; a move that is left out has none. Empty:
    // they are not known.
    std::vector<std::pair<chess::Move, double>> shares;
    bool are_probabilities = false;
    // Why the move is no more than legal, such as a network that gave no answer; "": it is meant.
    std::string trouble;
};

// How often `move` is expected among the `count` moves held to be best, 0 or 1, or between where moves with
// equal shares stand on both sides of that line: their order is not known, so that each is as likely. The
// first of `ranked` stands before all others, whatever its share. `legal`: how many legal moves there are.
// Nothing: the opinion does not go so far.
std::optional<double> share_within(const MoveOpinion& opinion, chess::Move move, int count, int legal);

// Its probability; nothing where there are none, 0 of a move that is not among them.
std::optional<double> probability_of(const MoveOpinion& opinion, chess::Move move);

}  // namespace scholar::arena
