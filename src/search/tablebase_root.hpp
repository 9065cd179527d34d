#pragma once

#include <vector>

#include "chess/line.hpp"
#include "search/root_moves.hpp"
#include "search/tablebase_rules.hpp"

namespace scholar::search {

// If the tables know the root, gives each move a rank by what it leads to (a won game first, then, with the
// distance tables, what wins soonest), orders the moves by it, and leaves those out that would give the
// result away: among moves of one result the search is then free to choose. Otherwise nothing changes, and
// the answer is false.
bool rank_by_tablebases(const TablebaseRules& rules, const chess::Line& line, std::vector<RootMove>& moves);

}  // namespace scholar::search
