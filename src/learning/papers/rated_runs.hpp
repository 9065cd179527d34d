#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/plot.hpp"
#include "learning/papers/findings.hpp"
#include "learning/selfplay_loop/learn_status.hpp"

// Runs of a paper's experiment whose networks were placed on the ladder after the same numbers of games, with
// the ratings that the paper gives beside them.

namespace scholar::learning {

// A rating that the paper gives, after so many games.
struct PaperRating {
    std::uint64_t games = 0;
    double elo = 0;
};

struct RatedRuns {
    std::string heading;
    std::vector<std::uint64_t> games;                       // the columns
    std::vector<PaperRating> paper;                         // each goes to the column that is nearest
    double paper_error = 0;                                 // of its ratings, 95 %
    std::vector<std::pair<std::string, std::string>> runs;  // the rows: what they are called, and the run
    std::map<std::pair<std::string, std::uint64_t>, LadderPlace> places{};  // by run and games
};

Findings::Table to_table(const RatedRuns& runs);
// Elo by games; a paper's rating stands at its own number of games.
base::Plot to_plot(const RatedRuns& runs, const std::string& title);

}  // namespace scholar::learning
