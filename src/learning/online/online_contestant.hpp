#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/random.hpp"
#include "engine/contestant.hpp"
#include "learning/online/online_student.hpp"
#include "search/search.hpp"
#include "search/table.hpp"
#include "selfplay/treestrap.hpp"

namespace scholar::learning {

// The student as one who plays games against whoever comes, people on a chess server for instance, and learns
// from each when it has ended: from those that are whole and have a result. An opponent's rating is the
// server's.
class OnlineContestant final : public engine::Contestant {
  public:
    // Recipe and student must outlive it. `stop` is requested when a game cannot be learnt from or kept: what
    // is not kept should not be played on with.
    OnlineContestant(const OnlineRecipe& recipe, OnlineStudent& student, std::stop_source stop);

    // Why it requested `stop`, if it did. For when nobody calls it any more.
    const base::Status& status() const { return status_; }

    void game_starts(const engine::GameHeader& header) override;
    // As many nodes as the recipe says, and fewer where the clock does not allow them. Accepts a draw when
    // the score is not above 0; never resigns, so that nothing but the board and the clock decides.
    engine::Decision decide(const engine::Turn& turn, std::stop_token stop) override;
    base::Status game_ends(const engine::PlayedGame& game) override;

  private:
    const OnlineRecipe& recipe_;
    OnlineStudent& student_;
    std::stop_source stop_;
    base::Status status_;
    search::Table table_;
    base::Random lots_{0};                      // of the game
    std::unique_ptr<selfplay::TreeStrap> tap_;  // null where nodes do not teach
    std::unique_ptr<search::Search> search_;
    std::map<int, std::vector<selfplay::TreeStrapNode>> nodes_;  // inside its searches, by half-moves before
};

}  // namespace scholar::learning
