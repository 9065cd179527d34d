#include "tablebases/gaviota.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "base/files.hpp"
#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "support/test_data.hpp"
#include "tablebases/consistency.hpp"
#include "tablebases/gaviota_file.hpp"
#include "tablebases/tablebases.hpp"

namespace scholar::tablebases {
namespace {

using testing::HasSubstr;
using tests::TemporaryFolder;

constexpr std::array<const char*, 5> kGaviotaNames{"kbk", "knk", "kpk", "kqk", "krk"};

TEST(GaviotaFile, NamesThatAreTables) {
    for (const char* name : {"kqk", "kqkq", "krkn", "kqkr", "kppkq", "knnkp", "kpppk", "kqkp", "kbnkn"})
        EXPECT_TRUE(parse_gaviota_name(name)) << name;
    for (const char* name :
         {"", "k", "kk", "kqq", "qkk", "kkq", "kpkq", "krqk", "kpkqq", "KQK", "kqqqkr", "kqkk", "kxk"})
        EXPECT_FALSE(parse_gaviota_name(name)) << name;
}

Tablebases open(const std::filesystem::path& folder) {
    auto tables = Tablebases::open(folder.string());
    EXPECT_TRUE(tables) << (tables ? "" : tables.error().message);
    return std::move(*tables);
}

TEST(Gaviota, WhatIsCutOffOrDamagedIsRefused) {
    const TemporaryFolder folder;
    base::Random random(4);
    for (const char* name : kGaviotaNames) {
        const std::string file = name + std::string(kGaviotaSuffix);
        const auto bytes = base::read_bytes(tests::test_data("gaviota") / file).value();
        const auto material = parse_gaviota_name(name).value();
        EXPECT_TRUE(check_gaviota_file(tests::test_data("gaviota") / file, material));
        // Another table of as many pieces has its blocks elsewhere, unless it is as large.
        if (material.pawns(chess::White) > 0) {
            EXPECT_FALSE(
                check_gaviota_file(tests::test_data("gaviota") / file, parse_gaviota_name("kqk").value()));
        }
        const auto expect_refused = [&](const std::vector<std::byte>& changed) {
            ASSERT_TRUE(base::write_atomically(folder / file, std::span<const std::byte>(changed)));
            const auto tables = Tablebases::open(folder.path().string());
            ASSERT_FALSE(tables);
            EXPECT_THAT(tables.error().message, HasSubstr((folder / file).string()));
        };
        for (int i = 0; i < 20; ++i) {
            auto cut = bytes;
            cut.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
            expect_refused(cut);
            auto other = bytes;
            // A high bit of the list of blocks, or any of what says where it is.
            const std::uint32_t entries = material.pawns(chess::White) > 0 ? 13 : 5;
            const std::size_t at = i < 8 ? (i < 4 ? 8 : 32) + static_cast<std::size_t>(i % 4)
                                         : 40 + 4 * random.below(entries) + 3;
            other[at] ^= static_cast<std::byte>(0x80);
            expect_refused(other);
        }
        std::filesystem::remove(folder / file);
    }
}

// Calls use(position) for each of a table's positions of three pieces, but those that are like one by
// symmetry: the stronger king in the triangle a1-d1-d4, or the pawn on the left half of the board.
template <class Use>
void for_each_position(chess::PieceKind kind, Use&& use) {
    for (int king = 0; king < 64; ++king)
        for (int piece = 0; piece < 64; ++piece) {
            const int first = kind == chess::Pawn ? piece : king;
            if (first % 8 > 3 || (kind != chess::Pawn && first / 8 > first % 8)) continue;
            for (int other = 0; other < 64; ++other)
                for (const chess::Color mover : chess::kColors) {
                    if (king == piece || king == other || piece == other) continue;
                    chess::Setup setup;
                    setup.side_to_move = mover;
                    setup.board[static_cast<std::size_t>(king)] =
                        chess::make_piece(chess::White, chess::King);
                    setup.board[static_cast<std::size_t>(piece)] = chess::make_piece(chess::White, kind);
                    setup.board[static_cast<std::size_t>(other)] =
                        chess::make_piece(chess::Black, chess::King);
                    if (const auto position = chess::Position::from_setup(setup)) use(*position);
                }
        }
}

// In every position of three pieces: won, drawn or lost as Syzygy says. The longest mates are those that are
// published (K. Thompson's tables, 1986): with a queen 10 moves, a rook 16, a pawn 28.
TEST(Gaviota, EveryPositionOfThreePieces) {
    const std::map<chess::PieceKind, int> longest{
        {chess::Queen, 10}, {chess::Rook, 16}, {chess::Pawn, 28}, {chess::Bishop, 0}, {chess::Knight, 0}};
    std::map<chess::PieceKind, std::vector<Outcome>> said;
    {
        const Tablebases syzygy = open(tests::test_data("syzygy"));
        for (const auto& [kind, moves] : longest)
            for_each_position(kind, [&](const chess::Position& position) {
                said[kind].push_back(syzygy.probe_wdl(position).value());
            });
    }
    const Tablebases gaviota = open(tests::test_data("gaviota"));
    EXPECT_EQ(gaviota.dtm_tables(), 5U);
    EXPECT_EQ(gaviota.wdl_tables(), 0U);
    EXPECT_EQ(gaviota.max_pieces(), 3);
    for (const auto& [kind, moves] : longest) {
        std::size_t at = 0;
        int plies = 0;
        for_each_position(kind, [&](const chess::Position& position) {
            const auto mate = gaviota.probe_dtm(position);
            ASSERT_TRUE(mate) << chess::to_fen(position);
            ASSERT_EQ(gaviota.probe_wdl(position), said[kind][at++]) << chess::to_fen(position);
            if (mate->sign > 0) plies = std::max(plies, mate->plies);
        });
        EXPECT_EQ(at, said[kind].size());
        EXPECT_EQ((plies + 1) / 2, moves) << kind;
    }
}

// The root's list has the distances, and its first move is on the way: so a game ends with the mate that was
// foretold.
TEST(Gaviota, PlaysTheShortestMate) {
    const Tablebases tables = open(tests::test_data("gaviota"));
    base::Random random(3);
    for (const char* name : {"kqk", "krk", "kpk"}) {
        for (int i = 0; i < (tests::kSanitized ? 3 : 30); ++i) {
            chess::Line line(tests::random_position(random, parse_gaviota_name(name).value()));
            const auto mate = tables.probe_dtm(line.current());
            ASSERT_TRUE(mate);
            const bool winning = mate->sign != 0;
            for (int left = mate->plies; left > 0; --left) {
                const std::string fen = chess::to_fen(line.current());
                const auto probe = tables.probe_root(line);
                ASSERT_TRUE(probe) << fen;
                ASSERT_EQ(probe->moves.size(),
                          static_cast<std::size_t>(chess::legal_moves(line.current()).size()));
                EXPECT_EQ(std::abs(probe->moves.front().dtm.value()), left) << fen;
                EXPECT_FALSE(probe->dtz);
                line.push(probe->moves.front().move);
            }
            if (winning) {
                EXPECT_TRUE(line.current().in_check() && !chess::has_legal_move(line.current()));
            }
        }
    }
}

// A mate that is too far for the fifty-move rule to be no matter is none that is known.
TEST(Gaviota, KnowsNothingThatTheClockMaySpoil) {
    const Tablebases tables = open(tests::test_data("gaviota"));
    EXPECT_EQ(tables.probe_root(chess::Line(chess::parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 60 120").value()))
                  .value()
                  .outcome,
              Outcome::Win);
    EXPECT_FALSE(
        tables.probe_root(chess::Line(chess::parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 95 120").value())));
}

}  // namespace
}  // namespace scholar::tablebases
