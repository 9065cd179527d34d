#include "chess/epd.hpp"

#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::chess {
namespace {

TEST(Epd, OperationsInOrder) {
    const auto epd = parse_epd(
        R"(r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "mate; in one"; acd 3; c0 "a" b 2;)");
    ASSERT_TRUE(epd.has_value()) << epd.error().message;
    ASSERT_EQ(epd->operations.size(), 4U);
    EXPECT_EQ(epd->operations[0].first, "bm");
    EXPECT_EQ(*epd->find("id"), std::vector<std::string>{"mate; in one"});
    EXPECT_EQ(*epd->find("acd"), std::vector<std::string>{"3"});
    EXPECT_EQ(*epd->find("c0"), (std::vector<std::string>{"a", "b", "2"}));
    EXPECT_EQ(epd->find("am"), nullptr);
    const auto best = epd->moves("bm");
    ASSERT_TRUE(best.has_value());
    ASSERT_EQ(best->size(), 1U);
    EXPECT_EQ(to_uci(best->front()), "f3f7");
    EXPECT_TRUE(epd->moves("am")->empty());
}

TEST(Epd, SeveralMoves) {
    const auto epd =
        parse_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4 Nf3; am f3;").value();
    EXPECT_EQ(epd.moves("bm")->size(), 3U);
    EXPECT_EQ(to_uci(epd.moves("am")->front()), "f2f3");
}

TEST(Epd, BarePositionAndFullFen) {
    EXPECT_TRUE(parse_epd("8/8/8/8/8/8/4K3/2k5 b - -")->operations.empty());
    const auto full = parse_epd("8/8/8/8/8/8/4K3/2k5 b - - 7 31").value();
    EXPECT_EQ(full.position.halfmove_clock(), 7);
    EXPECT_EQ(full.position.fullmove_number(), 31);
    const auto both = parse_epd("8/8/8/8/8/8/4K3/2k5 b - - 7 31; id \"x\";").value();
    EXPECT_EQ(both.position.fullmove_number(), 31);
    EXPECT_EQ(*both.find("id"), std::vector<std::string>{"x"});
}

TEST(Epd, MovesThatAreNotLegalAreRefusedByName) {
    const auto epd = parse_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Ke2;").value();
    const auto moves = epd.moves("bm");
    ASSERT_FALSE(moves.has_value());
    EXPECT_NE(moves.error().message.find("bm"), std::string::npos);
    EXPECT_NE(moves.error().message.find("Ke2"), std::string::npos);
}

TEST(Epd, Refusals) {
    EXPECT_NE(parse_epd("8/8/8/8/8/8/4K3/2k5 b -").error().message.find("3 fields"), std::string::npos);
    EXPECT_NE(parse_epd("8/8/8/8/8/8/8/2k5 b - - id \"x\";").error().message.find("White has 0 kings"),
              std::string::npos);
    EXPECT_NE(parse_epd("8/8/8/8/8/8/4K3/2k5 b - - id \"x;").error().message.find("closing quote"),
              std::string::npos);
}

}  // namespace
}  // namespace scholar::chess
