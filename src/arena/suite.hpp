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
    // As the Strategic Test Suite has them: c9 the moves, c8 what each is worth. Empty: a solved position is
    // worth 1.
    std::vector<std::pair<chess::Move, int>> points;

    int max_points() const;
    int points_for(chess::Move move) const;
    // One of the best moves and none to avoid; if neither is given, one worth the most points.
    bool is_solved_by(chess::Move move) const;
};

// "STS(v1.0) Undermine.001" is "Undermine", "WAC.001" is "WAC": the text between ") " and the last ".number".
// Parts with '/' between them are put in order: the suite itself names one theme "A/B" and "B/A".
std::string theme_of(const std::string& id);
base::Result<SuiteItem> suite_item(const chess::Epd& epd);
// A file of EPD lines, compressed or not; empty lines and lines that begin with '#' do not count. The first
// thing wrong in it is an error, with its line.
base::Result<std::vector<SuiteItem>> read_suite(const std::string& path);

struct SuiteOptions {
    EngineConfig engine;
    SearchLimit limit = MoveTimeLimit{std::chrono::milliseconds(100)};
    int concurrency = 1;
    // How much longer than a movetime an answer may take; the whole of it where the limit is not a time.
    std::chrono::milliseconds stall_after{5'000};
    std::chrono::milliseconds untimed_patience{300'000};
    PlayerPatience patience;
};

struct SuiteAnswer {
    bool asked = false;   // false: stopped before its turn
    std::string failure;  // empty, or why there is no legal move: it gets no points
    chess::Move move;
    SearchInfo info;
    std::chrono::microseconds elapsed{0};
};

struct SuiteResult {
    std::string engine;
    std::vector<SuiteAnswer> answers;  // by item
    bool interrupted = false;
};

// What an engine scored in one theme or in all.
struct SuiteScore {
    std::string theme;
    int positions = 0;
    int solved = 0;
    int points = 0;
    int max_points = 0;
    int failures = 0;
};

// Asks each position as a new game. An engine that fails is started again for the next position. `progress`
// hears the number of positions done, from one thread at a time.
base::Result<SuiteResult> run_suite(const std::vector<SuiteItem>& items, const SuiteOptions& options,
                                    const std::function<void(std::size_t)>& progress, std::stop_token stop);

// Of the positions asked: by theme, in the order of the suite.
std::vector<SuiteScore> scores_by_theme(const std::vector<SuiteItem>& items, const SuiteResult& result);
// All together, under the name "total".
SuiteScore total_score(const std::vector<SuiteItem>& items, const SuiteResult& result);

// A table of the themes, the total, average nodes and depth.
std::string describe(const std::vector<SuiteItem>& items, const SuiteResult& result);
// One line of JSON for each position asked, then one with the total; each with its end.
std::string to_json_lines(const std::vector<SuiteItem>& items, const SuiteResult& result);

}  // namespace scholar::arena
