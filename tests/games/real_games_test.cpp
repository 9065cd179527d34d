#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/pgn.hpp"
#include "support/test_data.hpp"

// Files that other programs wrote. The figures are those of pgn-extract 22-11 (`pgn-extract -s --plycount`),
// which refuses the same games.

namespace scholar::games {
namespace {

struct Counts {
    std::size_t games = 0;
    std::size_t plies = 0;
    std::size_t evaluations = 0;
    std::size_t chess960 = 0;
    std::vector<std::string> problems;
};

Counts count(const std::filesystem::path& path) {
    Counts counts;
    auto reader = PgnReader::open(path.string());
    EXPECT_TRUE(reader) << path;
    while (reader) {
        const auto item = reader->next();
        EXPECT_TRUE(item) << path;
        if (!item || *item == PgnItem::End) break;
        if (*item == PgnItem::Problem) {
            counts.problems.push_back(reader->problem().to_string());
            continue;
        }
        const Game& game = reader->game();
        ++counts.games;
        counts.plies += game.moves.size();
        counts.chess960 += game.chess960;
        for (const auto& evaluation : game.evaluations) counts.evaluations += evaluation.has_value();
        // Most of these files say how many half-moves a game has; some count the null move that is no move.
        if (const std::string_view said = game.tag("PlyCount"); !said.empty()) {
            EXPECT_EQ(std::to_string(game.moves.size()), said) << path;
        }
    }
    return counts;
}

TEST(ShippedGames, AllOfThem) {
    const Counts counts = count(tests::source_dir() / "games" / "master-games.pgn.zst");
    EXPECT_EQ(counts.games, 6'000U);
    EXPECT_EQ(counts.plies, 527'524U);
    EXPECT_THAT(counts.problems, testing::IsEmpty());
}

struct Expected {
    const char* name;
    std::size_t games;
    std::size_t plies;
    std::size_t problems;
};

class SharedGames : public testing::TestWithParam<Expected> {};

TEST_P(SharedGames, Counts) {
    const auto file = tests::shared_data(GetParam().name);
    if (!file) GTEST_SKIP() << "no " << GetParam().name << ": set SCHOLAR_DATA to run this test";
    const Counts counts = count(*file);
    EXPECT_EQ(counts.games, GetParam().games);
    EXPECT_EQ(counts.plies, GetParam().plies);
    EXPECT_THAT(counts.problems, testing::SizeIs(GetParam().problems));
}

INSTANTIATE_TEST_SUITE_P(Odd, SharedGames,
                         testing::Values(Expected{"games/odd/anastasian-lewis.pgn", 0, 0, 1},
                                         Expected{"games/odd/antichess-programfox.pgn", 0, 0, 2},
                                         Expected{"games/odd/chessbase-empty-line.pgn", 1, 134, 0},
                                         Expected{"games/odd/cutechess-fischerrandom.pgn", 4, 396, 0},
                                         Expected{"games/odd/kasparov-deep-blue-1997.pgn", 6, 519, 0},
                                         Expected{"games/odd/molinari-bordais-1979.pgn", 1, 10, 0},
                                         Expected{"games/odd/nepomniachtchi-liren-game1.pgn", 1, 97, 0},
                                         Expected{"games/odd/stockfish-learning.pgn", 1, 154, 0},
                                         Expected{"games/odd/uci-moves.pgn", 1, 113, 0},
                                         Expected{"games/odd/utf8-bom.pgn", 2, 0, 0},
                                         Expected{"games/raw/TCEC_Cup_10_Bronze.pgn", 10, 1'534, 0}));

TEST(SharedGameFiles, NullMoveIsNamed) {
    const auto file = tests::shared_data("games/odd/anastasian-lewis.pgn");
    if (!file) GTEST_SKIP() << "no games/odd/anastasian-lewis.pgn: set SCHOLAR_DATA to run this test";
    EXPECT_THAT(count(*file).problems, testing::ElementsAre(testing::HasSubstr(
                                           "line 20: game 1 (Anastasian, A. – Lewis, An): half-move 82: "
                                           "null move 'Z0', expected a legal move")));
}

// Figures of the file's comments: `grep -oE '\{[+-]?([0-9]+\.[0-9]+|M[0-9]+)/[0-9]+' | wc -l`.
TEST(SharedGameFiles, CutechessEvaluations) {
    const auto file = tests::shared_data("games/odd/cutechess-fischerrandom.pgn");
    if (!file) GTEST_SKIP() << "no games/odd/cutechess-fischerrandom.pgn: set SCHOLAR_DATA to run this test";
    EXPECT_EQ(count(*file).evaluations, 396U);
    auto reader = PgnReader::open(file->string()).value();
    ASSERT_EQ(reader.next(), PgnItem::Game);
    const auto& evaluations = reader.game().evaluations;
    EXPECT_EQ(evaluations.at(0), (Evaluation{13, 0, 12}));
    EXPECT_EQ(evaluations.at(1), (Evaluation{17, 0, 15})) << "Black said -0.17";
    EXPECT_EQ(evaluations.at(5), (Evaluation{-14, 0, 13})) << "Black said +0.14";
    EXPECT_EQ(evaluations.back(), (Evaluation{0, -1, 127})) << "Black mates";
}

TEST(SharedGameFiles, AllChess960Games) {
    const auto file = tests::shared_data("games/chess960-tcec.pgn.zst");
    if (!file) GTEST_SKIP() << "no games/chess960-tcec.pgn.zst: set SCHOLAR_DATA to run this test";
    const Counts counts = count(*file);
    EXPECT_EQ(counts.games, 5'019U);
    EXPECT_EQ(counts.chess960, 5'019U);
    EXPECT_THAT(counts.problems, testing::IsEmpty());
}

}  // namespace
}  // namespace scholar::games
