#include "chess/perft.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "perft_file.hpp"
#include "support/mirror.hpp"
#include "support/test_data.hpp"

namespace scholar::chess {
namespace {

using tests::PerftCase;

// What to look at when a figure is wrong: compare it with another program's "divide".
std::string divide(const Position& position, int depth) {
    std::string text;
    for (const auto& [move, nodes] : perft_divide(position, depth))
        text += fmt::format("  {}: {}\n", to_uci(move, CastlingNotation::Chess960), nodes);
    return text;
}

void expect_counts(const PerftCase& one, int max_depth, std::uint64_t max_nodes) {
    for (const auto& [depth, expected] : one.counts) {
        if (depth > max_depth || expected > max_nodes) continue;
        const std::uint64_t nodes = perft(one.position, depth);
        EXPECT_EQ(nodes, expected) << one.id << ", depth " << depth << ": " << one.fen << '\n'
                                   << divide(one.position, depth);
    }
}

class ShippedPerft : public testing::TestWithParam<PerftCase> {};

TEST_P(ShippedPerft, CountsArePublishedOnes) {
    expect_counts(GetParam(), 99, tests::kSanitized ? 1'000'000 : 20'000'000);
}

TEST_P(ShippedPerft, MirroredPositionHasTheSameCounts) {
    const PerftCase& one = GetParam();
    const Position other = tests::mirrored(one.position);
    for (int depth = 1; depth <= 3; ++depth)
        EXPECT_EQ(perft(other, depth), perft(one.position, depth)) << to_fen(other);
}

INSTANTIATE_TEST_SUITE_P(Positions, ShippedPerft, testing::ValuesIn(tests::shipped_perft_cases()),
                         [](const auto& one) { return tests::test_name(one.param.id); });

TEST(Perft, DepthZeroIsOne) {
    EXPECT_EQ(perft(Position(), 0), 1U);
}

TEST(Perft, DivideAddsUpToPerft) {
    std::uint64_t sum = 0;
    for (const auto& [move, nodes] : perft_divide(Position(), 3)) sum += nodes;
    EXPECT_EQ(sum, 8902U);
}

TEST(Perft, ThreadsShareTheSameCounts) {
    for (int depth = 1; depth <= 4; ++depth) {
        const auto one = perft_divide(Position(), depth);
        EXPECT_EQ(perft_divide(Position(), depth, 3), one) << depth;
        std::uint64_t sum = 0;
        for (const auto& [move, nodes] : one) sum += nodes;
        EXPECT_EQ(sum, perft(Position(), depth)) << depth;
    }
}

TEST(SharedPerft, TrickyToDepth3) {
    const auto file = tests::shared_data("perft/tricky.perft");
    if (!file) GTEST_SKIP() << "no perft/tricky.perft: set SCHOLAR_DATA to run this test";
    for (const PerftCase& one : tests::read_perft_file(*file)) expect_counts(one, 3, ~0ULL);
}

TEST(SharedPerft, Chess960ToDepth3) {
    const auto file = tests::shared_data("perft/chess960.perft");
    if (!file) GTEST_SKIP() << "no perft/chess960.perft: set SCHOLAR_DATA to run this test";
    for (const PerftCase& one : tests::read_perft_file(*file))
        expect_counts(one, tests::kSanitized ? 2 : 3, ~0ULL);
}

TEST(SharedPerft, RandomPositionsToDepth4) {
    const auto file = tests::shared_data("perft/random.perft");
    if (!file) GTEST_SKIP() << "no perft/random.perft: set SCHOLAR_DATA to run this test";
    auto cases = tests::read_perft_file(*file);
    base::Random random(20);
    random.shuffle(cases);
    cases.resize(50);
    for (const PerftCase& one : cases) expect_counts(one, tests::kSanitized ? 3 : 4, ~0ULL);
}

}  // namespace
}  // namespace scholar::chess
