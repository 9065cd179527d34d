#include "search/mate_solver.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;

Position position(const char* fen) {
    return parse_fen(fen).value();
}

void expect_mate(const Position& start, const std::vector<Move>& line) {
    Position end = start;
    for (const Move move : line) {
        ASSERT_TRUE(legal_moves(end).contains(move));
        end.make(move);
    }
    EXPECT_TRUE(end.in_check());
    EXPECT_FALSE(has_legal_move(end));
}

// A published collection that ships with us; its distances were found by others.
TEST(MateSolver, FindsEveryMateOfACollectionAtItsDistance) {
    std::ifstream file(tests::source_dir() / "suites/mates.epd");
    ASSERT_TRUE(file);
    int found = 0;
    for (std::string text; std::getline(file, text);) {
        const auto epd = parse_epd(text);
        ASSERT_TRUE(epd) << text;
        const int moves = std::stoi(epd->find("dm")->front());
        if (moves > 3 && tests::kSanitized) continue;  // a second together, and minutes under sanitizers
        MateSolver solver;
        const auto line = solver.solve(epd->position, moves);
        ASSERT_TRUE(line) << text;
        EXPECT_EQ(line->size(), static_cast<std::size_t>(2 * moves - 1)) << text;
        expect_mate(epd->position, *line);
        MateSolver shorter;
        EXPECT_FALSE(shorter.solve(epd->position, moves - 1)) << text;
        EXPECT_TRUE(shorter.complete());
        ++found;
    }
    EXPECT_EQ(found, tests::kSanitized ? 44 : 111);
}

TEST(MateSolver, DefendsAsLongAsItCan) {
    const Position lost = position("7k/5K2/8/8/8/8/8/6R1 b - - 0 1");
    MateSolver solver;
    const auto line = solver.defend(lost, 1);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->size(), 2U);
    expect_mate(lost, *line);
    EXPECT_FALSE(MateSolver().defend(position("7k/8/5K2/8/8/8/8/6R1 b - - 0 1"), 1));
}

TEST(MateSolver, TheFiftyMoveRuleComesFirst) {
    // Mate on the hundredth half-move stands; one half-move later it would be too late.
    EXPECT_TRUE(MateSolver().solve(position("7k/8/5K2/8/8/8/8/6R1 w - - 97 90"), 2));
    EXPECT_FALSE(MateSolver().solve(position("7k/8/5K2/8/8/8/8/6R1 w - - 98 90"), 2));
}

TEST(MateSolver, EndsWhenItIsTold) {
    const Position middlegame =
        position("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    MateSolver few(10'000);
    EXPECT_FALSE(few.solve(middlegame, 9));
    EXPECT_FALSE(few.complete());
    EXPECT_LE(few.nodes(), 10'000U);
    std::stop_source stop;
    stop.request_stop();
    MateSolver stopped(UINT64_MAX, stop.get_token());
    EXPECT_FALSE(stopped.solve(middlegame, 9));
    MateSolver late(UINT64_MAX, {}, MateSolver::Clock::now());
    EXPECT_FALSE(late.solve(middlegame, 9));
    EXPECT_FALSE(late.complete());
}

}  // namespace
}  // namespace scholar::search
