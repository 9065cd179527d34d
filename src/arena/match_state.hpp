#pragma once

#include <memory>
#include <optional>
#include <string>

#include "arena/locked_appender.hpp"
#include "arena/match.hpp"
#include "base/error.hpp"

namespace scholar::arena {

// Where a match writes its games; empty: nowhere.
struct MatchOutputs {
    std::string pgn;
    std::string json;
    std::string event = "Scholar match";
};

// A match on disk, so that one that was killed at any moment goes on where it was: finished games are neither
// played again nor lost, and its PGN and JSON files hold each of them once.
//
// The file is lines of JSON. The first says which match it is: the engines with a hash of each program and of
// each file that an option names, the time controls, the openings, the seed, the rules of adjudication, the
// outputs. Not the number of games, which may grow, nor how many are played at a time. Each other line is a
// finished game, with the text for each output and the size that the output had before it. The line is
// written first, the outputs after it: at most the last game's text can be missing from them, or be cut off.
class MatchState : public MatchObserver {
  public:
    // Makes the file, or takes up the match in it and mends its outputs. The state of a match without a game
    // gives way to any other. Refused: the state of another match with games, with what differs, and one that
    // another process has open. The options must outlive it.
    static base::Result<std::unique_ptr<MatchState>> open(const std::string& path,
                                                          const MatchOptions& options,
                                                          const MatchOutputs& outputs);

    // What was played before, for play_match().
    const EarlierGames& earlier() const { return earlier_; }
    base::Status game_finished(const MatchGame& game, const MatchResult& so_far) override;

  private:
    MatchState(LockedAppender state, const MatchOptions& options, const MatchOutputs& outputs)
        : state_(std::move(state)), options_(options), outputs_(outputs) {}

    base::Status read(const std::string& text);
    base::Status mend(LockedAppender& output, std::uint64_t at, const std::string& text);

    LockedAppender state_;
    const MatchOptions& options_;
    MatchOutputs outputs_;
    std::optional<LockedAppender> pgn_;
    std::optional<LockedAppender> json_;
    EarlierGames earlier_;
};

}  // namespace scholar::arena
