#include "search/table.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace scholar::search {
namespace {

using chess::Move;
using chess::Score;

TableEntry entry(int score, int draft, Bound bound = Bound::Exact, Move move = Move(chess::E2, chess::E4)) {
    return {move, Score(score), Score(score / 2), static_cast<std::int16_t>(draft), bound};
}

TEST(Table, GivesBackWhatWasStored) {
    Table table(1);
    EXPECT_FALSE(table.probe(42));
    table.store(42, entry(-123, 7, Bound::Lower));
    const auto found = table.probe(42);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->score, Score(-123));
    EXPECT_EQ(found->evaluation, Score(-61));
    EXPECT_EQ(found->draft, 7);
    EXPECT_EQ(found->bound, Bound::Lower);
    EXPECT_EQ(found->move, Move(chess::E2, chess::E4));
    table.clear();
    EXPECT_FALSE(table.probe(42));
}

TEST(Table, KeepsScoresOfEverySizeAndAbsentEvaluations) {
    Table table(1);
    for (const Score score :
         {Score::mate_in(1), Score::mated_in(0), Score(Score::kEvaluationBound), Score(0)}) {
        TableEntry one = entry(0, 1);
        one.score = score;
        one.evaluation.reset();
        table.store(7, one);
        EXPECT_EQ(table.probe(7)->score, score);
        EXPECT_FALSE(table.probe(7)->evaluation);
    }
}

TEST(Table, AnEntryWithoutAMoveKeepsTheMoveThatIsThere) {
    Table table(1);
    table.store(42, entry(10, 3));
    table.store(42, entry(20, 4, Bound::Upper, Move::none()));
    EXPECT_EQ(table.probe(42)->move, Move(chess::E2, chess::E4));
    EXPECT_EQ(table.probe(42)->score, Score(20));
}

TEST(Table, DeepEntriesOutliveShallowOnesAndOldOnesGoFirst) {
    Table table(1);
    const std::uint64_t cluster = 0x1000;  // small keys all fall into the first cluster
    for (int i = 0; i < 4; ++i) table.store(cluster + static_cast<std::uint64_t>(i), entry(i, 10 + i));
    table.store(cluster + 9, entry(9, 1));
    EXPECT_FALSE(table.probe(cluster));  // the shallowest of the four made room
    for (std::uint64_t i = 1; i < 4; ++i) EXPECT_TRUE(table.probe(cluster + i));
    for (int search = 0; search < 3; ++search) table.next_generation();
    table.store(cluster + 20, entry(1, 2));
    table.store(cluster + 21, entry(1, 2));
    table.store(cluster + 22, entry(1, 2));
    EXPECT_TRUE(table.probe(cluster + 20));
    EXPECT_TRUE(table.probe(cluster + 21));
    EXPECT_TRUE(table.probe(cluster + 22));
}

TEST(Table, FillsAndSaysHowFull) {
    Table table(1);
    base::Random random(1);
    EXPECT_EQ(table.permille_full(), 0);
    for (int i = 0; i < 1'000'000; ++i) table.store(random.next(), entry(1, 1));
    EXPECT_GT(table.permille_full(), 990);
    table.next_generation();
    EXPECT_EQ(table.permille_full(), 0);
}

}  // namespace
}  // namespace scholar::search
