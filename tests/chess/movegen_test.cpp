#include "chess/movegen.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/san.hpp"

namespace scholar::chess {
namespace {

std::vector<std::string> sans(const char* fen, MoveSet which) {
    const Position position = parse_fen(fen).value();
    std::vector<std::string> texts;
    for (const Move move : legal_moves(position, which)) texts.push_back(to_san(position, move));
    std::sort(texts.begin(), texts.end());
    return texts;
}

using Texts = std::vector<std::string>;

TEST(MoveSets, PromotionsAreNoisyAndCapturesOnlyIfTheyCapture) {
    const char* fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    EXPECT_EQ(sans(fen, MoveSet::Noisy),
              (Texts{"a8=B", "a8=N", "a8=Q", "a8=R", "axb8=B", "axb8=N", "axb8=Q+", "axb8=R+"}));
    EXPECT_EQ(sans(fen, MoveSet::Captures), (Texts{"axb8=B", "axb8=N", "axb8=Q+", "axb8=R+"}));
    EXPECT_EQ(sans(fen, MoveSet::Quiet), (Texts{"Ka2", "Kb1", "Kb2"}));
    EXPECT_EQ(sans(fen, MoveSet::QuietChecks), Texts{});
}

TEST(MoveSets, EnPassantIsACapture) {
    const char* fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    EXPECT_EQ(sans(fen, MoveSet::Captures), Texts{"exd6"});
    EXPECT_EQ(sans(fen, MoveSet::Noisy), Texts{"exd6"});
}

TEST(MoveSets, QuietChecksDirectAndDiscovered) {
    // The knight uncovers the rook wherever it goes; Nf6+ and Nd6+ check twice. Nxc5 takes and is not quiet.
    EXPECT_EQ(sans("4k3/8/8/2p5/4N3/8/8/K3R3 w - - 0 1", MoveSet::QuietChecks),
              (Texts{"Nc3+", "Nd2+", "Nd6+", "Nf2+", "Nf6+", "Ng3+", "Ng5+"}));
    EXPECT_EQ(sans("4k3/8/8/8/4K3/8/8/4R3 w - - 0 1", MoveSet::QuietChecks),
              (Texts{"Kd3+", "Kd4+", "Kd5+", "Kf3+", "Kf4+", "Kf5+"}));
    EXPECT_EQ(sans("8/8/8/4k3/8/8/3P1P2/K7 w - - 0 1", MoveSet::QuietChecks), (Texts{"d4+", "f4+"}));
    EXPECT_EQ(sans("6k1/8/8/8/2P5/1B6/8/K7 w - - 0 1", MoveSet::QuietChecks), Texts{"c5+"});
}

TEST(MoveSets, QuietChecksByCastling) {
    const char* fen = "5k2/8/8/8/8/8/8/4K2R w K - 0 1";
    EXPECT_EQ(sans(fen, MoveSet::QuietChecks), (Texts{"O-O+", "Rf1+", "Rh8+"}));
}

TEST(MoveSets, InCheckAllAreEvasions) {
    const char* fen = "4r1k1/8/8/8/8/8/3N4/3QK3 w - - 0 1";
    EXPECT_EQ(sans(fen, MoveSet::All), (Texts{"Kf1", "Kf2", "Ne4", "Qe2"}));
    EXPECT_EQ(sans(fen, MoveSet::Captures), Texts{});
    EXPECT_EQ(sans(fen, MoveSet::Quiet), (Texts{"Kf1", "Kf2", "Ne4", "Qe2"}));
}

}  // namespace
}  // namespace scholar::chess
