#include "games/game.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"

namespace scholar::games {
namespace {

Game game_of(std::initializer_list<std::string_view> moves) {
    Game game;
    chess::Position position;
    for (const std::string_view san : moves) {
        game.moves.push_back(chess::parse_san(position, san).value());
        position.make(game.moves.back());
    }
    return game;
}

TEST(Game, HashIsOfTheMovesAndTheStartAlone) {
    const Game plain = game_of({"e4", "e5", "Nf3"});
    Game tagged = plain;
    tagged.tags = {{"White", "Morphy"}};
    tagged.result = GameResult::WhiteWins;
    tagged.evaluations = {Evaluation{30, 0, 10}, std::nullopt, std::nullopt};
    EXPECT_EQ(plain.hash(), tagged.hash());

    EXPECT_NE(plain.hash(), game_of({"e4", "e5"}).hash());
    EXPECT_NE(plain.hash(), game_of({"e4", "e5", "Nc3"}).hash());
    Game elsewhere = plain;
    elsewhere.start = chess::parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1")
                          .value();  // without a rook
    EXPECT_NE(plain.hash(), elsewhere.hash());
}

// A store keeps hashes and a run's split hangs on them: this one may never change. XXH3-64, by libxxhash
// alone, of 0c 07 34 09 46 05: from + 64 · to of each move as two bytes.
TEST(Game, HashStaysWhatItWas) {
    EXPECT_EQ(game_of({"e4", "e5", "Nf3"}).hash(), 0x66CA3E12ADF3E0CBULL);
}

TEST(Game, PointsAndNames) {
    EXPECT_EQ(points(GameResult::WhiteWins, chess::White), 1.0);
    EXPECT_EQ(points(GameResult::WhiteWins, chess::Black), 0.0);
    EXPECT_EQ(points(GameResult::BlackWins, chess::Black), 1.0);
    EXPECT_EQ(points(GameResult::Draw, chess::White), 0.5);
    EXPECT_EQ(points(GameResult::Unknown, chess::White), std::nullopt);
    EXPECT_EQ(to_string(GameResult::Draw), "1/2-1/2");
    EXPECT_EQ(to_string(GameResult::Unknown), "*");
}

TEST(Split, SharesAreKeptWithinChance) {
    base::Random random(5);
    std::array<int, 3> counts{};
    constexpr int kGames = 100'000;
    for (int i = 0; i < kGames; ++i)
        ++counts[static_cast<std::size_t>(split_of(random.next(), {.validation = 0.1, .test = 0.05}))];
    // Five standard deviations of a binomial.
    EXPECT_NEAR(counts[static_cast<std::size_t>(Split::Validation)], 10'000, 475);
    EXPECT_NEAR(counts[static_cast<std::size_t>(Split::Test)], 5'000, 345);
}

TEST(Split, EachGameIsHeldOutInOneOfTheFolds) {
    base::Random random(7);
    constexpr int kFolds = 5;
    constexpr int kGames = 100'000;
    std::array<int, kFolds> sizes{};
    for (int i = 0; i < kGames; ++i) {
        const std::uint64_t hash = random.next();
        const bool test = split_of(hash, {.test = 0.1}) == Split::Test;
        int held_out = 0;
        for (int fold = 0; fold < kFolds; ++fold) {
            const Split split = split_of(hash, {.test = 0.1, .folds = kFolds, .fold = fold});
            ASSERT_EQ(split == Split::Test, test);
            if (split != Split::Validation) continue;
            ++held_out;
            ++sizes.at(static_cast<std::size_t>(fold));
        }
        ASSERT_EQ(held_out, test ? 0 : 1);
    }
    // A fifth of nine tenths, within five standard deviations.
    for (const int size : sizes) EXPECT_NEAR(size, 18'000, 607);
}

TEST(Split, MoreTrainingNeverMovesAGameIntoTraining) {
    // Growing the validation share leaves the test games where they are.
    base::Random random(6);
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t hash = random.next();
        const bool test = split_of(hash, {.validation = 0.01, .test = 0.05}) == Split::Test;
        EXPECT_EQ(test, split_of(hash, {.validation = 0.2, .test = 0.05}) == Split::Test);
    }
}

}  // namespace
}  // namespace scholar::games
