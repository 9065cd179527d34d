#pragma once

#include <string>

#include "arena/match.hpp"
#include "arena/sprt.hpp"

// Which of two is better, as a match of them says.

namespace scholar::arena {

// NotFirst: a test says that the first is not so much better as it was asked; the second need not be.
enum class Better { First, Second, NotFirst, Undecided };
// "first", "second", "not first", "undecided".
std::string_view to_string(Better better);

// By a test: the first where elo1 was accepted, not the first where elo0 was. Without one, whoever's 95 %
// interval of Elo lies above or below 0.
Better better_of(const MatchResult& result, const Sprt* test);

// "new against old: +1.2 ± 13.0 Elo, normalised +2.1 ± 21.9 (2,000 games at nodes=3000, +561 =880 −559, pairs
// 61 203 471 199 66)": for a ledger. `control`: of both, or "A and B".
std::string ledger_line(const MatchResult& result, const std::string& control);

}  // namespace scholar::arena
