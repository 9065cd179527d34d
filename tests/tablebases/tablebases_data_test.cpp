#include <filesystem>
#include <gtest/gtest.h>

#include "chess/uci_move.hpp"
#include "support/test_data.hpp"
#include "tablebases/consistency.hpp"

// With all the three- and four-man tables of the large data.

namespace scholar::tablebases {
namespace {

using chess::Line;
using chess::Position;

class AllTables : public testing::Test {
  protected:
    void SetUp() override {
        const auto folder = tests::shared_data("tablebases/syzygy");
        if (!folder) GTEST_SKIP() << "no tablebases/syzygy: set SCHOLAR_DATA to run this test";
        folder_ = folder->string();
        auto tables = Tablebases::open(folder_);
        ASSERT_TRUE(tables) << tables.error().message;
        tables_.emplace(std::move(*tables));
    }
    std::optional<Outcome> outcome(const char* fen) const {
        return tables_->probe_wdl(chess::parse_fen(fen).value());
    }
    // The moves that keep the best outcome.
    std::string best_moves(const char* fen) const {
        const auto probe = tables_->probe_root(Line(chess::parse_fen(fen).value())).value();
        std::string moves;
        for (const RootMove& entry : probe.moves)
            if (entry.outcome == probe.outcome)
                moves += (moves.empty() ? "" : " ") + chess::to_uci(entry.move);
        return moves;
    }

    std::string folder_;
    std::optional<Tablebases> tables_;
};

TEST_F(AllTables, EveryFileIsWhole) {
    EXPECT_EQ(tables_->wdl_tables(), 35U);
    EXPECT_EQ(tables_->dtz_tables(), 35U);
    EXPECT_EQ(tables_->max_pieces(), 4);
    const auto status = tables_->verify();
    EXPECT_TRUE(status) << status.error().message;
}

TEST_F(AllTables, KnownEndings) {
    // Saavedra 1895: only the pawn's advance wins. (The rook on d5; later it promotes to a rook.)
    EXPECT_EQ(outcome("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"), Outcome::Win);
    EXPECT_EQ(best_moves("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"), "c6c7");
    // Its point, after 1. c7 Rd6+ 2. Kb5 Rd5+ 3. Kb4 Rd4+ 4. Kb3 Rd3+ 5. Kc2 Rd4: a rook wins, a queen only
    // draws.
    EXPECT_EQ(outcome("2R5/8/8/8/3r4/8/2K5/k7 b - - 0 1"), Outcome::Loss);
    EXPECT_EQ(outcome("2Q5/8/8/8/3r4/8/2K5/k7 b - - 0 1"), Outcome::Draw);
    // Réti 1921: only the king's walk on the diagonal draws.
    EXPECT_EQ(outcome("7K/8/k1P5/7p/8/8/8/8 w - - 0 1"), Outcome::Draw);
    EXPECT_EQ(best_moves("7K/8/k1P5/7p/8/8/8/8 w - - 0 1"), "h8g7");
    // Queen against a pawn on the seventh: rook's and bishop's pawns draw, others lose.
    EXPECT_EQ(outcome("7K/7Q/8/8/8/8/pk6/8 w - - 0 1"), Outcome::Draw);
    EXPECT_EQ(outcome("7K/6Q1/8/8/8/8/2pk4/8 w - - 0 1"), Outcome::Draw);
    EXPECT_EQ(outcome("7K/6Q1/8/8/8/8/3pk3/8 w - - 0 1"), Outcome::Win);
    // The wrong bishop: it does not command the corner where the rook's pawn promotes.
    EXPECT_EQ(outcome("1k6/8/8/8/8/P7/1K6/2B5 w - - 0 1"), Outcome::Draw);
    EXPECT_EQ(outcome("1k6/8/8/8/8/P7/1K6/5B2 w - - 0 1"), Outcome::Win);
    // Two knights cannot force mate.
    EXPECT_EQ(outcome("7k/8/8/8/8/8/8/KNN5 w - - 0 1"), Outcome::Draw);
    // Taking en passant is the only move that does not lose.
    EXPECT_EQ(outcome("1k1K4/8/8/pP6/8/8/8/8 w - - 0 1"), Outcome::Loss);
    EXPECT_EQ(outcome("1k1K4/8/8/pP6/8/8/8/8 w - a6 0 1"), Outcome::Draw);
    EXPECT_EQ(best_moves("1k1K4/8/8/pP6/8/8/8/8 w - a6 0 1"), "b5a6");
}

// The longest wins that are published: mate with bishop and knight in 33 moves, with two bishops in 19. These
// two tables count whole moves, so the distance may be one half-move short.
TEST_F(AllTables, LongestWins) {
    const auto bishop_and_knight =
        tables_->probe_dtz(chess::parse_fen("8/8/8/8/8/8/2k5/KNB5 w - - 0 1").value());
    ASSERT_TRUE(bishop_and_knight);
    EXPECT_NEAR(*bishop_and_knight, 2 * 33 - 1, 1);
    const auto two_bishops = tables_->probe_dtz(chess::parse_fen("8/8/8/8/1Bk5/8/8/K2B4 w - - 0 1").value());
    ASSERT_TRUE(two_bishops);
    EXPECT_NEAR(*two_bishops, 2 * 19 - 1, 1);
}

TEST_F(AllTables, EveryMaterialAgreesWithTheRules) {
    base::Random random(2);
    int materials = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
        if (entry.path().extension() != ".rtbw") continue;
        const auto material = parse_material(entry.path().stem().string());
        ASSERT_TRUE(material) << entry.path();
        ++materials;
        for (int i = 0; i < (tests::kSanitized ? 10 : 150); ++i)
            tests::expect_consistent(*tables_, tests::random_position(random, *material));
    }
    EXPECT_EQ(materials, 35);
}

}  // namespace
}  // namespace scholar::tablebases
