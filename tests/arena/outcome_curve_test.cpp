#include "arena/outcome_curve.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/san.hpp"

namespace scholar::arena {
namespace {

// Says of each position that the side to move wins as many per mille as moves were played, and draws the half
// of the rest.
class CountingJudge : public Player {
  public:
    const std::string& name() const override { return name_; }
    const std::vector<EngineOption>& options() const override { return options_; }
    base::Status set_option(std::string_view, std::string_view) override { return {}; }
    base::Status new_game(const GameTerms&) override { return {}; }
    Reply go(const chess::Position&, std::span<const chess::Move> moves, const chess::Position& current,
             const SearchLimit&, std::chrono::milliseconds, std::stop_token) override {
        ++asked;
        Reply reply;
        reply.move = chess::legal_moves(current)[0];
        const int wins = static_cast<int>(moves.size()) * 100;
        if (says) reply.info.wdl = {wins, (1'000 - wins) / 2, 1'000 - wins - (1'000 - wins) / 2};
        return reply;
    }
    int asked = 0;
    bool says = true;

  private:
    std::string name_ = "Judge";
    std::vector<EngineOption> options_;
};

games::Game game_of(const char* white, const char* black, const std::vector<const char*>& moves) {
    games::Game game;
    game.tags = {{"White", white}, {"Black", black}};
    chess::Position position;
    for (const char* text : moves) {
        const auto move = chess::parse_san(position, text);
        game.moves.push_back(*move);
        position.make(*move);
    }
    return game;
}

TEST(OutcomeCurve, IsTheMeanAtThePlayersMovesOfTheGamesThatCameSoFar) {
    const std::vector<games::Game> games{game_of("A", "B", {"e4", "e5", "Nf3", "Nc6", "Bb5"}),
                                         game_of("B", "A", {"d4", "d5", "c4"}),
                                         game_of("B", "C", {"d4", "d5"})};
    CountingJudge judge;
    const auto points = judge_games(games, "A", judge, 100, {});
    ASSERT_TRUE(points && *points);
    // With White after 0, 2 and 4 half-moves, with Black after 1.
    EXPECT_EQ(judge.asked, 4);
    ASSERT_EQ((*points)->size(), 3U);
    const auto expected = [](int wins) { return (wins + (1'000 - wins) / 2 / 2.0) / 1'000; };
    EXPECT_EQ((**points)[0].games, 2U);
    EXPECT_DOUBLE_EQ((**points)[0].expected, (expected(0) + expected(100)) / 2);
    EXPECT_EQ((**points)[1].games, 1U);
    EXPECT_DOUBLE_EQ((**points)[1].expected, expected(200));
    EXPECT_EQ((**points)[2].move, 2);
    EXPECT_DOUBLE_EQ((**points)[2].expected, expected(400));

    // Where Black begins, his first move is the first.
    games::Game from_black;
    from_black.tags = {{"White", "B"}, {"Black", "A"}};
    from_black.start.make(chess::legal_moves(from_black.start)[0]);
    from_black.moves.push_back(chess::legal_moves(from_black.start)[0]);
    const auto begun = judge_games(std::span(&from_black, 1), "A", judge, 100, {});
    ASSERT_TRUE(begun && *begun);
    ASSERT_EQ((*begun)->size(), 1U);
    EXPECT_DOUBLE_EQ((**begun)[0].expected, expected(0));

    std::stop_source told;
    told.request_stop();
    const auto none = judge_games(games, "A", judge, 100, told.get_token());
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
    judge.says = false;
    const auto refused = judge_games(games, "A", judge, 100, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "engine Judge: it says nothing of wins, draws and losses, expected 'info … wdl …'");
}

}  // namespace
}  // namespace scholar::arena
