#pragma once

#include <memory>
#include <string>

#include "arena/journal.hpp"
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
// played again nor lost, and its PGN and JSON files hold each of them once (arena/journal.hpp).
//
// Which match it is: the engines with a hash of each program and of each file that an option names, the time
// controls, who meets whom, the openings, the seed, the rules of adjudication, the outputs. Not the number of
// games, which may grow, nor how many are played at a time.
class MatchState : public MatchObserver {
  public:
    // Makes the file, or takes up the match in it and mends its outputs. Refused: what Journal::open()
    // refuses. The options must outlive it.
    static base::Result<std::unique_ptr<MatchState>> open(const std::string& path,
                                                          const MatchOptions& options,
                                                          const MatchOutputs& outputs);

    // What was played before, for play_match().
    const EarlierGames& earlier() const { return earlier_; }
    // The state is gone, if it holds no game.
    void remove_if_empty();
    base::Status game_finished(const MatchGame& game, const MatchResult& so_far) override;

  private:
    MatchState(Journal journal, const MatchOptions& options, const MatchOutputs& outputs)
        : journal_(std::move(journal)), options_(options), outputs_(outputs) {}

    base::Status read();

    Journal journal_;
    const MatchOptions& options_;
    MatchOutputs outputs_;
    EarlierGames earlier_;
    bool has_written_ = false;
};

}  // namespace scholar::arena
