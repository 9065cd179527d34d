#include "games/statistics.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/random.hpp"
#include "games/distinct.hpp"
#include "games/evaluation_record.hpp"
#include "games/rating.hpp"
#include "shipped_games.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using testing::ElementsAre;
using testing::Pair;
using tests::TemporaryFolder;

TEST(Histogram, CountsInBins) {
    Histogram histogram(20);
    for (const int value : {0, 19, 20, 45, 59}) histogram.add(value);
    Histogram more(20);
    more.add(3);
    histogram.merge(more);
    histogram.merge(Histogram(20));
    EXPECT_THAT(histogram.bins(), ElementsAre(Pair(0, 3), Pair(20, 1), Pair(40, 2)));
    EXPECT_EQ(histogram.count(), 6U);
    EXPECT_EQ(histogram.least(), 0);
    EXPECT_EQ(histogram.most(), 59);
    EXPECT_DOUBLE_EQ(histogram.mean(), 146.0 / 6);
}

TEST(BoundedTable, KeepsWhatCameFirst) {
    BoundedTable<NumberOfTimes> table(2);
    for (const char* name : {"a", "b", "b", "c", "b", "c"})
        if (NumberOfTimes* times = table.find_or_add(name)) ++times->count;
    EXPECT_EQ(table.size(), 2U);
    EXPECT_EQ(table.left_out(), 2U);
    const auto top = table.top(1, [](const NumberOfTimes& times) { return times.count; });
    ASSERT_EQ(top.size(), 1U);
    EXPECT_EQ(top[0].first, "b");
    EXPECT_EQ(top[0].second.count, 3U);
}

TEST(ResultCounts, ScoreOnlyWhatIsKnown) {
    ResultCounts counts;
    counts.add(GameResult::Unknown);
    EXPECT_EQ(counts.score(), std::nullopt);
    counts.add(GameResult::Draw);
    counts.add(GameResult::WhiteWins);
    EXPECT_EQ(counts.score(), 0.75);
}

TEST(Rating, IsTheNumberAtTheBeginning) {
    EXPECT_EQ(rating_of("2500"), 2500);
    EXPECT_EQ(rating_of("3500?"), 3500);
    for (const char* text : {"", "?", "-", "-5", "unrated 2000", "99999999999"})
        EXPECT_EQ(rating_of(text), 0) << text;
}

