#include "games/judgement.hpp"

#include <gtest/gtest.h>

namespace scholar::games {
namespace {

TEST(Judgement, IsFromWhitesView) {
    EXPECT_EQ(evaluation_of_centipawns(35, chess::White, 12), (Evaluation{35, 0, 12}));
    EXPECT_EQ(evaluation_of_centipawns(35, chess::Black, 12), (Evaluation{-35, 0, 12}));
    EXPECT_EQ(evaluation_of_mate(3, chess::White, 7), (Evaluation{0, 3, 7}));
    EXPECT_EQ(evaluation_of_mate(3, chess::Black, 7), (Evaluation{0, -3, 7}));
    EXPECT_EQ(evaluation_of_mate(-2, chess::Black, 7), (Evaluation{0, 2, 7}));
}

// Zero would say that there is no mate.
TEST(Judgement, WhoIsMatedAlreadyIsSoInOne) {
    EXPECT_EQ(evaluation_of_mate(0, chess::White, 1).mate, -1);
    EXPECT_EQ(evaluation_of_mate(0, chess::Black, 1).mate, 1);
}

TEST(Judgement, IsCutOffWhereAStoreHasNoRoom) {
    EXPECT_EQ(evaluation_of_centipawns(40'000, chess::White, 300), (Evaluation{32'000, 0, 255}));
    EXPECT_EQ(evaluation_of_centipawns(40'000, chess::Black, -1), (Evaluation{-32'000, 0, 0}));
    EXPECT_EQ(evaluation_of_mate(-40'000, chess::White, 0).mate, -32'000);
}

}  // namespace
}  // namespace scholar::games
