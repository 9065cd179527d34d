#pragma once

#include "arena/match.hpp"
#include "cli/output.hpp"

namespace scholar::cli {

// What a match or a tournament came to, for programs: what each two scored against each other, with the Elo
// of the first where there is one, and what each engine did.
Json match_json(const arena::MatchResult& result);

}  // namespace scholar::cli
