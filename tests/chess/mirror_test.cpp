#include "chess/mirror.hpp"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "support/random_games.hpp"

namespace scholar::chess {
namespace {

// The same on the text of a FEN: ranks in reverse, letters in the other case.
std::string mirrored_text(const std::string& fen) {
    std::istringstream words(fen);
    std::string board, side, castling, en_passant, clocks;
    words >> board >> side >> castling >> en_passant;
    std::getline(words, clocks);
    const auto swap_case = [](std::string text) {
        for (char& letter : text)
            letter = static_cast<char>(std::isupper(letter) ? std::tolower(letter) : std::toupper(letter));
        return text;
    };
    std::vector<std::string> ranks;
    std::istringstream rows(board);
    for (std::string rank; std::getline(rows, rank, '/');) ranks.push_back(swap_case(rank));
    std::string turned;
    for (auto rank = ranks.rbegin(); rank != ranks.rend(); ++rank)
        turned += (turned.empty() ? "" : "/") + *rank;
    std::string rights = castling == "-" ? castling : swap_case(castling);
    // White's come first.
    std::ranges::stable_partition(rights, [](char letter) { return std::isupper(letter) != 0; });
    if (en_passant != "-") en_passant[1] = en_passant[1] == '3' ? '6' : '3';
    return turned + (side == "w" ? " b " : " w ") + rights + " " + en_passant + clocks;
}

void expect_mirror(const chess::Position& position) {
    const chess::Position other = mirrored(position);
    EXPECT_EQ(to_fen(other), mirrored_text(to_fen(position)));
    EXPECT_EQ(mirrored(other), position);
    std::set<std::string> moves;
    std::set<std::string> turned;
    for (const chess::Move move : chess::legal_moves(other)) moves.insert(to_uci(move));
    for (const chess::Move move : chess::legal_moves(position)) turned.insert(to_uci(mirrored(move)));
    EXPECT_EQ(moves, turned) << to_fen(position);
}

TEST(Mirror, IsTheFenTurnedOver) {
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 7",
                            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                            "4k3/P6p/8/8/8/8/1p6/R3K3 b Q - 11 60",
                            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"}) {
        const auto position = chess::parse_fen(fen);
        ASSERT_TRUE(position) << fen;
        expect_mirror(*position);
    }
    base::Random random(5);
    for (int game = 0; game < 20; ++game)
        tests::play_random_game(
            random, chess::Position(), 120,
            [](const auto&, auto, const chess::Position& after) { expect_mirror(after); });
}

TEST(Mirror, NoMoveStaysNoMove) {
    EXPECT_EQ(mirrored(chess::Move::none()), chess::Move::none());
}

}  // namespace
}  // namespace scholar::chess
