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

TEST(Epd, StringsWithSemicolonsQuotesAndEscapes) {
    const auto epd =
        parse_epd(R"(8/8/8/8/8/8/4K3/2k5 b - - c0 "a; \"b\" \\ c"; id "C:\dir"; c1 "two\nlines"; c2 "";)")
            .value();
    EXPECT_EQ(epd.find("c0")->front(), R"(a; "b" \ c)");
    EXPECT_EQ(epd.find("id")->front(), R"(C:\dir)");  // no escape that we know: kept
    EXPECT_EQ(epd.find("c1")->front(), "two\nlines");
    EXPECT_EQ(epd.find("c2")->front(), "");
    EXPECT_EQ(parse_epd(to_epd(epd)).value(), epd);
    EXPECT_EQ(to_epd(epd).find('\n'), std::string::npos);
}

TEST(Epd, WritesEveryOperation) {
    // All of the standard's opcodes (16.2.5), and one that it does not know.
    const std::string line =
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - hmvc 4; fmvn 4; acd 3; acn 1000; acs "
        "2; "
        "am Qg3 a3; bm Qxf7#; c0 \"first; comment\"; c1 \"x\"; c9 \"10\"; ce 32767; dm 1; draw_offer; eco "
        "\"C20\"; "
        "id \"mate in one\"; nic \"KP.1\"; noop; pm Qf7#; pv Qf7#; rc 1; resign; sm Qf7#; tcgs 1; "
        "tcri \"a@b c\"; v0 \"Scholar's Mate\"; own_opcode 1.5 word -3;";
    const Epd epd = parse_epd(line).value();
    EXPECT_EQ(to_epd(epd), line);
    EXPECT_EQ(parse_epd(to_epd(epd)).value(), epd);
    EXPECT_EQ(epd.position.halfmove_clock(), 4);
    EXPECT_EQ(epd.position.fullmove_number(), 4);
    EXPECT_TRUE(epd.find("resign")->empty());
    EXPECT_EQ(*epd.find("own_opcode"), (std::vector<std::string>{"1.5", "word", "-3"}));
}

TEST(Epd, StringsAreQuotedWhereTheStandardAsksForIt) {
    const Epd epd = parse_epd("8/8/8/8/8/8/4K3/2k5 b - - id one; c0 a b; bm \"Kb1\"").value();
    EXPECT_EQ(to_epd(epd), "8/8/8/8/8/8/4K3/2k5 b - - id \"one\"; c0 \"a\" \"b\"; bm Kb1;");
}

TEST(Epd, VariationIsPlayedOut) {
    const Epd epd =
        parse_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv e4 e5 Nf3; c0 \"x\";").value();
    const auto moves = epd.variation("pv").value();
    ASSERT_EQ(moves.size(), 3U);
    EXPECT_EQ(to_uci(moves[1]), "e7e5");
    EXPECT_EQ(to_uci(moves[2]), "g1f3");
    EXPECT_TRUE(epd.variation("sv").value().empty());
    EXPECT_FALSE(parse_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv e4 Nf3;")
                     ->variation("pv")
                     .has_value());
}

TEST(Epd, Refusals) {
    EXPECT_NE(parse_epd("8/8/8/8/8/8/4K3/2k5 b -").error().message.find("3 fields"), std::string::npos);
    EXPECT_NE(parse_epd("8/8/8/8/8/8/8/2k5 b - - id \"x\";").error().message.find("White has 0 kings"),
              std::string::npos);
    EXPECT_NE(parse_epd("8/8/8/8/8/8/4K3/2k5 b - - id \"x;").error().message.find("closing quote"),
              std::string::npos);
    EXPECT_NE(parse_epd("8/8/8/8/8/8/4K3/2k5 b - - id \"x\\\";").error().message.find("closing quote"),
              std::string::npos);
    EXPECT_NE(
        parse_epd("8/8/8/8/8/8/4K3/2k5 b - - hmvc x;").error().message.find("hmvc 'x', expected one number"),
        std::string::npos);
    EXPECT_NE(parse_epd("8/8/8/8/8/8/4K3/2k5 b - - hmvc -1;").error().message.find("half-move clock -1"),
              std::string::npos);
    EXPECT_NE(parse_epd("8/8/8/8/8/8/4K3/2k5 b - - 7 x;").error().message.find("opcode '7', expected a name"),
              std::string::npos);
}

}  // namespace
}  // namespace scholar::chess
