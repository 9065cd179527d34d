#include "arena/result_files.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/store.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;

class ResultFiles : public testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    // Of White against Black.
    WinDrawLoss between(const std::string& white, const std::string& black) const {
        const auto first = pool_.find(white);
        const auto second = pool_.find(black);
        if (!first || !second) return {};
        const auto found = pool_.pairings().find({*first, *second});
        return found == pool_.pairings().end() ? WinDrawLoss{} : found->second;
    }

    tests::TemporaryFolder folder_;
    ResultPool pool_;
    ResultsRead read_;
};

TEST_F(ResultFiles, PgnHeadersWithoutItsMoves) {
    const auto path = write("games.pgn", R"([Event "a"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Ke5?? nonsense 1-0

[Event "b"]
[White "B"]
[Black "A"]
[Result "0-1"]

1. d4 *

[Event "c"]
[White "A"]
[Black "B"]
[Result "*"]

1. c4 {adjudicated} 1/2-1/2

[Event "d"]
[White "A"]
[Black "B"]
[Result "*"]

1. c4 *

[Event "e"]
[White "A"]
[Black "?"]
[Result "1-0"]

1-0
)");
    ASSERT_TRUE(read_results(path, pool_, read_));
    EXPECT_EQ(read_.games, 3U);
    EXPECT_EQ(read_.unfinished, 1U);
    EXPECT_EQ(read_.nameless, 1U);
    EXPECT_EQ(between("A", "B").wins, 1U);
    EXPECT_EQ(between("A", "B").draws, 1U);
    EXPECT_EQ(between("B", "A").losses, 1U);  // the tag, where the moves end with "*"
}

TEST_F(ResultFiles, LinesOfJson) {
    const auto path = write("games.jsonl", R"({"player":"A","command":["a"]}
{"game":1,"white":"A","black":"B","result":"1/2-1/2","moves":[{"move":"e2e4"}]}

{"game":2,"white":"B","black":"A","result":"1-0"}
{"game":3,"white":"B","black":"A","result":"2-0"}
{"game":4,"white":"B","black":7,"result":"1-0"}
{"game":5,"white":"B","bla)");
    ASSERT_TRUE(read_results(path, pool_, read_));
    EXPECT_EQ(read_.games, 2U);
    EXPECT_EQ(read_.problems, 3U);
    EXPECT_THAT(read_.first_problem, HasSubstr("line 5: result '2-0', expected 1-0, 0-1, 1/2-1/2 or *"));
    EXPECT_EQ(between("A", "B").draws, 1U);
    EXPECT_EQ(between("B", "A").wins, 1U);
}

TEST_F(ResultFiles, GameStores) {
    auto writer = games::StoreWriter::create(folder_ / "some.games");
    ASSERT_TRUE(writer);
    games::Game game;
    game.tags = {{"White", "A"}, {"Black", "B"}};
    game.result = games::GameResult::BlackWins;
    ASSERT_TRUE(writer->add(game));
    ASSERT_TRUE(writer->finish());
    ASSERT_TRUE(read_results(folder_ / "some.games", pool_, read_));
    EXPECT_EQ(read_.games, 1U);
    EXPECT_EQ(between("A", "B").losses, 1U);
}

TEST_F(ResultFiles, WhatIsNotThere) {
    EXPECT_THAT(read_results(folder_ / "none.pgn", pool_, read_).error().message, HasSubstr("none.pgn"));
    ASSERT_TRUE(read_results(write("empty", ""), pool_, read_));
    EXPECT_EQ(read_.games, 0U);
}

}  // namespace
}  // namespace scholar::arena
