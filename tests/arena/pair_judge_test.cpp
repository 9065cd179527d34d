#include "arena/pair_judge.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "chess/uci_move.hpp"
#include "set_maker.hpp"

namespace scholar::arena {
namespace {

TEST(PairJudge, SeesWhatASearchSees) {
    SetMaker maker;
    maker.add({"e4", "d5", "exd5", "Qxd5", "Nc3", "Qd8", "d4", "Nf6", "Nf3", "Bg4"}, {}, 2,
              games::GameResult::WhiteWins);
    // Black mates at once; in the end White does, though the game says that he lost.
    maker.add({"f3", "e5", "g4", "Qh4"}, {}, 3, games::GameResult::BlackWins);
    maker.add({"e4", "f6", "d4", "g5", "Qh5"}, {}, 4, games::GameResult::BlackWins);
    const games::HeldOutSet set = maker.set();
    const auto pairs = draw_pairs(set, 300, 5);
    ASSERT_EQ(pairs.size(), 300U);
    EngineConfig config;
    config.protocol = Protocol::Internal;
    const auto engine = start_player(config, {});
    ASSERT_TRUE(engine) << engine.error().message;
    const auto judged = judge_positions(set, pairs, **engine, 500, {});
    ASSERT_TRUE(judged && *judged);
    const std::vector<int>& scores = **judged;
    ASSERT_EQ(scores.size(), set.positions.size());
    const auto lost_by = [&](const char* mate) {
        for (std::size_t i = 0; i < set.positions.size(); ++i)
            if (chess::to_uci(set.positions[i].played) == mate) return scores[i];
        return 0;
    };
    EXPECT_EQ(lost_by("d8h4"), -99'999);
    EXPECT_EQ(lost_by("d1h5"), 99'999);

    // Right about the mate that was played, wrong about the one that the result denies.
    const PairAnswers answers = answers_by_scores(pairs, "judge", scores);
    ASSERT_EQ(answers.right.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const int lost = scores[pairs[i].lost];
        if (lost == -99'999) {
            EXPECT_EQ(answers.right[i], 1);
        }
        if (lost == 99'999) {
            EXPECT_EQ(answers.right[i], 0);
        }
    }
    // Each pair is in one group, and those that are wrong are the first.
    const auto groups = groups_by_scores(pairs, scores);
    ASSERT_GE(groups.size(), 2U);
    std::size_t all = 0;
    for (const PairGroup& group : groups) all += group.pairs.size();
    EXPECT_EQ(all, pairs.size());
    EXPECT_EQ(groups.front().name, "the lost one better");
    EXPECT_EQ(score_pairs(answers, groups.front()).mean, 0);
    EXPECT_EQ(score_pairs(answers, groups.back()).mean, 1);

    std::stop_source told;
    told.request_stop();
    const auto none = judge_positions(set, pairs, **engine, 500, told.get_token());
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
}

}  // namespace
}  // namespace scholar::arena
