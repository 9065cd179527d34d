// The naive searches against plain minimax over the same tree, and against each other where a branch is
// narrower than another.

#include "search/alpha_beta/naive_search.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/embedded.hpp"
#include "search/bench_positions.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;

// As the paper's pseudo-code has it, with draws by rule and quiescence: a node of a probability below the
// threshold is a leaf, or one that far from the root.
class PlainMinimax {
  public:
    PlainMinimax(const nets::AnyNetwork& network, const Position& root) : network_(network), line_(root) {}

    Score to_depth(int depth, int ply = 0) {
        if (depth == 0 && ply > 0) return quiesce(ply);
        return over_moves(ply, [&](int) { return to_depth(depth - 1, ply + 1); });
    }
    Score to_threshold(double threshold, double probability = 1, int ply = 0) {
        if (probability < threshold) return quiesce(ply);
        return over_moves(ply,
                          [&](int moves) { return to_threshold(threshold, probability / moves, ply + 1); });
    }

  private:
    bool is_draw() const {
        return line_.is_repetition_in_search(0) || line_.current().has_insufficient_material() ||
               line_.terminal() == Terminal::FiftyMoves;
    }
    template <class After>
    Score over_moves(int ply, After after) {
        const Position& position = line_.current();
        if (ply > 0 && is_draw()) return Score::draw();
        Score best = position.in_check() ? Score::mated_in(ply) : Score::draw();
        bool any = false;
        const MoveList moves = legal_moves(position);
        for (const Move move : moves) {
            line_.push(move);
            const Score score = -after(moves.size());
            line_.pop();
            best = any ? std::max(best, score) : score;
            any = true;
        }
        return best;
    }
    Score quiesce(int ply) {
        if (is_draw()) return Score::draw();
        const Position position = line_.current();
        Score best = position.in_check() ? Score::mated_in(ply) : *network_.evaluate(position);
        for (const Move move : legal_moves(position, position.in_check() ? MoveSet::All : MoveSet::Noisy)) {
            line_.push(move);
            best = std::max(best, -quiesce(ply + 1));
            line_.pop();
        }
        return best;
    }

    const nets::AnyNetwork& network_;
    Line line_;
};

class NaiveSearches : public testing::Test {
  protected:
    SearchResult run(const NaiveOptions& options, const Line& line, const Limits& limits) {
        return make_naive_search(network_, options).value()->run(line, limits, {}, silent_);
    }
    const nets::AnyNetwork network_ = *nets::parse_any_network(nets::default_network_file());
    Silence silent_;
};

constexpr NaiveOptions kByDepth{NaiveBound::Depth};

// Few pieces, or quiescence without bounds would have no end.
std::optional<Position> random_ending(base::Random& random) {
    Setup setup;
    setup.board[random.below(64)] = make_piece(White, King);
    setup.board[random.below(64)] = make_piece(Black, King);
    constexpr std::array pieces{Knight, Bishop, Rook};
    for (const Color color : kColors) {
        setup.board[random.below(64)] = make_piece(color, pieces.at(random.below(3)));
        setup.board[8 + random.below(48)] = make_piece(color, Pawn);
    }
    setup.side_to_move = random.below(2) == 0 ? White : Black;
    auto position = Position::from_setup(setup);
    if (!position || !has_legal_move(*position)) return std::nullopt;
    return *position;
}

TEST_F(NaiveSearches, HaveTheMinimaxValueAtEveryDepthAndThreshold) {
    base::Random random(6);
    std::vector<Position> positions;
    // Mates in one, in two, and what is mated whatever it does.
    for (const char* fen : {"6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", "8/8/8/8/8/5k2/7q/5K2 b - - 0 1",
                            "7k/R7/6K1/8/8/8/8/8 b - - 0 1"})
        positions.push_back(*parse_fen(fen));
    while (positions.size() < (tests::kSanitized ? 8U : 25U))
        if (const auto position = random_ending(random)) positions.push_back(*position);
    int mates = 0, deeper = 0;
    for (const Position& position : positions) {
        for (int number = 1; number <= 2; ++number) {
            const Limits limits{{DepthLimit{number}}, {}, {}};
            const Score by_depth = PlainMinimax(network_, position).to_depth(number);
            const auto found = run(kByDepth, Line(position), limits);
            ASSERT_EQ(found.score, by_depth) << to_fen(position) << ", depth " << number;
            EXPECT_EQ(found.counters.depth, number);
            EXPECT_TRUE(found.leaf_kind != LeafKind::CutShort) << to_fen(position);
            mates += by_depth.is_mate();
            for (const double base : {6.0, 13.0}) {
                const auto shared = run({NaiveBound::Probability, base}, Line(position), limits);
                const double threshold = number == 1 ? 1 / base : 1 / base / base;
                ASSERT_EQ(shared.score, PlainMinimax(network_, position).to_threshold(threshold))
                    << to_fen(position) << ", threshold " << threshold;
                EXPECT_TRUE(shared.leaf_kind != LeafKind::CutShort) << to_fen(position);
                deeper += shared.counters.selective_depth > found.counters.selective_depth;
            }
        }
    }
    EXPECT_GT(mates, 0);
    EXPECT_GT(deeper, 0);
}

