#include "arena/pair_study.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "arena/value_study.hpp"
#include "set_maker.hpp"

namespace scholar::arena {
namespace {

games::HeldOutSet some_games() {
    SetMaker maker;
    maker.add({"e4", "d5", "exd5", "Qxd5", "Nc3", "Qd8", "d4", "Nf6", "Nf3", "Bg4"}, {}, 2,
              games::GameResult::WhiteWins);
    maker.add({"f3", "e5", "g4", "Qh4"}, {}, 0, games::GameResult::BlackWins);
    maker.add({"e4", "f5", "exf5", "g6", "fxg6", "Nf6", "gxh7", "Nxh7"}, {}, 0, games::GameResult::BlackWins);
    maker.add({"e4", "e5", "Nf3"}, {}, 0, games::GameResult::Draw);
    maker.add({"d4", "d5"});
    return maker.set();
}

TEST(PairStudy, PairsAreOfAWonAndALostGameAndNotBeforeACapture) {
    const games::HeldOutSet set = some_games();
    const auto pairs = draw_pairs(set, 2'000, 3);
    ASSERT_EQ(pairs.size(), 2'000U);
    std::map<std::size_t, int> won;
    std::map<std::size_t, int> lost;
    int first = 0;
    for (const PositionPair& pair : pairs) {
        ++won[pair.won];
        ++lost[pair.lost];
        first += pair.won_first;
        for (const std::size_t place : {pair.won, pair.lost})
            ASSERT_FALSE(set.positions[place].position.is_capture(set.positions[place].played));
        ASSERT_EQ(set.game_of(set.positions[pair.won]).result, games::GameResult::WhiteWins);
        ASSERT_EQ(set.game_of(set.positions[pair.lost]).result, games::GameResult::BlackWins);
    }
    // All of them: 8 positions of the first game less 2 captures; 4, and 8 less 4.
    EXPECT_EQ(won.size(), 6U);
    EXPECT_EQ(lost.size(), 8U);
    EXPECT_NEAR(first, 1'000, 120);
    EXPECT_EQ(draw_pairs(set, 2'000, 3).back().won, pairs.back().won) << "by the seed alone";
    games::HeldOutSet drawn = set;
    for (games::HeldOutGame& game : drawn.games) game.result = games::GameResult::Draw;
    EXPECT_TRUE(draw_pairs(drawn, 10, 3).empty());
}

// Where White has more men; of as many it holds the first for better, whichever that is.
class MoreMen final : public evaluators::Comparator {
  public:
    std::unique_ptr<Comparator> copy() const override { return std::make_unique<MoreMen>(); }
    void embed(const chess::Position& position, evaluators::Embedding& out) override {
        const int balance = material_balance(position);
        out.assign(1, static_cast<float>(position.side_to_move() == chess::White ? balance : -balance));
    }
    bool prefers(const evaluators::Embedding& a, const evaluators::Embedding& b) override {
        return a.front() >= b.front();
    }
};

TEST(PairStudy, ScoresAnOrderInEachGroup) {
    const games::HeldOutSet set = some_games();
    const auto pairs = draw_pairs(set, 2'000, 4);
    MoreMen comparator;
    const PairAnswers asked = ask_about_pairs(set, pairs, "more men", comparator, {});
    const PairAnswers material = judge_by_material(set, pairs);
    ASSERT_EQ(asked.right.size(), pairs.size());
    double level = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (material.right[i] == 0.5) {
            ++level;
            EXPECT_EQ(asked.right[i], pairs[i].won_first);
        } else {
            EXPECT_EQ(asked.right[i], material.right[i]);
        }
    }
    EXPECT_NEAR(asked.contradicted, level / static_cast<double>(pairs.size()), 1e-12);

    std::map<std::string, std::vector<std::size_t>> by_kind;
    for (const PairGroup& group : pair_groups(set, pairs)) {
        auto& all = by_kind[group.kind];
        all.insert(all.end(), group.pairs.begin(), group.pairs.end());
        if (group.kind != "material") continue;
        const double score = score_pairs(material, group).mean;
        const bool ahead = group.name.contains("ahead");
        EXPECT_EQ(score, group.name == "level" ? 0.5 : ahead ? 1 : 0) << group.name;
    }
    ASSERT_EQ(by_kind.size(), 4U);
    for (auto& [kind, all] : by_kind) {
        std::ranges::sort(all);
        ASSERT_EQ(all.size(), pairs.size()) << kind;
        ASSERT_EQ(std::ranges::adjacent_find(all), all.end()) << kind;
    }
}

}  // namespace
}  // namespace scholar::arena
