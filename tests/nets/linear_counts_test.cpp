#include "nets/linear/linear_counts.hpp"

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <set>

#include "chess/fen.hpp"
#include "games/shipped_games.hpp"
#include "nets/linear_reference.hpp"
#include "properties/playout.hpp"
#include "support/mirror.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

// What the two disagree about: "castled: 1, by the book 0; …".
std::string differences(const Position& position) {
    const auto fast = dense_counts(position);
    const auto slow = tests::reference_counts(position);
    std::string text;
    for (int i = 0; i < kLinearFeatures; ++i)
        if (fast[static_cast<std::size_t>(i)] != slow[static_cast<std::size_t>(i)])
            text += fmt::format("{}: {}, by the book {}; ", feature_name(i),
                                fast[static_cast<std::size_t>(i)], slow[static_cast<std::size_t>(i)]);
    return text.empty() ? text : to_fen(position) + ": " + text;
}

// Positions that games of masters seldom have.
constexpr std::array kOdd{
    "8/5k2/8/P7/8/8/8/4K3 b - - 0 1",  // unstoppable, with either side to move
    "8/5k2/8/P7/8/8/8/4K3 w - - 0 1",
    "8/8/8/8/2k5/8/P7/K7 w - - 0 1",     // from its first square
    "k7/P7/8/8/8/8/4B3/4K3 w - - 0 1",   // the wrong bishop
    "8/8/8/3k4/8/8/8/2B1KN2 w - - 0 1",  // bishop and knight mate
    "8/8/8/3k4/8/8/8/3NKN2 b - - 0 1",
    "8/5n2/8/3k4/8/8/8/3RK3 b - - 0 1",
    "3qk3/3r4/8/3R4/8/8/3Q4/3K4 w - - 0 1",  // pins on both sides, to king and queen
    "4k3/4q3/8/8/4R3/8/4B3/4K3 b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/PPPPPPPP/8/2k5/5K2/8/pppppppp/8 w - - 0 1",
    "QQQQQQQ1/QQ6/8/8/8/8/5k2/K7 b - - 0 1",  // more of a kind than there are squares for words
    "rnbqkb1r/ppp2ppp/8/3pN3/3Pn3/8/PPP2PPP/RNBQKB1R w KQkq - 0 1",
    "3k4/8/8/2KP4/8/8/8/8 b - - 0 1",
    "6k1/1R3ppp/8/8/8/8/1r3PPP/1R4K1 w - - 0 1",
    "2kr3r/8/8/8/8/8/8/R5KR w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
};

Position counted_position(const char* fen) {
    const auto position = parse_fen(fen);
    EXPECT_TRUE(position) << fen;
    return *position;
}

TEST(LinearCounts, AreWhatTheTableSaysInOddPositions) {
    for (const char* fen : kOdd) {
        const Position position = counted_position(fen);
        EXPECT_EQ(differences(position), "");
        EXPECT_EQ(differences(tests::mirrored(position)), "");
    }
}

// Every fourth position of 150 games, and that all but a few features occur in them or in the odd ones.
TEST(LinearCounts, AreWhatTheTableSaysInGamesOfMasters) {
    std::set<int> seen;
    const auto see = [&seen](const Position& position) {
        const auto counts = dense_counts(position);
        for (int i = 0; i < kLinearFeatures; ++i)
            if (counts[static_cast<std::size_t>(i)] != 0) seen.insert(i);
    };
    for (const char* fen : kOdd) see(counted_position(fen));
    int positions = 0;
    int ply = 0;
    for (const games::Game& game : games::shipped_games(tests::kSanitized ? 15 : 150)) {
        Position position = game.start;
        for (const Move move : game.moves) {
            position.make(move);
            see(position);
            if (ply++ % 12 != 0) continue;
            ASSERT_EQ(differences(position), "");
            ++positions;
        }
    }
    EXPECT_GT(positions, tests::kSanitized ? 70 : 700);
    EXPECT_GT(seen.size(), tests::kSanitized ? 1000U : 1468U);
}

RC_GTEST_PROP(LinearCounts, AreWhatTheTableSays, (const tests::Playout& playout)) {
    RC_ASSERT(differences(playout.end()) == "");
}

// The same position with colours changed is the same for the side to move: any weights flip exactly.
RC_GTEST_PROP(LinearCounts, DoNotKnowColours, (const tests::Playout& playout)) {
    const Position position = playout.end();
    RC_ASSERT(dense_counts(tests::mirrored(position)) == dense_counts(position));
}

// Passing the move turns the sign of all that does not speak of it.
RC_GTEST_PROP(LinearCounts, AreOfBothSidesAlike, (const tests::Playout& playout)) {
    const Position position = playout.end();
    RC_PRE(!position.in_check());
    Position passed = position;
    passed.make_null();
    const auto before = dense_counts(position);
    const auto after = dense_counts(passed);
    for (int i = 0; i < kLinearFeatures; ++i) {
        const Block block = place_of(i).block;
        if (row(block).group == Group::Tempo || block == Block::UnstoppablePawn ||
            block == Block::UnstoppableRank)
            continue;
        const auto index = static_cast<std::size_t>(i);
        if (before[index] != -after[index]) RC_FAIL(feature_name(i) + ": " + to_fen(position));
    }
}

TEST(LinearCounts, HasTheFeaturesOfThePapersFigureFive) {
    // White has castled and has a doubled pawn on c2 and c3; Black's king stands where it began, without
    // rights.
    const auto counts =
        dense_counts(counted_position("r1bqkb1r/ppp1pppp/2n2n2/3p4/3P4/2P2N2/P1P1BPPP/R1BQ1RK1 w - - 0 1"));
    EXPECT_EQ(counts[static_cast<std::size_t>(feature(Block::Castled))], 1);
    EXPECT_EQ(counts[static_cast<std::size_t>(feature(Block::CastledShort))], 1);
    EXPECT_EQ(counts[static_cast<std::size_t>(feature(Block::CastlingLost))], -1);
    EXPECT_EQ(counts[static_cast<std::size_t>(feature(Block::DoubledPawn))], 1);
    EXPECT_EQ(feature_name(feature(Block::Castled)), "castled");
    EXPECT_EQ(feature_name(feature(Block::DoubledPawn)), "doubled_pawn");
}

TEST(LinearFeatures, AreNamedOnceEach) {
    std::map<std::string, int> names;
    for (int i = 0; i < kLinearFeatures; ++i) {
        const auto [block, first, second] = place_of(i);
        EXPECT_EQ(feature(block, first, second), i);
        const auto [known, is_new] = names.emplace(feature_name(i), i);
        EXPECT_TRUE(is_new) << known->first;
    }
    EXPECT_TRUE(names.contains("knight_square.e5"));
    EXPECT_TRUE(names.contains("attack.rook.pawn"));
    EXPECT_TRUE(names.contains("shelter.left.8"));
    EXPECT_TRUE(names.contains("king_attacker_number.5+"));
    EXPECT_TRUE(names.contains("pawn_square.h7"));
}

}  // namespace
}  // namespace scholar::nets
