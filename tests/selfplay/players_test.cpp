#include "selfplay/players.hpp"

#include <gtest/gtest.h>
#include <set>

#include "chess/legality.hpp"
#include "chess/line.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::selfplay {
namespace {

using namespace chess;

std::shared_ptr<const nets::Network> random_network() {
    return std::make_shared<const nets::Network>(
        nets::quantise(nets::FloatNetwork::random({.width = 32}, 5))->network);
}

// Whole games, with what TDLeaf needs.
PlayPlan to_the_end() {
    PlayPlan plan;
    plan.exact_leaves = true;
    plan.unbalanced = 0;
    plan.resign_score = 0;
    return plan;
}

Assignment assignment(PlayPlan plan = to_the_end()) {
    plan.nodes = 60;
    plan.most_moves = 120;
    return {.seed = 7, .generation = 3, .network = random_network(), .plan = plan};
}

std::vector<Record> play(Players& players, const Assignment& how, std::uint64_t first, std::uint64_t count) {
    players.assign(how);
    std::vector<Record> records;
    EXPECT_EQ(players.play(first, count, {}, [&](Record&& record) { records.push_back(std::move(record)); })
                  .value(),
              count);
    return records;
}

void expect_equal(const Record& a, const Record& b) {
    EXPECT_EQ(a.number, b.number);
    EXPECT_EQ(a.game.start, b.game.start);
    EXPECT_EQ(a.game.moves, b.game.moves);
    EXPECT_EQ(a.game.result, b.game.result);
    EXPECT_EQ(a.game.ending, b.game.ending);
    EXPECT_EQ(a.judgements, b.judgements);
}

TEST(Players, AGameDependsOnItsNumberAlone) {
    const auto alone = make_local_players(1);
    const auto crowd = make_local_players(3);
    const std::vector<Record> one = play(*alone, assignment(), 10, 6);
    const std::vector<Record> many = play(*crowd, assignment(), 10, 6);
    ASSERT_EQ(one.size(), many.size());
    for (std::size_t i = 0; i < one.size(); ++i) expect_equal(one[i], many[i]);
    // Played by themselves, in another order.
    expect_equal(play(*alone, assignment(), 14, 1).front(), one[4]);
    expect_equal(play(*alone, assignment(), 11, 1).front(), one[1]);

    std::set<std::uint64_t> different;
    for (const Record& record : one) different.insert(record.game.hash());
    EXPECT_EQ(different.size(), one.size());
    Assignment other = assignment();
    other.seed = 8;
    EXPECT_NE(play(*alone, other, 10, 1).front().game.hash(), one[0].game.hash());
}

TEST(Players, GamesAreLegalAndEndAsTheySay) {
    PlayPlan plan = to_the_end();
    plan.random_move = 0.1;
    for (const Record& record : play(*make_local_players(2), assignment(plan), 0, 12)) {
        EXPECT_EQ(record.generation, 3U);
        ASSERT_EQ(record.judgements.size(), record.game.moves.size());
        Line line(record.game.start);
        int by_lot = 0;
        for (std::size_t ply = 0; ply < record.game.moves.size(); ++ply) {
            ASSERT_EQ(line.terminal(), Terminal::None);
            ASSERT_TRUE(is_legal(line.current(), record.game.moves[ply]));
            by_lot += !record.judgements[ply].searched;
            line.push(record.game.moves[ply]);
        }
        EXPECT_GE(by_lot, plan.least_random_moves);
        using games::Ending;
        switch (record.game.ending) {
            case Ending::Checkmate:
                EXPECT_EQ(line.terminal(), Terminal::Checkmate);
                EXPECT_EQ(record.game.result, line.current().side_to_move() == White
                                                  ? games::GameResult::BlackWins
                                                  : games::GameResult::WhiteWins);
                break;
            case Ending::Stalemate:
                EXPECT_EQ(line.terminal(), Terminal::Stalemate);
                break;
            case Ending::Repetition:
                EXPECT_EQ(line.terminal(), Terminal::ThreefoldRepetition);
                break;
            case Ending::FiftyMoves:
                EXPECT_EQ(line.terminal(), Terminal::FiftyMoves);
                break;
            case Ending::InsufficientMaterial:
                EXPECT_EQ(line.terminal(), Terminal::InsufficientMaterial);
                break;
            default:
                EXPECT_EQ(record.game.ending, Ending::Adjudication);
                EXPECT_EQ(line.ply(), 120);
        }
        if (record.game.ending != Ending::Checkmate) {
            EXPECT_EQ(record.game.result, games::GameResult::Draw);
        }
    }
}

// What TDLeaf rests on.
TEST(Players, ScoresAreTheStaticValuesOfTheirLeaves) {
    const Assignment how = assignment();
    int exact = 0;
    int searched = 0;
    for (const Record& record : play(*make_local_players(2), how, 0, 6)) {
        Position position = record.game.start;
        for (std::size_t ply = 0; ply < record.game.moves.size(); ++ply) {
            const Judgement& judgement = record.judgements[ply];
            searched += judgement.searched;
            if (judgement.searched && judgement.leaf == search::LeafKind::Exact) {
                ++exact;
                Position leaf = position;
                for (const Move move : judgement.variation) {
                    ASSERT_TRUE(is_legal(leaf, move));
                    leaf.make(move);
                }
                const Score value = *how.network.evaluate(leaf);
                EXPECT_EQ(judgement.score, leaf.side_to_move() == position.side_to_move() ? value : -value);
            }
            position.make(record.game.moves[ply]);
        }
    }
    EXPECT_GT(searched, 100);
    EXPECT_GT(exact, searched / 2);
}

TEST(Players, StopWhenTheyAreTold) {
    const auto players = make_local_players(2);
    players->assign(assignment());
    std::stop_source stop;
    std::uint64_t taken = 0;
    const auto said = players->play(0, 1'000'000, stop.get_token(), [&](Record&& record) {
        EXPECT_EQ(record.number, taken);
        if (++taken == 3) stop.request_stop();
    });
    EXPECT_EQ(said.value(), taken);
    EXPECT_LT(taken, 1'000U);
}

TEST(Players, SomeMovesAreOnlyPlayed) {
    PlayPlan plan = to_the_end();
    plan.full_share = 0.3;
    plan.quick_nodes = 5;
    struct Searches {
        int count = 0;
        std::uint64_t nodes = 0;
    } quick, full;
    for (const Record& record : play(*make_local_players(2), assignment(plan), 0, 8))
        for (const Judgement& judgement : record.judgements) {
            if (!judgement.searched) continue;
            Searches& kind = judgement.quick ? quick : full;
            ++kind.count;
            kind.nodes += judgement.nodes;
        }
    ASSERT_GT(quick.count + full.count, 200);
    EXPECT_NEAR(static_cast<double>(full.count) / (quick.count + full.count), 0.3, 0.1);
    EXPECT_LT(quick.nodes * static_cast<std::uint64_t>(full.count),
              full.nodes * static_cast<std::uint64_t>(quick.count) / 2);
}

TEST(Players, OpeningsMayHaveToBeBalanced) {
    const auto first_scores = [](int most) {
        PlayPlan plan = to_the_end();
        plan.unbalanced = 0;
        plan.own_start = 0;
        plan.opening_score = most;
        std::vector<int> scores;
        for (const Record& record : play(*make_local_players(1), assignment(plan), 0, 20)) {
            const auto first = std::ranges::find(record.judgements, true, &Judgement::searched);
            if (first != record.judgements.end()) scores.push_back(std::abs(first->score.value()));
        }
        return scores;
    };
    std::vector<int> any = first_scores(0);
    ASSERT_EQ(any.size(), 20U);
    std::ranges::sort(any);
    const int most = any[5];
    const auto within = [most](const std::vector<int>& scores) {
        return std::ranges::count_if(scores, [most](int score) { return score <= most; });
    };
    EXPECT_LT(within(any), 8);
    EXPECT_EQ(within(first_scores(most)), 20);
}

TEST(Players, DrawsMayBeAgreed) {
    PlayPlan plan = to_the_end();
    plan.draw_score = 30'000;  // anything is a draw
    plan.draw_after = 0;
    for (const Record& record : play(*make_local_players(1), assignment(plan), 0, 4)) {
        if (record.game.ending != games::Ending::Adjudication) continue;
        EXPECT_EQ(record.game.result, games::GameResult::Draw);
        EXPECT_LE(record.game.moves.size(), 9U + 16U);
    }
}

TEST(Players, ResignationsAreLeftOutWhereTheyAreNotWanted) {
    PlayPlan plan = to_the_end();
    plan.resign_score = 1;  // next to nothing is enough
    plan.resign_not = 1;
    const auto played_on = play(*make_local_players(1), assignment(plan), 0, 8);
    plan.resign_not = 0;
    const auto given_up = play(*make_local_players(1), assignment(plan), 0, 8);
    int resigned = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_NE(played_on[i].game.ending, games::Ending::Resignation);
        if (given_up[i].game.ending != games::Ending::Resignation) continue;
        ++resigned;
        // The same game to there, and the same winner, who need not come to win it.
        ASSERT_TRUE(given_up[i].decided_for);
        EXPECT_EQ(games::points(given_up[i].game.result, *given_up[i].decided_for), 1);
        EXPECT_EQ(played_on[i].decided_for, given_up[i].decided_for);
        EXPECT_GT(played_on[i].game.moves.size(), given_up[i].game.moves.size());
    }
    EXPECT_GT(resigned, 0);
}

}  // namespace
}  // namespace scholar::selfplay
