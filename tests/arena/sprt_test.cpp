#include "arena/sprt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scholar::arena {
namespace {

using testing::HasSubstr;

// Of a match's first engine, which has White in even games.
GameSummary game(int number, double points) {
    GameSummary summary;
    summary.number = number;
    summary.white = number % 2;
    const bool white_wins = (points == 1) == (summary.white == 0);
    summary.result = points == 0.5 ? games::GameResult::Draw
                     : white_wins  ? games::GameResult::WhiteWins
                                   : games::GameResult::BlackWins;
    return summary;
}

TEST(Sprt, TheFirstCrossingIsTheVerdict) {
    Sprt sprt({.elo0 = 0, .elo1 = 10});
    EXPECT_EQ(sprt.verdict(), Sprt::Verdict::None);
    sprt.update({});
    EXPECT_THAT(sprt.describe(), HasSubstr("LLR +0.00 (-2.94, 2.94) of [0, 10]: not decided after 0 pairs"));
    const Pentanomial won{10, 60, 140, 160, 60};
    ASSERT_GE(log_likelihood_ratio(won, 0, 10, EloModel::Logistic), 2.95);
    sprt.update(won);
    EXPECT_EQ(sprt.verdict(), Sprt::Verdict::Elo1);
    // Games that were under way, all lost.
    const Pentanomial after{200, 60, 140, 160, 60};
    ASSERT_LT(log_likelihood_ratio(after, 0, 10, EloModel::Logistic), 2.94);
    sprt.update(after);
    EXPECT_EQ(sprt.verdict(), Sprt::Verdict::Elo1);
    EXPECT_THAT(sprt.describe(), HasSubstr("elo1 accepted after 430 pairs"));
}

TEST(Sprt, AMatchGoneOnWithHasTheVerdictItHad) {
    std::vector<GameSummary> games;
    // Pairs won by a point and a half until long after the decision, with each pair's second game first; then
    // as many lost as take it back.
    const auto add_pair = [&games](double points) {
        const int first = static_cast<int>(games.size());
        games.push_back(game(first + 1, points == 1.5 ? 0.5 : 0));
        games.push_back(game(first, points == 1.5 ? 1 : 0.5));
    };
    for (int i = 0; i < 60; ++i) {
        add_pair(1.5);
        add_pair(i % 4 == 0 ? 0.5 : 1.5);
    }
    for (int i = 0; i < 120; ++i) add_pair(0.5);
    PairCounter all;
    for (const auto& summary : games) all.add(summary);
    EXPECT_EQ(all.pairs(), (Pentanomial{0, 135, 0, 105, 0}));
    const SprtSettings settings{.elo0 = 0, .elo1 = 10};
    Sprt at_once(settings);
    at_once.update(all.pairs());
    EXPECT_NE(at_once.verdict(), Sprt::Verdict::Elo1);
    Sprt replayed(settings);
    replayed.replay(games, 480);
    EXPECT_EQ(replayed.verdict(), Sprt::Verdict::Elo1);
    // Those beyond the match's own number do not count.
    Sprt few(settings);
    few.replay(games, 4);
    EXPECT_EQ(few.verdict(), Sprt::Verdict::None);
}

}  // namespace
}  // namespace scholar::arena
