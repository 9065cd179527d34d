#include "learning/online/online_contestant.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

class OnlineContestants : public testing::Test {
  protected:
    // What a run says of each game does not belong among the test's own words.
    void SetUp() override {
        testing::internal::CaptureStdout();
        auto student = OnlineStudent::open(recipe_, options_);
        ASSERT_TRUE(student) << student.error().message;
        student_ = std::move(*student);
    }
    void TearDown() override { testing::internal::GetCapturedStdout(); }

    // Two moves of either side, then somebody gives up, or whatever `end` is.
    engine::PlayedGame play(games::GameResult result, engine::GameEnd end) {
        engine::PlayedGame game;
        game.header.site = "here";
        game.header.names = {"Scholar", "somebody"};
        game.header.ratings = {1'500, 1'700};
        game.header.base = std::chrono::minutes(3);
        game.result = result;
        game.end = end;
        game.reason = "for the test";
        game.date = "2026.11.22";
        OnlineContestant contestant(recipe_, *student_, stop_);
        contestant.game_starts(game.header);
        chess::Line line{chess::Position()};
        for (int ply = 0; ply < 4; ++ply) {
            if (ply % 2 == 0) {
                const auto decision =
                    contestant.decide({game.header, line, {game.header.base, game.header.base}}, {});
                game.moves.push_back({decision.move, {}, decision.search, decision.evaluation});
            } else {
                game.moves.push_back({chess::legal_moves(line.current())[0], {}, {}, {}});
            }
            line.push(game.moves.back().move);
        }
        EXPECT_TRUE(contestant.game_ends(game));
        return game;
    }
    std::vector<double> weights() const {
        const auto loaded = load_online_checkpoint(options_.output);
        EXPECT_TRUE(loaded && *loaded);
        return (*loaded)->checkpoint.weights;
    }

    const tests::TemporaryFolder folder_;
    const OnlineRecipe recipe_ =
        *parse_online_recipe("[play]\nnodes = 60\ntable_megabytes = 1\n", "test.toml");
    const OnlineOptions options_{.output = folder_.path() / "run", .seed = 1};
    std::unique_ptr<OnlineStudent> student_;
    std::stop_source stop_;
};

// A folder that is gone stands for a disk that is full.
TEST_F(OnlineContestants, StopWhatCannotBeKept) {
    std::filesystem::remove_all(options_.output);
    OnlineContestant contestant(recipe_, *student_, stop_);
    engine::PlayedGame game;
    game.header.names = {"Scholar", "somebody"};
    game.result = games::GameResult::Draw;
    EXPECT_FALSE(contestant.game_ends(game));
    EXPECT_FALSE(contestant.status());
    EXPECT_TRUE(stop_.stop_requested());
}

TEST_F(OnlineContestants, LearnFromALossAndRateIt) {
    play(games::GameResult::BlackWins, engine::GameEnd::Resignation);
    EXPECT_EQ(student_->games(), 1U);
    EXPECT_LT(student_->rating().rating, 1'500);
    const auto learnt = weights();
    const auto first = nets::FloatLinearNetwork::material_start().weights;
    EXPECT_FALSE(std::equal(learnt.begin(), learnt.end(), first.begin(),
                            [](double a, float b) { return a == static_cast<double>(b); }));
}

// Of the last position nothing is known then: only what the searches said one after the other teaches.
TEST_F(OnlineContestants, ALineThatWasLostSaysLessThanALostGame) {
    const auto change = [&](engine::GameEnd end) {
        const auto before = student_->games() == 0 ? std::vector<double>(nets::kLinearWeights) : weights();
        play(games::GameResult::BlackWins, end);
        const auto after = weights();
        double sum = 0;
        for (std::size_t i = 0; i < after.size(); ++i) sum += std::abs(after[i] - before[i]);
        return sum;
    };
    change(engine::GameEnd::Resignation);
    const double disconnected = change(engine::GameEnd::Disconnection);
    EXPECT_LT(disconnected, change(engine::GameEnd::Resignation));
}

TEST_F(OnlineContestants, LeaveGamesAloneThatTellNothing) {
    play(games::GameResult::Unknown, engine::GameEnd::Aborted);
    engine::PlayedGame part = play(games::GameResult::Unknown, engine::GameEnd::Adjourned);
    part.result = games::GameResult::WhiteWins;
    part.is_whole = false;
    EXPECT_TRUE(OnlineContestant(recipe_, *student_, stop_).game_ends(part));
    EXPECT_EQ(student_->games(), 0U);
}

}  // namespace
}  // namespace scholar::learning
