#include "tablebases/tablebases.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "support/test_data.hpp"
#include "tablebases/consistency.hpp"

// With the three-man tables that ship.

namespace scholar::tablebases {
namespace {

using chess::Line;
using chess::Position;
using testing::HasSubstr;
using tests::TemporaryFolder;

Tablebases shipped() {
    auto tables = Tablebases::open(tests::test_data("syzygy").string());
    EXPECT_TRUE(tables) << tables.error().message;
    return std::move(tables).value();
}

Position position(const char* fen) {
    return chess::parse_fen(fen).value();
}

TEST(Tablebases, WhatThereIs) {
    const Tablebases tables = shipped();
    EXPECT_EQ(tables.max_pieces(), 3);
    EXPECT_EQ(tables.wdl_tables(), 5U);
    EXPECT_EQ(tables.dtz_tables(), 5U);
    EXPECT_EQ(tables.path(), tests::test_data("syzygy").string());
    const auto status = tables.verify();
    EXPECT_TRUE(status) << status.error().message;
}

// The textbook's king and pawn endings.
TEST(Tablebases, KingAndPawn) {
    const Tablebases tables = shipped();
    struct Known {
        const char* fen;
        Outcome outcome;
    };
    constexpr Known kKnown[] = {
        // The opposition decides: whoever has to move loses by it.
        {"8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", Outcome::Draw},
        {"8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", Outcome::Loss},
        // The king on the sixth rank before its pawn wins whoever moves,
        {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Outcome::Win},
        {"4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Outcome::Loss},
        // but never with a rook's pawn.
        {"k7/8/K7/P7/8/8/8/8 w - - 0 1", Outcome::Draw},
        {"k7/8/K7/P7/8/8/8/8 b - - 0 1", Outcome::Draw},
        // The same with the colours changed.
        {"8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", Outcome::Win},
        {"8/8/4p3/4k3/8/4K3/8/8 b - - 0 1", Outcome::Draw},
        // No pieces at all, and a minor piece, are draws.
        {"8/8/4k3/8/8/4K3/8/8 w - - 0 1", Outcome::Draw},
        {"8/8/4k3/8/8/4KN2/8/8 w - - 0 1", Outcome::Draw},
    };
    for (const auto& [fen, outcome] : kKnown) EXPECT_EQ(tables.probe_wdl(position(fen)), outcome) << fen;
    // 1. Kd6 and 1. Kf6 are the only moves that win.
    const auto probe = tables.probe_root(Line(position("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"))).value();
    ASSERT_EQ(probe.moves.size(), 4U);
    EXPECT_EQ(probe.outcome, Outcome::Win);
    EXPECT_EQ(chess::to_uci(probe.moves[0].move), "e6d6");
    EXPECT_EQ(chess::to_uci(probe.moves[1].move), "e6f6");
    EXPECT_EQ(probe.moves[1].outcome, Outcome::Win);
    EXPECT_EQ(probe.moves[2].outcome, Outcome::Draw);
}

// All positions with the white king in the triangle a1-d1-d4, which are all up to symmetry. The longest wins
// are the published ones: mate in 10 moves with the queen, in 16 with the rook.
TEST(Tablebases, LongestWinsOfQueenAndRook) {
    const Tablebases tables = shipped();
    struct Known {
        char piece;
        int longest;
    };
    for (const auto& [piece, longest] : {Known{'Q', 2 * 10 - 1}, Known{'R', 2 * 16 - 1}}) {
        int found = 0;
        for (int king = 0; king < 64; ++king) {
            if (king % 8 > 3 || king / 8 > king % 8) continue;
            for (int at = 0; at < 64; ++at) {
                for (int enemy = 0; enemy < 64; enemy += tests::kSanitized ? 5 : 1) {
                    if (at == king || enemy == king || enemy == at) continue;
                    chess::Setup setup;
                    setup.board[king] = chess::parse_piece('K');
                    setup.board[at] = chess::parse_piece(piece);
                    setup.board[enemy] = chess::parse_piece('k');
                    const auto legal = Position::from_setup(setup);
                    if (!legal) continue;
                    const auto dtz = tables.probe_dtz(*legal);
                    ASSERT_TRUE(dtz);
                    ASSERT_GT(*dtz, 0) << chess::to_fen(*legal);
                    found = std::max(found, *dtz);
                }
            }
        }
        if (!tests::kSanitized) {
            EXPECT_EQ(found, longest) << piece;
        }
    }
}

TEST(Tablebases, PlayingTheFirstMoveMates) {
    const Tablebases tables = shipped();
    for (const char* fen : {"8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1",
                            "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"}) {
        Line line(position(fen));
        ASSERT_EQ(tables.probe_wdl(line.current()), Outcome::Win) << fen;
        while (line.terminal() == chess::Terminal::None && line.ply() < 200)
            line.push(tables.probe_root(line).value().moves.front().move);
        EXPECT_EQ(line.terminal(), chess::Terminal::Checkmate) << fen;
    }
}

// A win that needs 31 half-moves is one as long as the clock leaves 31.
TEST(Tablebases, TheHalfmoveClockTurnsWinsIntoDraws) {
    const Tablebases tables = shipped();
    const auto with_clock = [&](int clock) {
        const std::string fen = "8/8/8/8/8/2k5/1R6/K7 w - - " + std::to_string(clock) + " 90";
        const Position at = position(fen.c_str());
        EXPECT_EQ(tables.probe_wdl(at), Outcome::Win) << "as if the clock were 0";
        EXPECT_EQ(tables.probe_dtz(at), 31);
        return tables.probe_root(Line(at)).value();
    };
    EXPECT_EQ(with_clock(0).outcome, Outcome::Win);
    EXPECT_EQ(with_clock(69).outcome, Outcome::Win);
    EXPECT_EQ(with_clock(70).outcome, Outcome::CursedWin);
    EXPECT_EQ(with_clock(99).outcome, Outcome::CursedWin);

    // Mate on the board comes before the rule (FIDE 9.6.2).
    const auto mate = tables.probe_root(Line(position("k7/8/1K6/8/8/8/8/7R w - - 99 90"))).value();
    EXPECT_EQ(mate.outcome, Outcome::Win);
    EXPECT_EQ(mate.dtz, 1);
    EXPECT_TRUE(mate.moves.front().mates);
    EXPECT_EQ(chess::to_uci(mate.moves.front().move), "h1h8");
    EXPECT_EQ(mate.moves[1].outcome, Outcome::CursedWin);

    // A pawn move starts the clock again.
    const auto pawn = tables.probe_root(Line(position("8/4P1k1/8/8/8/8/8/K7 w - - 99 90"))).value();
    EXPECT_EQ(pawn.outcome, Outcome::Win);
    EXPECT_EQ(chess::to_uci(pawn.moves.front().move), "e7e8r")
        << "both promotions win, in the order of pieces";
    EXPECT_NE(pawn.moves.back().outcome, Outcome::Win);
}

TEST(Tablebases, AThirdRepetitionIsADraw) {
    const Tablebases tables = shipped();
    Line line(position("8/8/8/8/8/2k5/1R6/K7 w - - 0 1"));
    const auto best = tables.probe_root(line).value().moves.front();
    // Twice there and back: the position after `best` stands for the second time after the last of these.
    for (int round = 0; round < 2; ++round)
        for (const char* move : {"b2b8", "c3c4", "b8b2", "c4c3"})
            line.push(chess::parse_uci_move(line.current(), move).value());
    const auto probe = tables.probe_root(line).value();
    const auto rook_away =
        std::ranges::find_if(probe.moves, [](const RootMove& m) { return chess::to_uci(m.move) == "b2b8"; });
    ASSERT_NE(rook_away, probe.moves.end());
    EXPECT_EQ(rook_away->outcome, Outcome::Draw);
    EXPECT_EQ(rook_away->dtz, 0);
    EXPECT_EQ(probe.outcome, Outcome::Win) << "another move still wins";
    EXPECT_EQ(probe.moves.front().move, best.move);
}

TEST(Tablebases, MateAndStalemate) {
    const Tablebases tables = shipped();
    const Position mated = position("k6R/8/1K6/8/8/8/8/8 b - - 0 1");
    EXPECT_EQ(tables.probe_wdl(mated), Outcome::Loss);
    EXPECT_EQ(tables.probe_dtz(mated), -1);
    EXPECT_TRUE(tables.probe_root(Line(mated)).value().moves.empty());
    EXPECT_EQ(tables.probe_root(Line(mated)).value().outcome, Outcome::Loss);
    const Position stuck = position("k7/2Q5/8/8/8/8/8/K7 b - - 0 1");
    EXPECT_EQ(tables.probe_wdl(stuck), Outcome::Draw);
    EXPECT_EQ(tables.probe_dtz(stuck), 0);
    EXPECT_EQ(tables.probe_root(Line(stuck)).value().outcome, Outcome::Draw);
}

TEST(Tablebases, WhereThereIsNoAnswer) {
    const Tablebases tables = shipped();
    for (const char* fen : {
             "4k3/8/8/8/8/8/8/4K2R w K - 0 1",   // castling
             "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",  // four men, three at most here
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
         }) {
        EXPECT_FALSE(tables.probe_wdl(position(fen))) << fen;
        EXPECT_FALSE(tables.probe_dtz(position(fen))) << fen;
        EXPECT_FALSE(tables.probe_root(Line(position(fen)))) << fen;
    }
    EXPECT_TRUE(tables.probe_wdl(position("4k3/8/8/8/8/8/8/4K2R w - - 0 1")));
}

TEST(Tablebases, WithoutDistances) {
    const TemporaryFolder folder;
    for (const char* name : {"KQvK.rtbw", "KRvK.rtbw"})
        std::filesystem::copy(tests::test_data("syzygy") / name, folder / name);
    const auto tables = Tablebases::open(folder.path().string());
    ASSERT_TRUE(tables) << tables.error().message;
    EXPECT_EQ(tables->dtz_tables(), 0U);
    const Position queen = position("k7/8/8/2K5/8/8/8/6Q1 w - - 0 1");
    EXPECT_EQ(tables->probe_wdl(queen), Outcome::Win);
    EXPECT_FALSE(tables->probe_dtz(queen));
    const auto probe = tables->probe_root(Line(queen));
    ASSERT_TRUE(probe);
    EXPECT_EQ(probe->outcome, Outcome::Win);
    EXPECT_FALSE(probe->dtz);
    for (const RootMove& entry : probe->moves) {
        EXPECT_FALSE(entry.dtz);
        const Position next = queen.after(entry.move);
        EXPECT_EQ(entry.outcome, -*tables->probe_wdl(next)) << chess::to_uci(entry.move);
    }
    // The clock cannot be reckoned with: with distances this would be a cursed win.
    EXPECT_EQ(tables->probe_root(Line(position("8/8/8/8/8/2k5/1R6/K7 w - - 99 90")))->outcome, Outcome::Win);
    // Among moves that all win, mate is still known to be near: it is not the first in the order of squares.
    const auto mate = tables->probe_root(Line(position("7k/8/6K1/8/8/8/8/R7 w - - 0 1")));
    ASSERT_TRUE(mate);
    EXPECT_EQ(chess::to_uci(mate->moves.front().move), "a1a8");
    EXPECT_EQ(chess::to_uci(mate->moves[1].move), "a1b1");
    // Of the pieces that a table is there for, but not this one.
    EXPECT_FALSE(tables->probe_wdl(position("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1")));
}

TEST(Tablebases, SeveralFolders) {
    const TemporaryFolder one;
    const TemporaryFolder two;
    for (const char* suffix : {".rtbw", ".rtbz"}) {
        const std::string queen = std::string("KQvK") + suffix;
        const std::string rook = std::string("KRvK") + suffix;
        std::filesystem::copy(tests::test_data("syzygy") / queen, one / queen);
        std::filesystem::copy(tests::test_data("syzygy") / rook, two / rook);
    }
    // Of two files of one name the first counts; the second, though bad, is never read.
    ASSERT_TRUE(base::write_atomically(two / "KQvK.rtbw", std::string_view("no table")));
    const auto tables = Tablebases::open(one.path().string() + ":" + two.path().string());
    ASSERT_TRUE(tables) << tables.error().message;
    EXPECT_EQ(tables->wdl_tables(), 2U);
    EXPECT_EQ(tables->probe_wdl(position("k7/8/8/2K5/8/8/8/6Q1 w - - 0 1")), Outcome::Win);
    EXPECT_EQ(tables->probe_wdl(position("k7/8/8/2K5/8/8/8/6R1 w - - 0 1")), Outcome::Win);
}

TEST(Tablebases, OneSetAtATime) {
    const TemporaryFolder folder;
    std::filesystem::copy(tests::test_data("syzygy") / "KQvK.rtbw", folder / "KQvK.rtbw");
    {
        const Tablebases first = shipped();
        const Tablebases again = shipped();
        EXPECT_EQ(again.wdl_tables(), 5U);
        const auto other = Tablebases::open(folder.path().string());
        ASSERT_FALSE(other);
        EXPECT_THAT(other.error().message, HasSubstr("while '" + first.path() + "' is open"));
        EXPECT_THAT(other.error().message, HasSubstr(folder.path().string()));
    }
    const auto other = Tablebases::open(folder.path().string());
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_EQ(other->wdl_tables(), 1U);
}

TEST(Tablebases, BadFoldersAndFilesAreRefusedByName) {
    const TemporaryFolder folder;
    const auto refused = [](const std::string& path) {
        const auto tables = Tablebases::open(path);
        EXPECT_FALSE(tables) << path;
        const std::string message = tables ? "" : tables.error().message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
        return message;
    };
    EXPECT_THAT(refused((folder / "none").string()), HasSubstr("none: cannot open this folder"));
    EXPECT_THAT(refused(folder.path().string()),
                HasSubstr("no endgame tables, expected Syzygy's, such as KQvK.rtbw"));
    EXPECT_THAT(refused(""), HasSubstr("an empty folder name"));
    EXPECT_THAT(refused("a::b"), HasSubstr("a: cannot open this folder"));
    EXPECT_THAT(refused(tests::test_data("syzygy").string() + "::b"), HasSubstr("an empty folder name"));
    EXPECT_THAT(refused(tests::test_data("syzygy/KQvK.rtbw").string()), HasSubstr("cannot open this folder"));

    std::filesystem::copy(tests::test_data("syzygy") / "KQvK.rtbw", folder / "KQvK.rtbw");
    // 4,176 − 64 bytes, a length that Fathom would take.
    auto bytes = base::read_bytes(tests::test_data("syzygy") / "KPvK.rtbz").value();
    bytes.resize(bytes.size() - 64);
    ASSERT_TRUE(base::write_atomically(folder / "KPvK.rtbz", std::span<const std::byte>(bytes)));
    EXPECT_THAT(refused(folder.path().string()), HasSubstr("KPvK.rtbz: 4112 bytes, expected 4176"));
    std::filesystem::remove(folder / "KPvK.rtbz");
    std::filesystem::create_directory(folder / "KRvK.rtbw");
    EXPECT_THAT(refused(folder.path().string()), HasSubstr("KRvK.rtbw: not a regular file"));
    std::filesystem::remove(folder / "KRvK.rtbw");
    // Opening it would wait for somebody to write.
    ASSERT_EQ(mkfifo((folder / "KRvK.rtbw").c_str(), 0600), 0);
    EXPECT_THAT(refused(folder.path().string()), HasSubstr("KRvK.rtbw: not a regular file"));
    std::filesystem::remove(folder / "KRvK.rtbw");
    // Files that are no tables by their names do not matter.
    ASSERT_TRUE(base::write_atomically(folder / "notes.rtbw", std::string_view("hello")));
    EXPECT_TRUE(Tablebases::open(folder.path().string()));
}

TEST(Tablebases, VerifyNamesTheDamagedFile) {
    const TemporaryFolder folder;
    auto bytes = base::read_bytes(tests::test_data("syzygy") / "KPvK.rtbw").value();
    bytes[bytes.size() - 40] ^= std::byte{1};
    ASSERT_TRUE(base::write_atomically(folder / "KPvK.rtbw", std::span<const std::byte>(bytes)));
    const auto tables = Tablebases::open(folder.path().string());
    ASSERT_TRUE(tables) << tables.error().message;
    const auto status = tables->verify();
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("KPvK.rtbw: checksum"));
}

TEST(Tablebases, ThreadsGetTheSameAnswers) {
    const TemporaryFolder folder;
    for (const auto& entry : std::filesystem::directory_iterator(tests::test_data("syzygy")))
        std::filesystem::copy(entry.path(), folder / entry.path().filename().string());
    std::vector<Position> positions;
    base::Random random(3);
    for (const char* name : {"KPvK", "KQvK", "KRvK", "KBvK", "KNvK"})
        for (int i = 0; i < 400; ++i)
            positions.push_back(tests::random_position(random, parse_material(name).value()));
    // A folder not opened before, whose tables no probe has touched: where Fathom maps them, its threads
    // race.
    std::vector<std::vector<std::optional<Outcome>>> answers(8);
    std::vector<std::vector<std::optional<int>>> distances(8);
    {
        const auto tables = Tablebases::open(folder.path().string());
        ASSERT_TRUE(tables) << tables.error().message;
        std::vector<std::jthread> threads;
        for (std::size_t number = 0; number < answers.size(); ++number)
            threads.emplace_back([&, number] {
                for (std::size_t i = 0; i < positions.size(); ++i) {
                    answers[number].push_back(tables->probe_wdl(positions[i]));
                    if (i % 16 == number) distances[number].push_back(tables->probe_dtz(positions[i]));
                }
            });
    }
    const Tablebases tables = shipped();
    for (std::size_t number = 0; number < answers.size(); ++number) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            ASSERT_EQ(answers[number][i], tables.probe_wdl(positions[i]));
            if (i % 16 == number) {
                ASSERT_EQ(distances[number][next++], tables.probe_dtz(positions[i]));
            }
        }
    }
}

TEST(Tablebases, ShippedTablesAgreeWithTheRules) {
    const Tablebases tables = shipped();
    base::Random random(1);
    for (const char* name : {"KPvK", "KQvK", "KRvK", "KBvK", "KNvK"})
        for (int i = 0; i < (tests::kSanitized ? 50 : 500); ++i)
            tests::expect_consistent(tables, tests::random_position(random, parse_material(name).value()));
}

}  // namespace
}  // namespace scholar::tablebases
