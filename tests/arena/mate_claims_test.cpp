#include "arena/mate_claims.hpp"

#include <gtest/gtest.h>

#include "chess/uci_move.hpp"

namespace scholar::arena {
namespace {

struct Said {
    std::string move;
    int mate = 0;
    std::vector<std::string> variation;
};

// A game from the start position; engine 0 has White.
MatchGame game_of(const std::vector<Said>& moves, games::GameResult result, games::Ending ending) {
    MatchGame game;
    chess::Position position;
    for (const auto& said : moves) {
        PlayedMove played;
        played.move = chess::parse_uci_move(position, said.move).value();
        if (said.mate != 0) played.info.mate = said.mate;
        played.info.principal_variation = said.variation;
        game.moves.push_back(played);
        position.make(played.move);
    }
    game.result = result;
    game.ending = ending;
    return game;
}

using games::Ending;
using games::GameResult;

TEST(MateClaims, KeptOnesAreTrue) {
    // Fool's mate: 1. f3 e5 2. g4 Qh4#.
    const auto game = game_of({{"f2f3", -2, {"f2f3", "e7e5", "g2g4", "d8h4"}},
                               {"e7e5", 2, {"e7e5", "g2g4", "d8h4"}},
                               {"g2g4", -1, {"g2g4", "d8h4"}},
                               {"d8h4", 1, {"d8h4"}}},
                              GameResult::BlackWins, Ending::Checkmate);
    EXPECT_TRUE(find_false_mates(game).empty());
}

TEST(MateClaims, ALateMateIsFalse) {
    const auto game = game_of({{"f2f3", 0, {}}, {"e7e5", 1, {"e7e5"}}, {"g2g4", 0, {}}, {"d8h4", 1, {}}},
                              GameResult::BlackWins, Ending::Checkmate);
    const auto found = find_false_mates(game);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].engine, 1);
    EXPECT_EQ(found[0].move, 1U);
    EXPECT_EQ(found[0].mate, 1);
}

TEST(MateClaims, WhoIsMatedOrDrawsHadNoMate) {
    auto game = game_of({{"f2f3", 9, {}}, {"e7e5", 0, {}}, {"g2g4", 8, {}}, {"d8h4", 0, {}}},
                        GameResult::BlackWins, Ending::Checkmate);
    ASSERT_EQ(find_false_mates(game).size(), 1U);  // the second belongs to the first
    EXPECT_EQ(find_false_mates(game)[0].engine, 0);
    game = game_of({{"e2e4", 5, {}}, {"e7e5", 0, {}}}, GameResult::Draw, Ending::Repetition);
    EXPECT_EQ(find_false_mates(game).size(), 1U);
    // Broken off before its time.
    for (const auto ending : {Ending::Adjudication, Ending::Resignation, Ending::TimeForfeit}) {
        game.ending = ending;
        EXPECT_TRUE(find_false_mates(game).empty());
    }
}

TEST(MateClaims, MatedIsFalseOnlyIfTheVariationIsPlayed) {
    auto game = game_of({{"e2e4", -1, {"e2e4", "e7e5"}}, {"e7e5", 0, {}}, {"g1f3", 0, {}}}, GameResult::Draw,
                        Ending::Adjudication);
    ASSERT_EQ(find_false_mates(game).size(), 1U);
    EXPECT_EQ(find_false_mates(game)[0].mate, -1);
    game = game_of({{"e2e4", -1, {"e2e4", "d7d5"}}, {"e7e5", 0, {}}, {"g1f3", 0, {}}}, GameResult::Draw,
                   Ending::Adjudication);
    EXPECT_TRUE(find_false_mates(game).empty());
}

TEST(MateClaims, NoDistanceOverflows) {
    for (const int mate : {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
        const auto game = game_of({{"e2e4", mate, {"e2e4"}}}, GameResult::WhiteWins, Ending::TimeForfeit);
        EXPECT_TRUE(find_false_mates(game).empty());
    }
}

}  // namespace
}  // namespace scholar::arena
