#include "nets/perspective/feature_set.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>

#include "chess/fen.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

std::set<int> encoded(const FeatureSet& features, const Position& position, Color viewpoint) {
    ActiveFeatures active;
    features.encode(position, viewpoint, active);
    // Both at once give the same as each alone.
    std::array<std::uint16_t, FeatureSet::kMaxActive> own{}, enemy{};
    EXPECT_EQ(features.encode(position, viewpoint, own.data(), enemy.data()), active.count);
    EXPECT_TRUE(std::equal(active.begin(), active.end(), own.begin()));
    ActiveFeatures other;
    features.encode(position, ~viewpoint, other);
    EXPECT_TRUE(std::equal(other.begin(), other.end(), enemy.begin()));
    return {active.begin(), active.end()};
}

const FeatureSet& named(const char* name) {
    return **find_feature_set(name);
}

TEST(PlainFeatures, StartPositionByHand) {
    // Own pieces are 0 to 383, enemies 384 to 767; pawn knight bishop rook queen king; a1 = 0, own side at
    // the bottom.
    std::set<int> expected;
    for (int file = 0; file < 8; ++file) {
        expected.insert(8 + file);         // own pawns on the second rank
        expected.insert(384 + 48 + file);  // enemy pawns on the seventh
    }
    const int back[8] = {3, 1, 2, 4, 5, 2, 1, 3};
    for (int file = 0; file < 8; ++file) {
        expected.insert(64 * back[file] + file);
        expected.insert(384 + 64 * back[file] + 56 + file);
    }
    EXPECT_EQ(encoded(plain_features(), Position(), White), expected);
    // The start position looks the same from both sides.
    EXPECT_EQ(encoded(plain_features(), Position(), Black), expected);
}

TEST(PlainFeatures, ViewpointsAreMirrorsOfEachOther) {
    const auto position = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    ASSERT_TRUE(position);
    std::set<int> turned;
    for (const int feature : encoded(plain_features(), *position, White))
        turned.insert((feature + 384) % 768 / 64 * 64 + (feature % 64 ^ 56));
    EXPECT_EQ(encoded(plain_features(), *position, Black), turned);
}

TEST(KingFeatures, KingsAndPawnByHand) {
    // White's king on g1 is mirrored to b1; Black's on c7 is, from Black's side, on c2.
    const auto position = parse_fen("8/2k5/8/4P3/8/8/8/6K1 w - - 0 1");
    ASSERT_TRUE(position);
    const auto in_bucket = [](int bucket, std::set<int> features) {
        std::set<int> moved;
        for (const int feature : features) moved.insert(bucket * 768 + feature);
        return moved;
    };
    constexpr int b1 = 1, f7 = 53, d5 = 35;  // as White sees g1, c7 and e5
    const std::set<int> white{5 * 64 + b1, 384 + 5 * 64 + f7, d5};
    constexpr int c2 = 10, g8 = 62, e4 = 28;  // as Black sees c7, g1 and e5
    const std::set<int> black{5 * 64 + c2, 384 + 5 * 64 + g8, 384 + e4};
    for (const auto& [name, white_bucket, black_bucket] :
         {std::tuple{"768-mirrored", 0, 0}, {"768-king4", 0, 2}, {"768-king6", 0, 4}, {"768-king10", 1, 5}}) {
        EXPECT_EQ(encoded(named(name), *position, White), in_bucket(white_bucket, white)) << name;
        EXPECT_EQ(encoded(named(name), *position, Black), in_bucket(black_bucket, black)) << name;
    }
}

TEST(KingFeatures, AMirroredBoardIsTheSame) {
    const auto position = parse_fen("r4rk1/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQ - 0 1");
    const auto mirror = parse_fen("1kr4r/1bpqpp1p/1pnp2nb/3NP3/3P2p1/p1Q2N2/PPPBBPPP/R2K3R w - - 0 1");
    ASSERT_TRUE(position && mirror);
    for (const Color viewpoint : kColors) {
        EXPECT_EQ(encoded(named("768-king10"), *position, viewpoint),
                  encoded(named("768-king10"), *mirror, viewpoint));
        EXPECT_NE(encoded(plain_features(), *position, viewpoint),
                  encoded(plain_features(), *mirror, viewpoint));
    }
}

class EachFeatureSet : public testing::TestWithParam<const char*> {};

