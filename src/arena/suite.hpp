#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "arena/player.hpp"
#include "base/error.hpp"
#include "chess/epd.hpp"

namespace scholar::arena {

// A position of a test suite with what an engine should answer.
struct SuiteItem {
    chess::Position position;
    std::string id;
    std::string theme;  // what its id begins with; see theme_of()
    std::vector<chess::Move> best;
    std::vector<chess::Move> avoid;
    // dm: solved by announcing a mate in at most so many moves, with a variation that mates. 0: not asked
    // for.
    int mate = 0;
    // As the Strategic Test Suite has them: c9 the moves, c8 what each is worth. Empty: a solved position is
    // worth 1.
    std::vector<std::pair<chess::Move, int>> points;

    int max_points() const;
    int points_for(chess::Move move, const SearchInfo& info = {}) const;
    // One of the best moves and none to avoid; if neither is given, one worth the most points. Where a mate
    // is asked for, that too, as announces_mate() says.
    bool is_solved_by(chess::Move move, const SearchInfo& info = {}) const;
};

// Whether the engine says that it mates in at most `moves`, and shows how: a variation that begins with its
// move, is legal throughout, and ends in checkmate within so many moves of its own.
bool announces_mate(const chess::Position& position, chess::Move move, const SearchInfo& info, int moves);

// "STS(v1.0) Undermine.001" is "Undermine", "WAC.001" is "WAC": the text between ") " and the last ".number".
// Parts with '/' between them are put in order: the suite itself names one theme "A/B" and "B/A".
std::string theme_of(const std::string& id);
base::Result<SuiteItem> suite_item(const chess::Epd& epd);
// A file of EPD lines, compressed or not; empty lines and lines that begin with '#' do not count. The first
// thing wrong in it is an error, with its line.
base::Result<std::vector<SuiteItem>> read_suite(const std::string& path);

struct SuiteOptions {
    std::vector<EngineConfig> engines;
    SearchLimit limit = MoveTimeLimit{std::chrono::milliseconds(100)};
    // Positions with a dm are searched for a mate in so many moves instead, as long as `untimed_patience`.
    bool ask_for_mates = false;
    int concurrency = 1;
    // An answer this much later than a movetime is in time; a later one is late, and gets no points.
    std::chrono::milliseconds time_margin{50};
    // How much longer than a movetime we wait for an answer at all; the whole of it where the limit is not a
    // time.
    std::chrono::milliseconds stall_after{5'000};
    std::chrono::milliseconds untimed_patience{300'000};
    PlayerPatience patience;
    // How often an engine that does not start again, or is not ready, is given another chance at a position
    // before that counts as a failure. At the next position it is given one more.
    int start_attempts = 3;
};

struct SuiteAnswer {
    bool asked = false;     // false: stopped before its turn
    bool late = false;      // it came more than the margin after a movetime: it gets no points
    std::string failure{};  // empty, or why there is no legal move: it gets no points
    chess::Move move{};
    SearchInfo info{};
    std::chrono::microseconds elapsed{0};
};

// Of one engine.
struct SuiteResult {
    std::string engine;
    std::vector<SuiteAnswer> answers;  // by item
    bool interrupted = false;
};
using SuiteResults = std::vector<SuiteResult>;  // in the order of the options

// What an engine scored in one theme or in all.
struct SuiteScore {
    std::string theme;
    int positions = 0;
    int solved = 0;
    int points = 0;
    int max_points = 0;
    int failures = 0;
    int late = 0;
};

// Asks each position as a new game. With several engines all answer one position before any gets the next,
// and take turns in who is first, so that what else the machine does falls on all alike. An engine that fails
// is started again for the next position; an engine that does not start at all is an error. `progress` hears
// the number of answers, from one thread at a time.
base::Result<SuiteResults> run_suite(const std::vector<SuiteItem>& items, const SuiteOptions& options,
                                     const std::function<void(std::size_t)>& progress, std::stop_token stop);

// Of the positions asked: by theme, in the order of the suite.
std::vector<SuiteScore> scores_by_theme(const std::vector<SuiteItem>& items, const SuiteResult& result);
// All together, under the name "total".
SuiteScore total_score(const std::vector<SuiteItem>& items, const SuiteResult& result);

// A table of the themes with the points of every engine beside each other, for more than one; then nodes and
// depth of each.
std::string describe(const std::vector<SuiteItem>& items, const SuiteResults& results);
// A table of the themes, the total, average nodes and depth.
std::string describe(const std::vector<SuiteItem>& items, const SuiteResult& result);
// One line of JSON for each position asked, then one with the total; each with its end.
std::string to_json_lines(const std::vector<SuiteItem>& items, const SuiteResult& result);

}  // namespace scholar::arena
