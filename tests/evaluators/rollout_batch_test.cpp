// Games that a policy plays out, where it is known how they end.

#include "evaluators/adapters/rollout_batch.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "support/random_games.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;

// Mates if it can; else it moves the man that stands on the lowest square to the lowest square.
class MatesIfItCan final : public BatchEvaluator {
  public:
    nets::Abilities abilities() const override { return {nets::Ability::Policy}; }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return 3; }
    void submit(const Line& line, const MoveList& moves) override {
        ASSERT_LT(opinions_.size(), capacity());
        Opinion& opinion = opinions_.emplace_back();
        opinion.probabilities.assign(static_cast<std::size_t>(moves.size()), 0);
        std::size_t chosen = 0;
        for (int i = 0; i < moves.size(); ++i) {
            const Position after = line.current().after(moves[i]);
            if (after.in_check() && !has_legal_move(after)) chosen = static_cast<std::size_t>(i);
        }
        opinion.probabilities[chosen] = 1;
    }
    base::Status collect(std::vector<Opinion>& opinions) override {
        opinions = std::exchange(opinions_, {});
        return {};
    }

  private:
    std::vector<Opinion> opinions_;
};

Opinion asked(BatchEvaluator& evaluator, const Line& line) {
    evaluator.submit(line, legal_moves(line.current()));
    std::vector<Opinion> opinions;
    EXPECT_TRUE(evaluator.collect(opinions));
    return opinions.front();
}

TEST(RolloutBatchTest, EndsAsTheRulesSay) {
    RolloutBatch rollouts(std::make_unique<MatesIfItCan>());
    const auto expected = [&](const char* fen) { return *asked(rollouts, Line(*parse_fen(fen))).expected(); };
    EXPECT_EQ(expected("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), 1) << "Ra8 mates";
    EXPECT_EQ(expected("7k/8/6K1/8/8/8/8/R7 b - - 0 1"), 0) << "Kg8, and Ra8 mates";
    EXPECT_EQ(expected("k7/8/1K6/8/8/8/8/7b w - - 0 1"), 0.5) << "nobody can mate";
    EXPECT_EQ(expected("k7/8/8/8/8/p1p1p1p1/P1P1P1P1/K7 w - - 98 1"), 0.5) << "fifty moves";
}

TEST(RolloutBatchTest, PlaysAPositionOutInTheSameWayAlone) {
    const auto make = [] { return make_batch(*nets::open_network("<rollouts:<random:3>>")).value(); };
    const auto together = make();
    std::vector<Line> lines;
    base::Random random(5);
    while (lines.size() < 30) {
        Line line;
        tests::play_random_game(random, Position(), 40,
                                [&](const auto&, Move move, const auto&) { line.push(move); });
        if (line.terminal() == Terminal::None) lines.push_back(line);
    }
    const auto alone = make();
    int decided = 0;
    std::vector<Opinion> opinions;
    std::size_t first = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        together->submit(lines[i], legal_moves(lines[i].current()));
        if (i + 1 < lines.size() && i + 1 - first < together->capacity()) continue;
        ASSERT_TRUE(together->collect(opinions));
        for (std::size_t k = 0; k < opinions.size(); ++k) {
            const Opinion single = asked(*alone, lines[first + k]);
            ASSERT_EQ(opinions[k].expected(), single.expected());
            ASSERT_EQ(opinions[k].probabilities, single.probabilities);
            decided += single.wdl->draw == 0;
        }
        first = i + 1;
    }
    EXPECT_GT(decided, 0);
    EXPECT_LT(decided, 30);
}

TEST(RolloutBatchTest, PlaysNothingOutWhereOnlyMovesAreAskedFor) {
    const auto rollouts = make_batch(*nets::open_network("<rollouts:<random:3>>")).value();
    const auto policy = make_batch(*nets::open_network("<random:3>")).value();
    const Line line;
    rollouts->submit_part(line, legal_moves(line.current()), Wanted::Policy);
    std::vector<Opinion> opinions;
    ASSERT_TRUE(rollouts->collect(opinions));
    EXPECT_FALSE(opinions.front().expected());
    EXPECT_EQ(opinions.front().probabilities, asked(*policy, line).probabilities);
    const auto refused = nets::open_network("<rollouts:<embedded>>");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("expected probabilities of moves"), std::string::npos);
}

}  // namespace
}  // namespace scholar::evaluators
