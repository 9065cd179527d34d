#include "nets/feature_set.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "chess/fen.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

std::set<int> encoded(const Position& position, Color viewpoint) {
    ActiveFeatures active;
    Features768::encode(position, viewpoint, active);
    return {active.begin(), active.end()};
}

TEST(Features768, StartPositionByHand) {
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
    EXPECT_EQ(encoded(Position(), White), expected);
    EXPECT_EQ(encoded(Position(), Black), expected);  // the start position looks the same from both sides
}

TEST(Features768, ViewpointsAreMirrorsOfEachOther) {
    const auto position = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    ASSERT_TRUE(position);
    std::set<int> turned;
    for (const int feature : encoded(*position, White))
        turned.insert((feature + 384) % 768 / 64 * 64 + (feature % 64 ^ 56));
    EXPECT_EQ(encoded(*position, Black), turned);
}

TEST(Features768, UpdateEqualsFreshEncodeAfterEveryMove) {
    base::Random random(1);
    int castlings = 0;
    int en_passants = 0;
    int promotions = 0;
    const auto chess960 = parse_fen("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    ASSERT_TRUE(chess960);
    for (int game = 0; game < (tests::kSanitized ? 100 : 1000); ++game) {
        tests::play_random_game(random, game % 2 ? *chess960 : Position(), 200,
                                [&](const Position& before, Move move, const Position& after) {
                                    castlings += move.is_castling();
                                    en_passants += move.is_en_passant();
                                    promotions += move.is_promotion();
                                    for (const Color viewpoint : kColors) {
                                        std::set<int> features = encoded(before, viewpoint);
                                        const auto update =
                                            Features768::update(board_change(before, move), viewpoint);
                                        for (int i = 0; i < update.removed_count; ++i)
                                            ASSERT_EQ(features.erase(update.removed[i]), 1U);
                                        // A king or rook that castles to its own square leaves it and comes
                                        // back to it.
                                        for (int i = 0; i < update.added_count; ++i)
                                            ASSERT_TRUE(features.insert(update.added[i]).second);
                                        ASSERT_EQ(features, encoded(after, viewpoint)) << to_fen(before);
                                    }
                                });
    }
    EXPECT_GT(castlings, 0);
    EXPECT_GT(en_passants, 0);
    EXPECT_GT(promotions, 0);
}

TEST(FeatureSet, UnknownNameIsRefusedWithTheKnownOnes) {
    ASSERT_TRUE(find_feature_set("768"));
    EXPECT_EQ(find_feature_set("768")->size, 768);
    const auto unknown = find_feature_set("halfkp");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("expected one of: 768"), std::string::npos);
}

}  // namespace
}  // namespace scholar::nets