TEST_P(EachFeatureSet, IsWithinItsSizeAndUsesAllItsBuckets) {
    const FeatureSet& features = named(GetParam());
    std::set<int> buckets;
    for (const View& view : features.views) buckets.insert(view.bucket);
    EXPECT_EQ(static_cast<int>(buckets.size()), features.buckets);
    EXPECT_EQ(*buckets.rbegin(), features.buckets - 1);
    EXPECT_EQ(features.size(), 768 * features.buckets * features.states);
    EXPECT_LE(features.size(), 65'536);
}

TEST_P(EachFeatureSet, UpdateEqualsFreshEncodeAfterEveryMoveThatLeavesTheView) {
    const FeatureSet& features = named(GetParam());
    base::Random random(1);
    int castlings = 0;
    int en_passants = 0;
    int promotions = 0;
    int other_views = 0;
    const auto chess960 = parse_fen("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    ASSERT_TRUE(chess960);
    for (int game = 0; game < (tests::kSanitized ? 100 : 500); ++game) {
        tests::play_random_game(
            random, game % 2 ? *chess960 : Position(), 200,
            [&](const Position& before, Move move, const Position& after) {
                castlings += move.is_castling();
                en_passants += move.is_en_passant();
                promotions += move.is_promotion();
                for (const Color viewpoint : kColors) {
                    const View view = features.view(viewpoint, before.king(viewpoint));
                    if (features.view(viewpoint, after.king(viewpoint)) != view) {
                        ++other_views;
                        continue;
                    }
                    std::set<int> set = encoded(features, before, viewpoint);
                    const BoardDifference difference =
                        features.difference(features.state_of(before), features.state_of(after));
                    std::set<int> compared = set;
                    for (const auto& man : difference.removed)
                        ASSERT_EQ(compared.erase(features.index(view, viewpoint, man)), 1U);
                    for (const auto& man : difference.added)
                        ASSERT_TRUE(compared.insert(features.index(view, viewpoint, man)).second);
                    ASSERT_EQ(compared, encoded(features, after, viewpoint)) << to_fen(before);
                    if (features.reads_attacks()) continue;
                    const auto update = features.update(view, board_change(before, move), viewpoint);
                    for (int i = 0; i < update.removed_count; ++i)
                        ASSERT_EQ(set.erase(update.removed[i]), 1U);
                    // A king or rook that castles to its own square leaves it and comes
                    // back to it.
                    for (int i = 0; i < update.added_count; ++i)
                        ASSERT_TRUE(set.insert(update.added[i]).second);
                    ASSERT_EQ(set, encoded(features, after, viewpoint)) << to_fen(before);
                }
            });
    }
    EXPECT_GT(castlings, 0);
    EXPECT_GT(en_passants, 0);
    EXPECT_GT(promotions, 0);
    EXPECT_EQ(other_views > 0, features.views != plain_features().views);
}

INSTANTIATE_TEST_SUITE_P(Names, EachFeatureSet,
                         testing::Values("768", "768-mirrored", "768-king4", "768-king6", "768-king10",
                                         "768-threats", "768-mirrored-threats", "768-king4-threats"));

TEST(FeatureSet, AMansStateIsWhoAttacksAndWhoDefendsHim) {
    // The queen on d5 is attacked by the pawn on e4 and defended by the one on c6; that pawn is defended by
    // the one on b7 and not attacked; the pawn on e4 is attacked by the queen and not defended.
    const auto position = parse_fen("4k3/1p6/2p5/3q4/4P3/8/8/4K3 w - - 0 1");
    ASSERT_TRUE(position);
    const FeatureSet& features = named("768-threats");
    const std::set<int> white = encoded(features, *position, White);
    const auto feature = [](int state, int man, Square square) { return (state * 12 + man) * 64 + square; };
    EXPECT_TRUE(white.contains(feature(3, 6 + Queen, D5)));
    EXPECT_TRUE(white.contains(feature(1, 6 + Pawn, C6)));
    EXPECT_TRUE(white.contains(feature(0, 6 + Pawn, B7)));
    EXPECT_TRUE(white.contains(feature(2, Pawn, E4)));
    EXPECT_TRUE(white.contains(feature(0, King, E1)));
    EXPECT_EQ(white.size(), 6U);
    EXPECT_TRUE(encoded(features, *position, Black).contains(feature(3, Queen, D4)));
}

TEST(FeatureSet, UnknownNameIsRefusedWithTheKnownOnes) {
    const auto unknown = find_feature_set("halfkp");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message,
              "feature set 'halfkp' is not known, expected one of: 768, 768-mirrored, 768-king4, 768-king6, "
              "768-king10, 768-threats, 768-mirrored-threats, 768-king4-threats");
}

}  // namespace
}  // namespace scholar::nets
