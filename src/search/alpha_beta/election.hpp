#pragma once

#include <cstddef>
#include <span>

#include "chess/score.hpp"
#include "chess/types.hpp"
#include "search/search.hpp"

namespace scholar::search {

// What one thread of a search would play.
struct Ballot {
    chess::Move move;
    chess::Score score = -chess::Score::infinite();  // so: it has none, having been stopped too early
    Bound bound = Bound::Exact;                      // of the score
    int depth = 0;                                   // of the last iteration that it completed
};

// Whose move, score and variation the threads together put forward: each votes for its move, with a weight
// that grows with its score and its depth. A proved mate needs no majority. Whoever has a score that its move
// is known to reach (exact, or a bound from below) goes before who has one from above, and that one before
// who has none. Where nothing decides it is the first. `ballots` not empty.
std::size_t elect(std::span<const Ballot> ballots);

}  // namespace scholar::search
