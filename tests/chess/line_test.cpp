#include "chess/line.hpp"

#include <gtest/gtest.h>
#include <sstream>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "start_position.hpp"

namespace scholar::chess {
namespace {

Line line_of(const char* fen, const char* moves = "") {
    Line line(parse_fen(fen).value());
    std::istringstream words(moves);
    for (std::string word; words >> word;) line.push(parse_san(line.current(), word).value());
    return line;
}

TEST(Repetition, CountsEarlierOccurrences) {
    EXPECT_EQ(line_of(kStart, "Nf3 Nf6 Ng1").repetitions(), 0);
    EXPECT_EQ(line_of(kStart, "Nf3 Nf6 Ng1 Ng8").repetitions(), 1);
    const Line twice = line_of(kStart, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    EXPECT_EQ(twice.repetitions(), 2);
    EXPECT_EQ(twice.terminal(), Terminal::ThreefoldRepetition);
    EXPECT_EQ(line_of(kStart, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1").terminal(), Terminal::None);
}

TEST(Repetition, ThePawnMoveInBetweenEndsIt) {
    EXPECT_EQ(line_of(kStart, "Nf3 Nf6 Ng1 Ng8 e4 e5 Nf3 Nf6 Ng1 Ng8").repetitions(), 1);
}

// FIDE 9.2: the same squares are not enough when a right to castle has been lost in between.
TEST(Repetition, CastlingRightsMatter) {
    const char* fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    // After the king has moved once the later positions do repeat each other.
    EXPECT_EQ(line_of(fen, "Ke2 Ke7 Ke1 Ke8").repetitions(), 0);
    EXPECT_EQ(line_of(fen, "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8").repetitions(), 1);
    EXPECT_EQ(line_of(fen, "Rh2 Ke7 Rh1 Ke8").repetitions(), 0);
}

// And the first occurrence counts apart if an en-passant capture was legal then, but only then.
TEST(Repetition, OnlyALegalEnPassantCaptureMatters) {
    EXPECT_EQ(line_of("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5 Kd1 Kd8 Ke1 Ke8").repetitions(), 0);
    // The e5 pawn is pinned along the rank: taking was never possible.
    EXPECT_EQ(line_of("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1", "d5 Ka4 Kd8 Ka5 Ke8").repetitions(), 1);
}

TEST(Repetition, InSearchOnceIsEnough) {
    const Line line = line_of(kStart, "Nf3 Nf6 Ng1 Ng8");
    EXPECT_TRUE(line.is_repetition_in_search(0));   // the earlier one is the root or below it
    EXPECT_FALSE(line.is_repetition_in_search(1));  // it lies before the root, once
    const Line twice = line_of(kStart, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    EXPECT_TRUE(twice.is_repetition_in_search(7));
    EXPECT_TRUE(twice.is_repetition_in_search(4));
}

TEST(Line, PopGoesBackExactly) {
    Line line = line_of(kStart, "e4 d5");
    const Position before = line.current();
    line.push(parse_san(before, "exd5").value());
    EXPECT_NE(line.current(), before);
    EXPECT_EQ(line.ago(1), before);
    line.pop();
    EXPECT_EQ(line.current(), before);
    EXPECT_EQ(line.ply(), 2);
    EXPECT_EQ(line.start(), Position());
    line.push_null();
    EXPECT_EQ(line.current().side_to_move(), Black);
    EXPECT_EQ(line.current().key(), line.current().fresh_key());
}

// Two orders of the same moves meet in one position, and so in one key.
TEST(Line, TranspositionsHaveOneKey) {
    EXPECT_EQ(line_of(kStart, "Nf3 Nf6 Nc3").current().key(), line_of(kStart, "Nc3 Nf6 Nf3").current().key());
    EXPECT_NE(line_of(kStart, "Nf3 Nf6").current().key(), line_of(kStart, "Nf3").current().key());
}

TEST(Terminal, MateAndStalemate) {
    EXPECT_EQ(line_of(kStart, "f3 e5 g4 Qh4").terminal(), Terminal::Checkmate);
    EXPECT_EQ(line_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").terminal(), Terminal::Stalemate);
    EXPECT_EQ(line_of(kStart).terminal(), Terminal::None);
}

TEST(Terminal, FiftyMovesAfterAHundredHalfMoves) {
    EXPECT_EQ(line_of("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2").terminal(), Terminal::None);
    EXPECT_EQ(line_of("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "Ra2").terminal(), Terminal::FiftyMoves);
    // A pawn move begins the count anew.
    EXPECT_EQ(line_of("4k3/8/8/8/8/8/4P3/4K3 w - - 99 80", "e4").terminal(), Terminal::None);
    // So does a capture.
    EXPECT_EQ(line_of("4k3/8/8/8/8/8/p6P/R3K3 w - - 99 80", "Rxa2").terminal(), Terminal::None);
}

TEST(Terminal, MateOnTheHundredthHalfMoveIsMate) {
    EXPECT_EQ(line_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "Ra8").terminal(), Terminal::Checkmate);
}

struct Material {
    const char* fen;
    bool insufficient;
};

// FIDE 5.2.2: the game is drawn when no sequence of legal moves can mate.
TEST(Terminal, InsufficientMaterial) {
    for (const auto& [fen, insufficient] : {
             Material{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
             Material{"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
             Material{"4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", true},
             Material{"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
             // Bishops of one square colour (c1 and f8 are dark), of either side, are still not enough…
             Material{"4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true},
             Material{"5bk1/8/5B2/8/1B6/8/8/2B1K3 w - - 0 1", true},
             // …of two colours they are: a helpmate exists (f1 is light).
             Material{"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false},
             Material{"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false},
             Material{"4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", false},
             Material{"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", false},
             Material{"4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", false},
             Material{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false},
             Material{"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false},
             Material{"3qk3/8/8/8/8/8/8/4K3 w - - 0 1", false},
         }) {
        const Line line = line_of(fen);
        EXPECT_EQ(line.current().has_insufficient_material(), insufficient) << fen;
        EXPECT_EQ(line.terminal() == Terminal::InsufficientMaterial, insufficient) << fen;
    }
}

}  // namespace
}  // namespace scholar::chess
