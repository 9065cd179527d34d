#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "arena/match.hpp"

namespace scholar::arena {

// The game in PGN's export format, with the empty line after it. After each move that an engine chose a
// comment,
// "{+0.35/12 0.10s}": score in pawns from the mover's view ("+M5": mates in 5), depth, seconds.
std::string to_pgn(const MatchGame& game, const MatchOptions& options, const std::string& event,
                   const std::string& date);
// One line of JSON, without its end.
std::string to_json(const MatchGame& game, const MatchResult& so_far);

// Appends to a file as each game ends, and flushes, so that nothing is lost with a match that is cut off.
class LineAppender {
  public:
    static base::Result<LineAppender> open(const std::string& path);
    base::Status append(const std::string& text);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    LineAppender(std::FILE* file, std::string path) : file_(file), path_(std::move(path)) {}
    std::unique_ptr<std::FILE, Close> file_;
    std::string path_;
};

class PgnOutput : public MatchObserver {
  public:
    PgnOutput(LineAppender file, const MatchOptions& options, std::string event)
        : file_(std::move(file)), options_(options), event_(std::move(event)) {}
    base::Status game_finished(const MatchGame& game, const MatchResult& so_far) override;

  private:
    LineAppender file_;
    const MatchOptions& options_;
    std::string event_;
};

class JsonOutput : public MatchObserver {
  public:
    explicit JsonOutput(LineAppender file) : file_(std::move(file)) {}
    base::Status game_finished(const MatchGame& game, const MatchResult& so_far) override;

  private:
    LineAppender file_;
};

// The result of a match of two in a few lines of text.
std::string describe(const MatchResult& result);
// Parts of it: a line for each engine, with what it did wrong if it did; and why it ended before its time.
std::string describe_engines(const MatchResult& result);
std::string describe_end(const MatchResult& result);
// "+12 =5 -3, Elo +123 ± 45": for a progress line.
std::string describe_briefly(const MatchResult& result);

}  // namespace scholar::arena
