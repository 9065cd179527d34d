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

}  // namespace
}  // namespace scholar::games
