#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "nets/container/embedded.hpp"
#include "nets/perspective/network_file.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "search/alpha_beta/shared_search.hpp"
#include "search/alpha_beta/worker.hpp"
#include "search/root.hpp"
#include "support/test_data.hpp"

// MTD(f) against plain minimax, where nothing is left out of the tree: with pawns only and two half-moves
// deep no move is passed over or reduced, and an evaluator whose values lie close together never gives a
// reason to prune. (What else is asked of it alpha_beta_test.cpp asks of both searches.)

namespace scholar::search {
namespace {

using namespace chess;

// −1 to 2, by a hash of the position: so near to each other that no correction is learnt from a difference.
class HashEvaluator {
  public:
    void reset(const Position&) {}
    void push(const Position&, Move) {}
    void push_null(const Position&) {}
    void pop() {}
    Score value(const Position& position) {
        return Score(static_cast<int>(position.key() * 0x9E3779B97F4A7C15ULL >> 62) - 1);
    }
    const nets::PieceValues& piece_values() const { return values_; }

  private:
    nets::PieceValues values_{};  // every exchange is even
};
static_assert(evaluators::LeafEvaluator<HashEvaluator>);

// The same tree, move by move. Nothing where its quiescence comes upon a check, of which it does not look at
// all answers, and where a table could take a repetition for the score of a position. `left` is in half-moves
// of which a move costs ln(moves) / ln(base) under probability, rounded as an Effort is.
class Minimax {
  public:
    Minimax(const Position& root, const CostOptions& cost) : line_(root), cost_(cost) {}

    std::optional<Score> search(double left, int ply = 0) {
        const Position& position = line_.current();
        if (ply > 0 && line_.is_repetition_in_search(0)) return std::nullopt;
        if (ply > 0 && position.has_insufficient_material()) return Score::draw();
        if (left < 1) return quiesce(ply, true);
        Score best = position.in_check() ? Score::mated_in(ply) : Score::draw();
        bool any = false;
        const MoveList moves = legal_moves(position);
        const double half_moves = std::log(moves.size()) / std::log(cost_.threshold_base);
        if (half_moves > 1) return std::nullopt;  // may be searched twice
        const double price = cost_.by_probability() ? std::max(0.25, std::round(64 * half_moves) / 64) : 1;
        for (const Move move : moves) {
            line_.push(move);
            const auto score = search(left - price, ply + 1);
            line_.pop();
            if (!score) return std::nullopt;
            best = any ? std::max(best, -*score) : -*score;
            any = true;
        }
        return best;
    }

  private:
    std::optional<Score> quiesce(int ply, bool first) {
        const Position position = line_.current();
        if (position.in_check()) return std::nullopt;
        if (line_.is_repetition_in_search(0) || position.has_insufficient_material()) return Score::draw();
        Score best = HashEvaluator().value(position);
        for (const Move move : legal_moves(position)) {
            if (first && position.after(move).in_check()) return std::nullopt;
            if (!position.is_noisy(move)) continue;
            line_.push(move);
            const auto score = quiesce(ply + 1, false);
            line_.pop();
            if (!score) return std::nullopt;
            best = std::max(best, -*score);
        }
        return best;
    }

