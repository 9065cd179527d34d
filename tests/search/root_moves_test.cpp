#include "search/root_moves.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "base/random.hpp"

namespace scholar::search {
namespace {

// Against the library's stable sort, with many that are equal, and only from one place on to another.
TEST(RootMoves, AreSortedByRankScoreAndTheScoreBefore) {
    base::Random random(1, 0);
    const auto below = [&random](int end) {
        return static_cast<int>(random.below(static_cast<std::uint64_t>(end)));
    };
    for (int round = 0; round < 2'000; ++round) {
        std::vector<RootMove> moves;
        const int count = 1 + below(40);
        for (int number = 0; number < count; ++number) {
            RootMove& move = moves.emplace_back(chess::Move::none());
            move.nodes = static_cast<std::uint64_t>(number);
            move.tablebase_rank = below(2);
            if (below(3) > 0) move.score = chess::Score(below(4));
            if (below(3) > 0) move.previous = chess::Score(below(4));
        }
        const int from = below(count);
        const int to = from + below(count - from + 1);
        std::vector<RootMove> expected = moves;
        std::stable_sort(expected.begin() + from, expected.begin() + to,
                         [](const RootMove& a, const RootMove& b) {
                             return std::tuple(-a.tablebase_rank, -a.score.value(), -a.previous.value()) <
                                    std::tuple(-b.tablebase_rank, -b.score.value(), -b.previous.value());
                         });
        sort_root_moves(moves, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
        for (std::size_t i = 0; i < moves.size(); ++i) ASSERT_EQ(moves[i].nodes, expected[i].nodes);
    }
}

}  // namespace
}  // namespace scholar::search
