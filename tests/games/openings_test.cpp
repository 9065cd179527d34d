#include "games/openings.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using tests::TemporaryFolder;

std::string written(const TemporaryFolder& folder, const std::string& name, std::string_view text) {
    const auto path = folder / name;
    EXPECT_TRUE(base::write_atomically(path, text));
    return path.string();
}

TEST(Openings, EpdWithFourAndSixFields) {
    const TemporaryFolder folder;
    const auto openings =
        read_openings(written(folder, "book.epd",
                              "# a comment\n"
                              "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\r\n"
                              "\n"
                              "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
                              "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"));
    ASSERT_TRUE(openings) << openings.error().message;
    ASSERT_EQ(openings->size(), 3U);
    EXPECT_EQ(chess::to_epd_fields((*openings)[0].start),
              "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -");
    EXPECT_EQ((*openings)[1].start.fullmove_number(), 2);
    EXPECT_TRUE((*openings)[2].moves.empty());
}

TEST(Openings, PgnGamesCut) {
    const TemporaryFolder folder;
    const std::string path =
        written(folder, "book.pgn", "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 *\n");
    const auto whole = read_openings(path);
    ASSERT_TRUE(whole) << whole.error().message;
    ASSERT_EQ(whole->size(), 2U);
    EXPECT_EQ((*whole)[0].moves.size(), 3U);
    const auto cut = read_openings(path, 2);
    ASSERT_TRUE(cut);
    EXPECT_EQ((*cut)[0].moves.size(), 2U);
    EXPECT_EQ((*cut)[1].moves.size(), 1U);
}

TEST(Openings, ErrorsNameFileAndLine) {
    const TemporaryFolder folder;
    const auto bad_position = read_openings(written(
        folder, "bad.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n8/8/8/8/8/8/8/8 w - -\n"));
    ASSERT_FALSE(bad_position);
    EXPECT_NE(bad_position.error().message.find("bad.epd: line 2: "), std::string::npos)
        << bad_position.error().message;

    const auto bad_game = read_openings(written(folder, "bad.pgn", "[Event \"a\"]\n\n1. e4\ne4 *\n"));
    ASSERT_FALSE(bad_game);
    EXPECT_NE(bad_game.error().message.find("bad.pgn: line 4: "), std::string::npos)
        << bad_game.error().message;

    EXPECT_FALSE(read_openings((folder / "missing.epd").string()));
    EXPECT_FALSE(read_openings(written(folder, "empty.epd", "\n\n")));
}

// Nothing can be played from it: that it is counted as games without moves helps nobody.
TEST(Openings, GamesThatAreOverAreRefusedWithTheirLine) {
    const TemporaryFolder folder;
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    const std::vector<std::pair<std::string, std::string>> kPositions{
        {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate"},
        {"7k/5K2/6Q1/8/8/8/8/8 b - - 1 1", "stalemate"},
        {"7k/8/8/8/8/8/8/K7 w - - 0 1", "insufficient material"},
        {"7k/8/8/8/8/8/5B2/K7 w - - 0 1", "insufficient material"},
        {"7k/8/8/8/8/8/5R2/K7 w - - 100 90", "fifty moves"}};
    for (const auto& [position, why] : kPositions) {
        const auto read = read_openings(written(folder, "book.epd", "# two\n" + start + position + "\n"));
        ASSERT_FALSE(read) << position;
        EXPECT_NE(read.error().message.find("book.epd: line 3: the game is already over (" + why),
                  std::string::npos)
            << read.error().message;
        EXPECT_FALSE(parse_openings(position, "text")) << position;
    }
    const std::string shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    for (const auto& [moves, why] : {std::pair<std::string, std::string>{"1. f3 e5 2. g4 Qh4#", "checkmate"},
                                     {shuffle, "threefold repetition"}}) {
        const std::string path =
            written(folder, "book.pgn",
                    "[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n[White \"Ann\"]\n\n" + moves + " *\n");
        const auto read = read_openings(path);
        ASSERT_FALSE(read) << moves;
        EXPECT_NE(
            read.error().message.find("book.pgn: line 5: game 2 (Ann – ?): the game is already over (" + why),
            std::string::npos)
            << read.error().message;
        // Cut before its end it is an opening.
        EXPECT_TRUE(read_openings(path, 3)) << moves;
    }
}

}  // namespace
}  // namespace scholar::games