// The kind of position that the paper's figure 6 shows: queens may be exchanged or kept, and there are many
// more moves where they are kept. Both branches are searched with an open window.
TEST_F(NaiveSearches, SpendOnABranchByItsWidthOrByItsProbability) {
    const Line line(*parse_fen("3qk3/ppp2ppp/2n5/4p3/4P3/2N5/PPP2PPP/3QK3 w - - 0 1"));
    const Move exchange(D1, D8);
    Limits limits{{NodeLimit{200'000}}, {exchange, Move(D1, E2)}, {}};
    limits.multi_pv = 2;
    struct Spent {
        double exchanged = 0;  // of all nodes
        int depth_exchanged = 0, depth_kept = 0;
    };
    const auto spend = [&](const NaiveOptions& options) {
        const auto result = run(options, line, limits);
        Spent spent;
        for (const auto& [move, share] : result.root_distribution)
            if (move == exchange) spent.exchanged = share;
        for (const RootLine& found : result.lines)
            (found.variation.front() == exchange ? spent.depth_exchanged : spent.depth_kept) =
                found.selective_depth;
        std::printf("%s: %.1f %% of the nodes after the exchange, %d half-moves deep, %d without it\n",
                    options.bound == NaiveBound::Depth ? "depth" : "probability", 100 * spent.exchanged,
                    spent.depth_exchanged, spent.depth_kept);
        return spent;
    };
    const Spent by_depth = spend(kByDepth);
    const Spent by_probability = spend({NaiveBound::Probability});
    EXPECT_LT(by_depth.exchanged, 0.1);
    EXPECT_GT(by_probability.exchanged, 0.2);
    EXPECT_LT(by_probability.exchanged, 0.7);
    EXPECT_GT(by_probability.depth_exchanged, by_depth.depth_exchanged);
}

// What every search owes: a legal move however early it is stopped, exactly so many nodes, the same ones
// again, as many lines as were asked for, and an answer soon after a stop.
TEST_F(NaiveSearches, HonourLimits) {
    const Line line(*parse_fen(bench_positions()[5]));
    for (const NaiveOptions& options : {kByDepth, NaiveOptions{NaiveBound::Probability}}) {
        const auto search = make_naive_search(network_, options).value();
        for (const std::uint64_t nodes : {1, 2, 30, 1'000, 50'000}) {
            Limits limits{{NodeLimit{nodes}}, {}, {}};
            const auto first = search->run(line, limits, {}, silent_);
            EXPECT_EQ(first.counters.nodes, nodes);
            EXPECT_TRUE(legal_moves(line.current()).contains(first.best));
            ASSERT_TRUE(first.score);
            EXPECT_NE(first.leaf_kind, LeafKind::CutShort);
            const auto again = search->run(line, limits, {}, silent_);
            EXPECT_EQ(again.score, first.score);
            EXPECT_EQ(again.principal_variation, first.principal_variation);
            limits.multi_pv = 3;
            const auto lines = search->run(line, limits, {}, silent_).lines;
            ASSERT_GE(lines.size(), 1U);
            EXPECT_TRUE(std::ranges::is_sorted(lines, std::greater(),
                                               [](const RootLine& found) { return found.score->value(); }));
            if (nodes >= 1'000) {
                EXPECT_EQ(lines.size(), 3U);
            }
        }
        std::stop_source stopped;
        stopped.request_stop();
        const auto result = search->run(line, {}, stopped.get_token(), silent_);
        EXPECT_TRUE(result.best);
        EXPECT_LE(result.counters.nodes, 512U);
        const auto timed = search->run(line, {{MoveTimeLimit{Milliseconds(20)}}, {}, {}}, {}, silent_);
        EXPECT_TRUE(timed.best);
        const auto mate = search->run(Line(*parse_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")),
                                      {{MateLimit{2}}, {}, {}}, {}, silent_);
        EXPECT_EQ(mate.score, Score::mate_in(3));
    }
}

}  // namespace
}  // namespace scholar::search
