#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "arena/match.hpp"
#include "arena/sprt.hpp"
#include "base/error.hpp"

// A match with a progress line, and with a test that may end it.

namespace scholar::cli {

struct WatchedMatch {
    arena::MatchResult match;  // interrupted: by `stop`, not by the test
    std::optional<arena::Sprt> test;
};

base::Result<WatchedMatch> watch_match(const arena::MatchOptions& options,
                                       const std::optional<arena::SprtSettings>& sprt,
                                       std::vector<arena::MatchObserver*> observers,
                                       const arena::EarlierGames& earlier, const std::stop_token& stop);

}  // namespace scholar::cli
