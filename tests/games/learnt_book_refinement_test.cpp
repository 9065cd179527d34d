#include "games/learnt_book_refinement.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "games/learnt_book.hpp"
#include "learnt_book_fixture.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using tests::game_of;

TEST(LearntBookRefinement, ImportanceByHand) {
    BookGraph graph{BookState{}};
    for (int i = 0; i < 3; ++i) graph.add(game_of("e4", GameResult::Draw, "Ann"));
    graph.add(game_of("d4", GameResult::Draw, "Bob"));
    // Ann's three count 3 / (1 + 1), Bob's one 3/4.
    EXPECT_NEAR(search_importance(*graph.find({})), 4 / std::sqrt(1 + 1.5 + 0.75), 1e-12);
    const chess::Move e4(chess::E2, chess::E4);
    graph.add(BookSearch{{}, {{e4, tests::opinion(10, 300'000)}}});
    EXPECT_NEAR(search_importance(*graph.find({})), 4 / std::sqrt(1 + 1.5 + 0.75 + 3), 1e-12);
    graph.add(BookSearch{{}, {{e4, BookOpinion{chess::Score::mate_in(5), 9, 300'000}}}});
    EXPECT_EQ(search_importance(*graph.find({})), 0);
}

TEST(LearntBookRefinement, GoesFromWhatMattersMostToTheRest) {
    BookGraph graph{BookState{}};
    EXPECT_FALSE(next_search(graph, 1'000));
    for (int i = 0; i < 20; ++i)
        graph.add(
            game_of(i < 15 ? "e4 e5 Nf3" : "d4 d5 c4", GameResult::Draw, "Opponent " + std::to_string(i)));
    const chess::Position start;
    for (int i = 0; i < 60; ++i) {
        const auto task = next_search(graph, 200'000);
        ASSERT_TRUE(task);
        const LearntPosition& here = *graph.find(task->position);
        ASSERT_EQ(task->nodes, here.opinion ? 2 * here.opinion->nodes : 200'000);
        if (i == 0) {
            EXPECT_EQ(task->position, start);
        }
        for (const auto& [key, position] : graph.state().positions)
            ASSERT_LE(search_importance(position), search_importance(here));
        graph.add(BookSearch{task->position,
                             {{chess::legal_moves(task->position)[0], tests::opinion(0, task->nodes)}}});
    }
    // In the end nothing has been left out.
    for (const auto& [key, position] : graph.state().positions) EXPECT_TRUE(position.opinion);
}

TEST(LearntBookRefinement, IsPartOfTheJournal) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "a.book";
    const auto book = LearntBook::open(path, BookAccess::Write).value();
    ASSERT_TRUE(book->add(game_of("e4 e5", GameResult::WhiteWins, "Ann")));
    const chess::Move d4(chess::D2, chess::D4);
    ASSERT_TRUE(
        book->add(BookSearch{{},
                             {{d4, tests::opinion(120, 5'000'000)},
                              {chess::Move(chess::E2, chess::E4), tests::opinion(-200, 5'000'000)}}}));
    base::Random random(1);
    const BookBeliefs beliefs(book->graph(), {}, std::nullopt);
    EXPECT_EQ(beliefs.advise({}, random).play, d4);
    EXPECT_EQ(LearntBook::open(path, BookAccess::Read).value()->state(), book->state());
}

TEST(LearntBookRefinement, IsRolledBackWithTheGames) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "a.book";
    std::string journal;
    {
        const auto book = LearntBook::open(path, BookAccess::Write).value();
        ASSERT_TRUE(book->add(game_of("e4 e5", GameResult::WhiteWins, "Ann")));
        journal = base::read_text(path).value();
        ASSERT_TRUE(book->add(BookSearch{{}, {{chess::Move(chess::D2, chess::D4), tests::opinion(120)}}}));
        ASSERT_TRUE(book->add(game_of("d4 d5", GameResult::WhiteWins, "Ann")));
    }
    ASSERT_TRUE(roll_back(path, 1));
    EXPECT_EQ(base::read_text(path).value(), journal);
    EXPECT_EQ(LearntBook::open(path, BookAccess::Read).value()->state().searches, 0U);
}

}  // namespace
}  // namespace scholar::games
