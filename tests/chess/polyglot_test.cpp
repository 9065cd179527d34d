#include <gtest/gtest.h>
#include <sstream>

#include "chess/fen.hpp"
#include "chess/polyglot_key.hpp"
#include "chess/san.hpp"

namespace scholar::chess {
namespace {

struct Published {
    const char* moves;
    const char* fen;
    std::uint64_t key;
};

// The test set of the Polyglot book format's description (M. Taylor, http://hgm.nubati.net/book_format.html).
constexpr Published kPublished[] = {
    {"", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9cULL},
    {"e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196ULL},
    {"e4 d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0ULL},
    {"e4 d5 e5", "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4ULL},
    {"e4 d5 e5 f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78ULL},
    {"e4 d5 e5 f5 Ke2", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 1 3", 0x652a607ca3f242c1ULL},
    {"e4 d5 e5 f5 Ke2 Kf7", "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 2 4",
     0x00fdd303c946bdd9ULL},
    {"a4 b5 h4 b4 c4", "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
     0x3c8123ea7b067637ULL},
    {"a4 b5 h4 b4 c4 bxc3 Ra3", "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 1 4",
     0x5c3f9b829b279560ULL},
};

TEST(Polyglot, PublishedKeysByMovesAndByFen) {
    for (const auto& [moves, fen, key] : kPublished) {
        Position position;
        std::istringstream words(moves);
        for (std::string word; words >> word;) position.make(parse_san(position, word).value());
        EXPECT_EQ(polyglot_key(position), key) << moves;
        EXPECT_EQ(polyglot_key(parse_fen(fen).value()), key) << fen;
    }
}

// Its en-passant rule is not that of repetition: a pinned pawn counts.
TEST(Polyglot, AnIllegalEnPassantCaptureCounts) {
    const Position with = parse_fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2").value();
    const Position without = parse_fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2").value();
    EXPECT_NE(polyglot_key(with), polyglot_key(without));
    EXPECT_EQ(with.key(), without.key());
}

}  // namespace
}  // namespace scholar::chess
