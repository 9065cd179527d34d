#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "evaluators/batch_evaluator.hpp"

namespace scholar::evaluators {

// A policy that also says what a position is worth, by playing it out: its moves are drawn by lot for both
// sides as the policy has them, until the game ends by the rules (J. Chu, S. Li and W. M. Loh, "Reinforcement
// Learning in Chess", 2020, algorithm 2). A game that is not over after kLongestRollout half-moves counts as
// a draw. The lot is the position's: it is always played out in the same way, whatever else is in the batch.
// All games of a batch go on together, so that the policy is asked in batches too.
class RolloutBatch final : public BatchEvaluator {
  public:
    static constexpr int kLongestRollout = 400;

    // Of an evaluator that gives probabilities of moves.
    explicit RolloutBatch(std::unique_ptr<BatchEvaluator> policy) : policy_(std::move(policy)) {}

    nets::Abilities abilities() const override { return {nets::Ability::Wdl, nets::Ability::Policy}; }
    nets::Reads reads() const override { return policy_->reads(); }
    std::size_t capacity() const override { return policy_->capacity(); }
    void submit(const chess::Line& line, const chess::MoveList& moves) override {
        submit_part(line, moves, Wanted::All);
    }
    void submit_part(const chess::Line& line, const chess::MoveList& moves, Wanted wanted) override;
    base::Status collect(std::vector<Opinion>& opinions) override;

  private:
    struct Game {
        chess::Line line;
        chess::MoveList moves;  // of the line's current position
        base::Random random;
        chess::Color asked;  // whose turn it was where the game began
        bool is_over;        // nothing is played out any more
        bool wants_value;
        int plies = 0;        // that were played out
        chess::Wdl result{};  // of the side that is asked
    };
    // Plays a move of that policy, and finds out whether the game is over.
    static void play(Game& game, const Opinion& opinion);

    std::unique_ptr<BatchEvaluator> policy_;
    std::vector<Game> games_;  // in the order in which their positions were submitted
};

}  // namespace scholar::evaluators