    Line line_;
    const CostOptions cost_;
};

std::optional<Position> random_pawn_ending(base::Random& random) {
    Setup setup;
    setup.board[random.below(64)] = make_piece(White, King);
    setup.board[random.below(64)] = make_piece(Black, King);
    for (const Color color : kColors)
        for (int pawn = 0; pawn < 4; ++pawn) setup.board[8 + random.below(48)] = make_piece(color, Pawn);
    setup.side_to_move = random.below(2) == 0 ? White : Black;
    auto position = Position::from_setup(setup);
    if (!position || !has_legal_move(*position)) return std::nullopt;
    return *position;
}

Score score_by(RootSearch root_search, int convergence, const Position& position, int depth,
               const CostOptions& cost = {}) {
    AlphaBetaOptions options;
    options.cost = cost;
    options.root_search = root_search;
    options.convergence = convergence;
    Table table(1);
    Worker<HashEvaluator> worker(HashEvaluator(), table, options, 0);
    Limits limits;
    limits.limits.emplace_back(DepthLimit{depth});
    SharedSearch shared(limits, {}, 1);
    std::vector<RootMove> moves;
    for (const Move move : allowed_moves(position, limits)) moves.emplace_back(move);
    Silence silent;
    worker.run(shared, Line(position), moves, silent);
    EXPECT_EQ(worker.root_moves().front().bound, Bound::Exact);
    return worker.root_moves().front().score;
}

TEST(Mtdf, HasTheMinimaxValueWhereNothingIsPruned) {
    base::Random random(3);
    int compared = 0;
    std::array<int, 4> values{};
    constexpr int kPositions = tests::kSanitized ? 80 : 400;
    while (compared < kPositions) {
        const auto position = random_pawn_ending(random);
        if (!position) continue;
        const int depth = 1 + static_cast<int>(random.below(2));
        const auto truth = Minimax(*position, {}).search(depth);
        if (!truth) continue;
        ++compared;
        if (!truth->is_decisive()) ++values.at(static_cast<std::size_t>(truth->value() + 1));
        EXPECT_EQ(score_by(RootSearch::Mtdf, 0, *position, depth), *truth) << to_fen(*position);
        EXPECT_EQ(score_by(RootSearch::PrincipalVariation, 0, *position, depth), *truth) << to_fen(*position);
        const Score near = score_by(RootSearch::Mtdf, 2, *position, depth);
        EXPECT_LE(near, *truth) << to_fen(*position);
        EXPECT_GE(near + 2, *truth) << to_fen(*position);
    }
    // The values are not all the same, or there would be nothing to find.
    EXPECT_GE(std::ranges::count_if(values, [](int count) { return count >= kPositions / 20; }), 2);
}

// Under probability the tree is another, and as exactly searched.
TEST(Mtdf, HasTheMinimaxValueUnderProbability) {
    base::Random random(4);
    int compared = 0, unlike_depth = 0;
    while (compared < (tests::kSanitized ? 50 : 200)) {
        const auto position = random_pawn_ending(random);
        if (!position) continue;
        CostOptions cost;
        cost.kind = CostKind::Probability;
        cost.threshold_base = 60.0 + static_cast<double>(random.below(40));
        constexpr int kDepth = 2;
        const auto truth = Minimax(*position, cost).search(kDepth);
        if (!truth) continue;
        ++compared;
        EXPECT_EQ(score_by(RootSearch::Mtdf, 0, *position, kDepth, cost), *truth) << to_fen(*position);
        EXPECT_EQ(score_by(RootSearch::PrincipalVariation, 0, *position, kDepth, cost), *truth)
            << to_fen(*position);
        unlike_depth += score_by(RootSearch::Mtdf, 0, *position, kDepth) != *truth;
    }
    EXPECT_GT(unlike_depth, tests::kSanitized ? 0 : 3);
}

// Beside a winning move, one that the endgame tables call drawn has its score from them: no line needs to be
// looked for that leads to it.
TEST(Mtdf, EachMoveIsSettledByItsOwnTablebaseScore) {
    AlphaBetaOptions options;
    options.root_search = RootSearch::Mtdf;
    options.exact_leaves = true;
    Table table(1);
    Worker<HashEvaluator> worker(HashEvaluator(), table, options, 0);
    Limits limits;
    limits.limits.emplace_back(DepthLimit{2});
    limits.multi_pv = 6;
    SharedSearch shared(limits, {}, 1);
    const Position position = parse_fen("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1").value();
    std::vector<RootMove> moves;
    for (const Move move : allowed_moves(position, limits)) {
        moves.emplace_back(move);
        moves.back().tablebase_score = Score::draw();
    }
    ASSERT_GE(moves.size(), 4U);
    moves.front().tablebase_rank = 1;
    moves.front().tablebase_score = Score::tablebase_win(1);
    Silence silent;
    worker.run(shared, Line(position), moves, silent);
    int unlike_the_leaf = 0;
    for (const RootMove& root : worker.root_moves()) {
        ASSERT_TRUE(root.has_score());
        EXPECT_TRUE(worker.has_settled_leaf(root));
        unlike_the_leaf += root.latest() != *root.tablebase_score;
    }
    EXPECT_GE(unlike_the_leaf, 2);
}

// In the learning mode every score is its leaf's, wherever the search is stopped: an iteration that has found
// nothing better whose line leads to its score gives way to the one before.
TEST(Mtdf, HasExactLeavesWhereverItIsStopped) {
    const auto network =
        std::make_shared<const nets::Network>(*nets::parse_network(nets::default_network_file()));
    AlphaBetaOptions options;
    options.root_search = RootSearch::Mtdf;
    options.exact_leaves = true;
    Silence silent;
    int exact = 0;
    for (const int convergence : {0, 19})
        for (const char* fen : {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"}) {
            options.convergence = convergence;
            for (std::uint64_t nodes = 1'000; nodes < 30'000;
                 nodes = nodes * (tests::kSanitized ? 18 : 9) / 8) {
                Table table(1);
                const auto search = make_alpha_beta(network, table, options).value();
                Limits limits;
                limits.limits.emplace_back(NodeLimit{nodes});
                const Line line(parse_fen(fen).value());
                const auto result = search->run(line, limits, {}, silent);
                ASSERT_NE(result.leaf_kind, LeafKind::CutShort) << fen << ", " << nodes;
                EXPECT_EQ(result.best, result.principal_variation.front());
                EXPECT_EQ(result.counters.nodes, nodes);
                if (result.leaf_kind != LeafKind::Exact) continue;
                ++exact;
                const PovScore leaf(nets::evaluate_plainly(*network, result.leaf),
                                    result.leaf.side_to_move());
                EXPECT_EQ(leaf.from(line.current().side_to_move()), result.score) << fen << ", " << nodes;
            }
        }
    EXPECT_GT(exact, tests::kSanitized ? 12 : 100);
}

}  // namespace
}  // namespace scholar::search
