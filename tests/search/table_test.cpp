#include "search/table.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <tuple>
#include <vector>

#include "base/random.hpp"

namespace scholar::search {
namespace {

using chess::Move;
using chess::Score;

TableEntry entry(int score, int draft, Bound bound = Bound::Exact, Move move = Move(chess::E2, chess::E4)) {
    return {move, Score(score), Score(score / 2), Effort::of_half_moves(draft), bound, draft % 2 == 0};
}

TEST(Table, GivesBackWhatWasStored) {
    Table table(1);
    EXPECT_FALSE(table.probe(42));
    table.store(42, entry(-123, 7, Bound::Lower));
    const auto found = table.probe(42);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->score, Score(-123));
    EXPECT_EQ(found->evaluation, Score(-61));
    EXPECT_EQ(found->draft, Effort::of_half_moves(7));
    EXPECT_EQ(found->bound, Bound::Lower);
    EXPECT_FALSE(found->was_principal);
    table.store(43, entry(7, -1, Bound::None));
    EXPECT_EQ(table.probe(43)->draft, Effort::of_half_moves(-1));
    EXPECT_EQ(table.probe(43)->bound, Bound::None);
    table.store(44, entry(7, 240));
    EXPECT_TRUE(table.probe(44)->was_principal);
    EXPECT_EQ(table.probe(44)->draft, Effort::of_half_moves(240));
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

TEST(Table, AProvedMateStaysUntilADeeperSearchKnowsBetter) {
    Table table(1);
    const TableEntry mate{Move(chess::E2, chess::E4), Score::mate_in(5), Score(10),
                          Effort::of_half_moves(9),   Bound::Exact,      true};
    table.store(42, mate);
    table.next_generation();
    table.store(42, entry(10, 1));
    EXPECT_EQ(table.probe(42)->score, Score::mate_in(5));
    TableEntry shorter = entry(0, 1);
    shorter.score = Score::mate_in(3);
    table.store(42, shorter);
    EXPECT_EQ(table.probe(42)->score, Score::mate_in(3));
    table.store(42, entry(10, 9));
    EXPECT_EQ(table.probe(42)->score, Score(10));
    // A bound from the other side proves nothing: "no faster than that", and "no slower".
    for (const auto& [score, bound, stays] : {std::tuple{Score::mate_in(5), Bound::Lower, true},
                                              {Score::mate_in(5), Bound::Upper, false},
                                              {Score::mated_in(6), Bound::Upper, true},
                                              {Score::mated_in(6), Bound::Lower, false}}) {
        table.clear();
        table.store(42,
                    {Move(chess::E2, chess::E4), score, Score(10), Effort::of_half_moves(9), bound, false});
        table.next_generation();
        table.store(42, entry(10, 1));
        EXPECT_EQ(table.probe(42)->score == score, stays) << score.value() << " " << static_cast<int>(bound);
    }
}

// Null windows ask from both sides. The second answer does not take away what the first has proved.
TEST(Table, BoundsOfAMateThatMeetMakeItExact) {
    for (const Score score : {Score::mate_in(5), Score::mated_in(6)}) {
        for (const Bound second : {Bound::Lower, Bound::Upper}) {
            const Bound proof = score.is_win() ? Bound::Lower : Bound::Upper;
            const TableEntry first{Move(chess::E2, chess::E4), score, Score(10),
                                   Effort::of_half_moves(9),   proof, false};
            TableEntry other = first;
            other.bound = second;
            Table table(1);
            table.store(42, first);
            table.store(42, other);
            EXPECT_EQ(table.probe(42)->bound, second == proof ? proof : Bound::Exact);
            // Nor is it exact what a deeper search proved from one side alone.
            TableEntry exact = first;
            exact.bound = Bound::Exact;
            TableEntry deeper = other;
            deeper.draft = Effort::of_half_moves(12);
            table.clear();
            table.store(42, exact);
            table.store(42, deeper);
            EXPECT_EQ(table.probe(42)->bound, second == proof ? proof : Bound::Exact);
            // Not where they leave something open.
            other.score = score.is_win() ? Score::mate_in(3) : Score::mated_in(4);
            table.clear();
            table.store(42, first);
            table.store(42, other);
            EXPECT_EQ(table.probe(42)->bound, second);
        }
    }
}

// Threads that write the same few clusters at once: what is read is always something that was written whole.
TEST(Table, ThreadsNeverSeeHalfAnEntry) {
    Table table(1);
    // Every field follows from the key, so a mixture of two entries would show.
    const auto entry_of = [](std::uint64_t key) {
        const auto value = static_cast<int>(key % 20'000);
        return entry(value - 10'000, static_cast<int>(key % 200), static_cast<Bound>(1 + key % 3),
                     Move::from_bits(static_cast<std::uint16_t>(key * 7 + 1)));
    };
    std::atomic<int> wrong = 0;
    std::atomic<int> found = 0;
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t thread = 0; thread < 4; ++thread)
            threads.emplace_back([&, thread] {
                base::Random random(thread);
                for (int i = 0; i < 200'000; ++i) {
                    const std::uint64_t key = 1 + random.below(64);
                    if (random.below(2) == 0) {
                        table.store(key, entry_of(key));
                    } else if (const auto read = table.probe(key)) {
                        const TableEntry expected = entry_of(key);
                        ++found;
                        wrong += read->score != expected.score || read->move != expected.move ||
                                 read->draft != expected.draft || read->bound != expected.bound ||
                                 read->evaluation != expected.evaluation ||
                                 read->was_principal != expected.was_principal;
                    }
                }
            });
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(found, 1000);
}

TEST(Table, SeveralThreadsClearAllOfIt) {
    Table table(3);
    base::Random random(2);
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 10'000; ++i) keys.push_back(random.next());
    for (const auto key : keys) table.store(key, entry(1, 1));
    table.clear(3);
    for (const auto key : keys) ASSERT_FALSE(table.probe(key));
}

TEST(Table, HoldsAsManyEntriesAsItIsMadeOf) {
    for (const std::size_t entries : {std::size_t{4}, std::size_t{1} << 12, std::size_t{1} << 17}) {
        Table table = Table::of_entries(entries);
        base::Random random(entries);
        std::vector<std::uint64_t> keys;
        for (std::size_t i = 0; i < 16 * entries; ++i) keys.push_back(random.next());
        for (const auto key : keys) table.store(key, entry(1, 1));
        const auto held = static_cast<std::size_t>(
            std::ranges::count_if(keys, [&](std::uint64_t key) { return table.probe(key).has_value(); }));
        EXPECT_EQ(held, entries);
        EXPECT_EQ(table.permille_full(), 1000);
        table.clear(2);
        EXPECT_FALSE(table.probe(keys.back()));
    }
    // Whole clusters, and at least one.
    Table smallest = Table::of_entries(0);
    smallest.store(1, entry(1, 1));
    EXPECT_TRUE(smallest.probe(1));
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
