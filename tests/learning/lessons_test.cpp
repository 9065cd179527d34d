#include "learning/targets/lessons.hpp"

#include <gtest/gtest.h>
#include <set>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "learning/selfplay_loop/replay_window.hpp"
#include "learning/selfplay_loop/round_games.hpp"

namespace scholar::learning {
namespace {

using namespace chess;

// Fool's mate, 1. f3 e5 2. g4 Qh4#, with scores from the side to move's view. The first move was by lot.
selfplay::Record fools_mate() {
    selfplay::Record record;
    Position position;
    record.game.start = position;
    for (const char* san : {"f3", "e5", "g4", "Qh4#"}) {
        const Move move = parse_san(position, san).value();
        record.game.moves.push_back(move);
        selfplay::Judgement judgement;
        judgement.searched = record.game.moves.size() > 1;
        if (judgement.searched) {
            judgement.leaf = search::LeafKind::Exact;
            judgement.variation = {move};
        }
        record.judgements.push_back(judgement);
        position.make(move);
    }
    record.judgements[1].score = Score::from_expected(0.6);  // Black
    record.judgements[2].score = Score::from_expected(0.3);  // White
    record.judgements[3].score = Score::mate_in(1);
    record.judgements[3].leaf = search::LeafKind::Mate;
    record.judgements[3].variation.clear();
    record.game.result = games::GameResult::BlackWins;
    return record;
}

TEST(Lessons, TargetsAreForTheSideToMoveAtTheLeaf) {
    LessonPlan plan{.where = LessonPlan::Where::Leaf};
    plan.lambda = 0;
    plan.result_weight = 0;
    const auto lessons = lessons_of(fools_mate(), plan);
    ASSERT_EQ(lessons.size(), 2U);  // the mate has no leaf to learn at
    // White's values are 0.4, 0.3, 0 and the result 0. With λ = 0 each moves to the next. At the leaves the
    // other side is to move.
    EXPECT_EQ(lessons[0].position.side_to_move(), White);
    EXPECT_NEAR(lessons[0].target, 0.3, 1e-3);
    EXPECT_EQ(lessons[0].result, 0);
    EXPECT_EQ(lessons[1].position.side_to_move(), Black);
    EXPECT_NEAR(lessons[1].target, 1, 1e-3);
    EXPECT_EQ(lessons[1].result, 1);

    plan.lambda = 1;
    for (const Lesson& lesson : lessons_of(fools_mate(), plan))
        EXPECT_NEAR(lesson.target, lesson.result, 1e-6);
    plan.lambda = 0;
    plan.result_weight = 0.5;
    EXPECT_NEAR(lessons_of(fools_mate(), plan)[0].target, 0.15, 1e-3);
}

TEST(Lessons, WhatWasFoundAtThePositionMayCountToo) {
    LessonPlan plan{.where = LessonPlan::Where::Root, .lambda = 0};
    // White's values are 0.4, 0.3 and 0: the first's λ-return is the second.
    for (const auto& [weight, white] : {std::pair(0.0, 0.3), {0.25, 0.325}, {1.0, 0.4}}) {
        plan.own_weight = weight;
        EXPECT_NEAR(lessons_of(fools_mate(), plan)[0].target, 1 - white, 1e-3) << weight;
    }
}

TEST(Lessons, QuickSearchesOnlyPlay) {
    selfplay::Record record = fools_mate();
    record.judgements[2].quick = true;
    const LessonPlan plan{.where = LessonPlan::Where::Root, .lambda = 0};
    const auto lessons = lessons_of(record, plan);
    ASSERT_EQ(lessons.size(), 1U);
    EXPECT_EQ(lessons[0].position.side_to_move(), Black);
    // Not the 0.3 of the quick one: the mate behind it.
    EXPECT_NEAR(lessons[0].target, 1, 1e-3);
}

TEST(Lessons, InsideSearchesTheyAreWhatWasFoundThere) {
    selfplay::Record record = fools_mate();
    Position position;
    record.nodes.push_back({position, selfplay::Interval::at_least(0.6), {}});
    position.make(record.game.moves[0]);
    record.nodes.push_back({position, selfplay::Interval::value(0.25), {}});
    const auto lessons = lessons_of(record, {.where = LessonPlan::Where::Tree});
    ASSERT_EQ(lessons.size(), 2U);
    EXPECT_FLOAT_EQ(lessons[0].target, 0.6F);
    EXPECT_FLOAT_EQ(lessons[0].slack, 0.4F);
    EXPECT_EQ(lessons[0].result, 0);  // White's
    EXPECT_EQ(lessons[1].position, position);
    EXPECT_FLOAT_EQ(lessons[1].target, 0.25F);
    EXPECT_EQ(lessons[1].slack, 0);
    EXPECT_EQ(lessons[1].result, 1);
}

TEST(Lessons, ScoresThatAreBoundsMayBeLeftOut) {
    selfplay::Record record = fools_mate();
    record.judgements[2].bound = search::Bound::Lower;
    LessonPlan plan{.where = LessonPlan::Where::Root, .lambda = 0};
    EXPECT_EQ(lessons_of(record, plan).size(), 2U);
    plan.only_exact = true;
    const auto lessons = lessons_of(record, plan);
    ASSERT_EQ(lessons.size(), 1U);
    EXPECT_NEAR(lessons[0].target, 1, 1e-3);  // the mate behind it, and no bound
}

TEST(Lessons, BeforeAMoveByLotTheResultSaysNothing) {
    selfplay::Record record = fools_mate();
    record.judgements[2] = {};  // g4 by lot
    LessonPlan plan{.where = LessonPlan::Where::Leaf};
    plan.result_weight = 1;
    const auto lessons = lessons_of(record, plan);
    ASSERT_EQ(lessons.size(), 1U);
    EXPECT_NEAR(lessons[0].target, 0.4, 1e-3);  // its own value
}

TEST(Lessons, AtRootsTheyAreOfQuietPositions) {
    const LessonPlan plan{.where = LessonPlan::Where::Root};
    const auto lessons = lessons_of(fools_mate(), plan);
    ASSERT_EQ(lessons.size(), 2U);  // the mate's score is no evaluation
    EXPECT_EQ(lessons[0].position.side_to_move(), Black);
    EXPECT_EQ(lessons[1].position.side_to_move(), White);
}

TEST(Lessons, WhereAGameWasCutOffTheLastSearchTakesThePlaceOfTheResult) {
    selfplay::Record record = fools_mate();
    record.game.moves.pop_back();
    record.judgements.pop_back();
    record.game.result = games::GameResult::Draw;
    LessonPlan plan{.where = LessonPlan::Where::Leaf};
    plan.lambda = 1;
    plan.result_weight = 0;
    for (const auto& [ending, white] :
         {std::pair(games::Ending::Adjudication, 0.3), {games::Ending::Repetition, 0.5}}) {
        record.game.ending = ending;
        const auto lessons = lessons_of(record, plan);
        ASSERT_EQ(lessons.size(), 2U);
        EXPECT_NEAR(lessons[0].target, white, 1e-3);
        EXPECT_NEAR(lessons[1].target, 1 - white, 1e-3);
        LessonPlan blend = plan;
        blend.lambda = 0;
        blend.result_weight = 0.5;
        // White's values are 0.4 and 0.3: the first moves to the second.
        EXPECT_NEAR(lessons_of(record, blend)[0].target, (0.3 + white) / 2, 1e-3);
    }
}

TEST(Lessons, OfAnUnfinishedGameThereAreNone) {
    selfplay::Record record = fools_mate();
    record.game.result = games::GameResult::Unknown;
    EXPECT_TRUE(lessons_of(record, {}).empty());
}

// Positions of random games.
std::vector<Lesson> random_lessons(std::size_t count) {
    base::Random random(3);
    std::vector<Lesson> lessons;
    Position position;
    while (lessons.size() < count) {
        const MoveList moves = legal_moves(position);
        if (moves.empty() || position.halfmove_clock() >= 100) {
            position = Position();
            continue;
        }
        position.make(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
        lessons.push_back({position, static_cast<float>(random.unit()), 0.5F});
    }
    return lessons;
}

TEST(ReplayWindow, GivesBackWhatWasPutIn) {
    const nets::FeatureSet& features = **nets::find_feature_set("768-king10");
    for (const Lesson& lesson : random_lessons(500)) {
        ReplayWindow window(1);
        window.add(lesson);
        base::Random random(1);
        Batch batch;
        window.draw(random, 1, window.size(), features, batch);
        nets::ActiveFeatures active;
        const Color us = lesson.position.side_to_move();
        features.encode(lesson.position, us, active);
        EXPECT_TRUE(std::equal(active.begin(), active.end(), batch.own.begin()));
        EXPECT_EQ(active.count, batch.counts[0]);
        features.encode(lesson.position, ~us, active);
        EXPECT_TRUE(std::equal(active.begin(), active.end(), batch.enemy.begin()));
        EXPECT_EQ(active.count, batch.counts[1]);
        EXPECT_EQ(lesson.target, batch.targets[0]);
    }
}

TEST(ReplayWindow, KeepsBounds) {
    auto lessons = random_lessons(20);
    const auto drawn = [&] {
        ReplayWindow window(20);
        for (const Lesson& lesson : lessons) window.add(lesson);
        ReplayWindow copy(20);
        copy.restore(window.newest(window.size()), window.added());
        base::Random random(1);
        Batch batch;
        copy.draw(random, 200, copy.size(), nets::plain_features(), batch);
        return batch;
    };
    EXPECT_TRUE(drawn().highs.empty());
    for (Lesson& lesson : lessons) lesson.slack = lesson.target < 0.5F ? 1 - lesson.target : 0;
    const Batch batch = drawn();
    ASSERT_EQ(batch.highs.size(), 200U);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        EXPECT_EQ(batch.highs[i], batch.targets[i] < 0.5F ? 1 : batch.targets[i]);
        EXPECT_EQ(batch.wanted(i, 0.75F), batch.targets[i] < 0.5F ? 0.75F : batch.targets[i]);
    }
}

TEST(ReplayWindow, ForgetsTheOldest) {
    const auto lessons = random_lessons(25);
    ReplayWindow window(10);
    for (const Lesson& lesson : lessons) window.add(lesson);
    EXPECT_EQ(window.size(), 10U);
    EXPECT_EQ(window.added(), 25U);
    const auto targets = [](const ReplayWindow& of) {
        std::vector<float> all;
        for (const auto& packed : of.newest(of.size())) all.push_back(packed.target);
        return all;
    };
    std::vector<float> expected;
    for (std::size_t i = 15; i < 25; ++i) expected.push_back(lessons[i].target);
    EXPECT_EQ(targets(window), expected);

    ReplayWindow copy(10);
    copy.restore(window.newest(window.size()), window.added());
    EXPECT_EQ(targets(copy), expected);
    const auto drawn = [](const ReplayWindow& of) {
        base::Random random(1);
        Batch batch;
        of.draw(random, 50, of.size(), nets::plain_features(), batch);
        return batch.targets;
    };
    EXPECT_EQ(drawn(copy), drawn(window));
    base::Random random(2);
    Batch newest;
    window.draw(random, 200, 3, nets::plain_features(), newest);
    EXPECT_EQ(std::set<float>(newest.targets.begin(), newest.targets.end()),
              std::set<float>(expected.end() - 3, expected.end()));
    copy.set_capacity(4);
    EXPECT_EQ(targets(copy), std::vector<float>(expected.end() - 4, expected.end()));
    copy.set_capacity(6);
    copy.add(lessons[0]);
    EXPECT_EQ(targets(copy).back(), lessons[0].target);
    EXPECT_EQ(copy.size(), 5U);
}

TEST(RoundGames, AddsGamesUp) {
    LessonPlan plan{.where = LessonPlan::Where::Leaf};
    RoundGames round(plan, true);
    selfplay::Record lost = fools_mate();
    lost.judgements[1].nodes = 70;
    lost.judgements[3].nodes = 30;
    lost.decided_for = Black;
    round.add(lost, false);
    selfplay::Record drawn = fools_mate();
    drawn.number = 1;
    drawn.game.result = games::GameResult::Draw;
    drawn.decided_for = Black;
    round.add(drawn, true);
    selfplay::Record given_up = fools_mate();
    given_up.number = 2;
    given_up.decided_for = White;
    given_up.game.ending = games::Ending::Resignation;
    round.add(given_up, false);

    const RoundSummary& summary = round.summary();
    EXPECT_EQ(summary.games, 3U);
    EXPECT_EQ(summary.half_moves, 12U);
    EXPECT_EQ(summary.judged, 9U);
    EXPECT_EQ(summary.nodes, 100U);
    EXPECT_EQ(summary.draws, 1U);
    EXPECT_EQ(summary.repeated, 1U);
    EXPECT_EQ(summary.played_on, 2U);  // what was given up was not
    EXPECT_EQ(summary.misjudged, 1U);
    EXPECT_EQ(summary.lessons, 6U);
    EXPECT_EQ(round.lessons().size(), 6U);
    EXPECT_EQ(round.measured().size(), 3U);
    // Number 7919 n of the four positions before a move.
    ASSERT_EQ(round.starts().size(), 3U);
    EXPECT_EQ(to_fen(round.starts()[0]), to_fen(Position()));
    EXPECT_EQ(to_fen(round.starts()[1]), "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
    EXPECT_EQ(to_fen(round.starts()[2]), "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2");
    EXPECT_TRUE(RoundGames(plan, false).starts().empty());
}

}  // namespace
}  // namespace scholar::learning
