#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/plot.hpp"
#include "learning/papers/reproduction.hpp"

// What a reproduction of the paper on KnightCap has come to, as Markdown and a drawing.

namespace scholar::learning {

// A rating that the paper gives, after so many games.
struct PaperRating {
    std::uint64_t games = 0;
    double elo = 0;
};

// Runs whose networks were rated after the same numbers of games: a table.
struct RatedRuns {
    std::string heading;
    std::vector<std::uint64_t> games;                       // the columns
    std::vector<PaperRating> paper;                         // each goes to the column that is nearest
    std::vector<std::pair<std::string, std::string>> runs;  // the rows: what they are called, and the run
    bool is_plotted = false;
};

struct PlayedMatch {
    std::string of;
    std::string terms;
    std::string paper;
    Duel duel;
};

struct KnightcapResults {
    std::uint64_t nodes = 0;  // a move
    int ladder_games = 0;     // of each network
    int match_games = 0;
    std::string no_places;  // why nobody was placed on the ladder; "": they are, in time
    std::vector<RatedRuns> rated;
    std::map<std::pair<std::string, std::uint64_t>, LadderPlace> places;  // by run and games
    std::vector<PlayedMatch> matches;
    std::map<std::string, std::uint64_t> learnt;  // runs that are there, and their games
};

// The report; it shows the drawing as rating.svg and links to the report of each run.
std::string knightcap_report(const KnightcapResults& results);

// Rating by games of those that are plotted, and of the paper's that stand beside them.
base::Plot knightcap_ratings(const KnightcapResults& results);

}  // namespace scholar::learning
