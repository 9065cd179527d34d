#pragma once

#include <optional>

#include "tablebases/tablebases.hpp"

namespace scholar::search {

// When endgame tables are asked, and what their answers mean.
struct TablebaseRules {
    std::optional<tablebases::Tablebases> tables;
    int min_depth = 1;            // inside the tree, only where so many half-moves are left…
    int max_pieces = 7;           // …or the position has fewer pieces than this; more are never asked about
    bool fifty_move_rule = true;  // wins that take too long count as draws
};

}  // namespace scholar::search
