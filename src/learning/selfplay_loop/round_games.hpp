#pragma once

#include <cstddef>
#include <vector>

#include "chess/position.hpp"
#include "games/sample.hpp"
#include "learning/selfplay_loop/learn_status.hpp"
#include "learning/targets/lessons.hpp"

namespace scholar::learning {

// What the games of a round come to, as they end.
class RoundGames {
  public:
    // `starts`: whether later games may begin from positions of these.
    RoundGames(LessonPlan plan, bool starts) : plan_(plan), with_starts_(starts) {}

    // `repeated`: it had been played before.
    void add(const selfplay::Record& record, bool repeated);

    // Of the games so far; nothing of the training.
    const RoundSummary& summary() const { return summary_; }
    const std::vector<Lesson>& lessons() const { return lessons_; }
    // A position of each game.
    const std::vector<chess::Position>& starts() const { return starts_; }
    // A position of each of the first games, to measure the network on.
    const std::vector<games::Sample>& measured() const { return measured_; }

  private:
    LessonPlan plan_;
    bool with_starts_;
    RoundSummary summary_;
    std::vector<Lesson> lessons_;
    std::vector<chess::Position> starts_;
    std::vector<games::Sample> measured_;
};

}  // namespace scholar::learning
