#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/player.hpp"
#include "base/error.hpp"

// Positions put to engines, one after another: what test suites have in common.

namespace scholar::arena {

// A position, and the moves that led to it from `start`, if they are known. It all outlives the answers.
struct Question {
    const chess::Position& start;
    std::span<const chess::Move> moves;
    const chess::Position& position;
    std::optional<SearchLimit> limit{};  // instead of the engine's
};

struct AskedEngine {
    EngineConfig config;
    SearchLimit limit = MoveTimeLimit{std::chrono::milliseconds(100)};
};

struct AskingOptions {
    std::vector<AskedEngine> engines;
    int concurrency = 1;  // questions at a time, each with its own engines
    // How much longer than a movetime we wait for an answer; the whole of it where the limit is not a time.
    std::chrono::milliseconds stall_after{5'000};
    std::chrono::milliseconds untimed_patience{300'000};
    PlayerPatience patience;
    // How often an engine that does not start again, or is not ready, is given another chance at a position
    // before that counts as a failure. At the next position it is given one more.
    int start_attempts = 3;
};

// The answer to a question.
struct Answered {
    std::size_t engine = 0;    // index among the options'
    std::size_t question = 0;  // index
    std::string failure{};     // empty, or why there is no legal move
    Reply reply{};
};

struct AskingResult {
    std::vector<std::string> names;  // of the engines
    bool interrupted = false;        // stopped before all had answered
};

// Asks questions 0 to `count` − 1, each as a new game, of which `question` is the number. With several
// engines all answer one before any gets the next, and take turns in who is first, so that what else the
// machine does falls on all alike. An engine that fails is started again for the next question; one that does
// not start at all is an error, which begins with `what`. `question` is called from several threads at once,
// `answer` from one thread at a time.
base::Result<AskingResult> ask_questions(const std::string& what, std::size_t count,
                                         const AskingOptions& options,
                                         const std::function<Question(std::size_t)>& question,
                                         const std::function<void(Answered)>& answer, std::stop_token stop);

}  // namespace scholar::arena
