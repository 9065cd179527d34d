#pragma once

#include <memory>

#include "engine/contestant.hpp"
#include "learning/online_student.hpp"
#include "search/search.hpp"
#include "search/table.hpp"

namespace scholar::learning {

// The student as one who plays games against whoever comes, people on a chess server for instance, and learns
// from each when it has ended: from those that are whole and have a result. An opponent's rating is the
// server's.
class OnlineContestant final : public engine::Contestant {
  public:
    // Both must outlive it.
    OnlineContestant(const OnlineRecipe& recipe, OnlineStudent& student);

    void game_starts(const engine::GameHeader& header) override;
    // As many nodes as the recipe says, and fewer where the clock does not allow them. Accepts a draw when
    // the score is not above 0; never resigns, so that nothing but the board and the clock decides.
    engine::Decision decide(const engine::Turn& turn, std::stop_token stop) override;
    base::Status game_ends(const engine::PlayedGame& game) override;

  private:
    const OnlineRecipe& recipe_;
    OnlineStudent& student_;
    search::Table table_;
    std::unique_ptr<search::Search> search_;
};

}  // namespace scholar::learning