TEST(DistinctSample, IsExactUntilItsLimit) {
    DistinctSample sample(1'000);
    base::Random random(1);
    std::set<std::uint64_t> keys;
    for (int i = 0; i < 5'000; ++i) {
        const std::uint64_t key = random.below(900);  // not random bits at all
        keys.insert(key);
        sample.add(key, key < 9 ? 1 : 0);
    }
    EXPECT_EQ(sample.total(), 5'000U);
    EXPECT_TRUE(sample.is_exact());
    EXPECT_EQ(sample.distinct(), static_cast<double>(keys.size()));
    EXPECT_EQ(sample.distinct_if([](const auto& entry) { return entry.marks == 1; }), 9.0);
}

// Beyond it the estimate is good to its standard error, whatever the keys are like, how often they come, and
// how they are shared between samples.
TEST(DistinctSample, IsCloseBeyondIt) {
    constexpr std::size_t kLimit = 1 << 12;
    constexpr std::uint64_t kKeys = 300'000;
    for (const std::uint64_t step :
         {std::uint64_t{1}, std::uint64_t{1} << 20, std::uint64_t{0xD134'2543'DE82'EF95}}) {
        DistinctSample whole(kLimit);
        DistinctSample odd(kLimit);
        DistinctSample even(kLimit);
        for (std::uint64_t key = 0; key < kKeys; ++key) {
            std::uint64_t state = key * step;
            const std::uint64_t mixed = base::split_mix(state);
            for (std::uint64_t times = 0; times <= key % 3; ++times) {
                whole.add(mixed);
                (key % 2 ? odd : even).add(mixed);
            }
        }
        EXPECT_FALSE(whole.is_exact());
        const double error = whole.standard_error();
        EXPECT_NEAR(error, 1.2 / 64, 1e-12);
        EXPECT_NEAR(whole.distinct() / kKeys, 1, 4 * error);
        const double once = whole.distinct_if([](const auto& entry) { return entry.count == 1; });
        EXPECT_NEAR(once / (kKeys / 3.0), 1, 8 * error) << "a third of them comes once";
        odd.merge(even);
        EXPECT_EQ(odd.distinct(), whole.distinct());
        EXPECT_EQ(odd.total(), whole.total());
    }
}

// Results drawn with the probability that a logistic curve of a known scale gives.
TEST(EvaluationRecord, FindsScaleAndSign) {
    for (const double scale : {40.0, 150.0, 600.0}) {
        EvaluationRecord record;
        EvaluationRecord turned;
        base::Random random(17);
        for (int i = 0; i < 60'000; ++i) {
            const auto value = static_cast<std::int16_t>(random.below(1'201)) - 600;
            const bool wins = random.unit() < 1 / (1 + std::exp(-value / scale));
            const GameResult result = wins ? GameResult::WhiteWins : GameResult::BlackWins;
            const chess::Color mover = i % 2 ? chess::Black : chess::White;
            record.add({static_cast<std::int16_t>(value), 0, 0}, result, mover);
            turned.add({static_cast<std::int16_t>(mover == chess::Black ? -value : value), 0, 0}, result,
                       mover);
        }
        ASSERT_TRUE(record.scale());
        EXPECT_NEAR(*record.scale() / scale, 1, 0.05);
        EXPECT_GT(record.correlation(chess::White).value(), 0.2);
        EXPECT_GT(record.correlation(chess::Black).value(), 0.2);
        EXPECT_GT(turned.correlation(chess::White).value(), 0.2);
        EXPECT_LT(turned.correlation(chess::Black).value(), -0.2);
    }
}

TEST(EvaluationRecord, SaysNothingOfNothing) {
    EvaluationRecord record;
    EXPECT_EQ(record.correlation(chess::White), std::nullopt);
    EXPECT_EQ(record.scale(), std::nullopt);
    EXPECT_EQ(record.most_frequent_share(), 0);
    for (int i = 0; i < 10; ++i)
        record.add({30, 0, 1}, i % 2 ? GameResult::Draw : GameResult::WhiteWins, chess::White);
    EXPECT_EQ(record.correlation(chess::White), std::nullopt) << "all evaluations are the same";
    EXPECT_EQ(record.most_frequent_share(), 1);
    for (int i = 0; i < 10; ++i) record.add({0, 3, 1}, GameResult::WhiteWins, chess::White);
    EXPECT_EQ(record.mates(), 10U);
    EXPECT_EQ(record.most_frequent_share(), 0.5);
}

// Counted in the games that ship by grep, cut and sort over their tags, and by pgn-extract.
TEST(ShippedGames, Statistics) {
    const TemporaryFolder folder;
    const auto path = folder / "master.games";
    auto writer = StoreWriter::create(path, {.compression_level = 1, .games_per_block = 500});
    for (const Game& game : shipped_games()) ASSERT_TRUE(writer->add(game));
    ASSERT_TRUE(writer->finish());
    const std::vector<StoreReader> stores{StoreReader::open(path).value()};
    for (const unsigned threads : {1U, 3U}) {
        const auto statistics = gather_statistics(stores, {}, 2, threads, {}, nullptr);
        ASSERT_TRUE(statistics);
        EXPECT_EQ(statistics->games, 6'000U);
        EXPECT_GT(statistics->splits[0], 5'000U);
        EXPECT_EQ(statistics->plies, 527'524U);
        EXPECT_EQ(statistics->results.of(GameResult::WhiteWins), 2'123U);
        EXPECT_EQ(statistics->results.of(GameResult::Draw), 2'411U);
        EXPECT_EQ(statistics->results.of(GameResult::BlackWins), 1'466U);
        EXPECT_EQ(statistics->results.of(GameResult::Unknown), 0U);
        EXPECT_EQ(statistics->years.bins().at(2020), 302U);
        EXPECT_EQ(statistics->years.least(), 1971);
        EXPECT_EQ(statistics->ratings.count(), 12'000U);
        EXPECT_EQ(statistics->ratings.least(), 2'300);
        EXPECT_EQ(statistics->ratings.most(), 2'881);
        EXPECT_EQ(statistics->unrated, 0U);
        Selection halves;
        halves.shares = {.validation = 0.25, .test = 0.25};
        const auto shared_out = gather_statistics(stores, halves, 2, threads, {}, nullptr);
        ASSERT_TRUE(shared_out);
        EXPECT_NEAR(static_cast<double>(shared_out->splits[0]), 3'000, 200);
        const auto openings =
            statistics->openings.top(3, [](const OpeningRecord& record) { return record.results.games(); });
        ASSERT_EQ(openings.size(), 3U);
        const std::array<std::pair<std::string, std::uint64_t>, 3> expected{
            {{"1. d4 Nf6", 1'477}, {"1. e4 c5", 1'078}, {"1. e4 e5", 774}}};
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(opening_moves(stores, openings[i].second, 2).value(), expected[i].first);
            EXPECT_EQ(openings[i].second.results.games(), expected[i].second);
        }
    }
}

}  // namespace
}  // namespace scholar::games
