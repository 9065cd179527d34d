#include "search/mcts/quiet_value.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "chess/exchange.hpp"
#include "chess/fen.hpp"
#include "search/bench_positions.hpp"

namespace scholar::search::mcts {
namespace {

using namespace chess;

constexpr nets::PieceValues kShannon{100, 300, 300, 500, 900, 0};

// Counts pieces. It knows where it stands, so that a path that is not followed is noticed.
class Counter {
  public:
    void reset(const Position& position) { path_ = {position.key()}; }
    void push(const Position& before, Move move) {
        EXPECT_EQ(path_.back(), before.key());
        path_.push_back(before.after(move).key());
    }
    void push_null(const Position& /*before*/) { ADD_FAILURE(); }
    void pop() { path_.pop_back(); }
    Score value(const Position& position) {
        EXPECT_EQ(path_.back(), position.key());
        int sum = 0;
        for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen}) {
            const Color side = position.side_to_move();
            sum += kShannon[kind] *
                   (popcount(position.pieces(side, kind)) - popcount(position.pieces(~side, kind)));
        }
        return Score(sum);
    }
    const nets::PieceValues& piece_values() const { return kShannon; }

  private:
    std::vector<std::uint64_t> path_;
};
static_assert(evaluators::LeafEvaluator<Counter>);

// The same by plain alpha-beta, which leaves nothing out and has no order.
Score plain(const Position& position, Score alpha, Score beta, int ply) {
    Counter counter;
    counter.reset(position);
    if (ply > 0 && position.has_insufficient_material()) return Score::draw();
    const bool in_check = position.in_check();
    if (ply >= 12) return counter.value(position);
    Score best = in_check ? Score::mated_in(ply) : counter.value(position);
    for (const Move move : legal_moves(position, in_check ? MoveSet::All : MoveSet::Noisy)) {
        if (best >= beta) break;
        if (in_check || exchange_wins(position, move, 0, kShannon))
            best = std::max(best, -plain(position.after(move), -beta, -std::max(alpha, best), ply + 1));
    }
    return best;
}

Score quiet_value(const char* fen) {
    QuietValue<Counter> value{Counter()};
    return value.of(parse_fen(fen).value());
}

TEST(QuietValue, EndsWhatHasBegun) {
    // Nothing to take.
    EXPECT_EQ(quiet_value("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Score(100));
    // A queen that hangs, for either side; a pawn that is defended.
    EXPECT_EQ(quiet_value("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), Score(100));
    EXPECT_EQ(quiet_value("4k3/8/8/3q4/4P3/8/8/4K3 b - - 0 1"), Score(900));
    EXPECT_EQ(quiet_value("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1"), Score(700));
    // A promotion.
    EXPECT_EQ(quiet_value("8/P6k/8/8/8/8/8/K7 w - - 0 1"), Score(900));
    // In check nobody may stand still: a queen is lost for a knight, a rook is taken, and nothing helps.
    EXPECT_EQ(quiet_value("7k/8/8/8/8/2n5/8/1K1Q4 w - - 0 1"), Score(0));
    EXPECT_EQ(quiet_value("6k1/5ppp/8/8/8/8/8/3rK3 w - - 0 1"), Score(-300));
    EXPECT_EQ(quiet_value("6k1/8/8/8/8/8/3PPP2/2r1K3 w - - 0 1"), Score::mated_in(0));
    // A capture that mates; one after which nobody can win.
    EXPECT_EQ(quiet_value("6k1/5ppp/8/8/8/8/8/K2Qr3 w - - 0 1"), Score(900 - 300));
    EXPECT_EQ(quiet_value("3r2k1/3R1ppp/8/8/8/8/8/K2R4 w - - 0 1"), Score::mate_in(1));
    EXPECT_EQ(quiet_value("7k/8/8/8/8/8/p7/K7 w - - 0 1"), Score(0));
}

TEST(QuietValue, EndsWhereEverybodyTakesEverybody) {
    // Without a limit of nodes this takes for ever.
    const char* const queens = "qqq4k/8/QQQ5/qqq5/QQQ5/qqq5/QQQ5/7K w - - 0 1";
    const Position position = parse_fen(queens).value();
    QuietValue<Counter> value{Counter()};
    EXPECT_FALSE(value.of(position).is_loss());
}

TEST(QuietValue, IsThatOfPlainAlphaBeta) {
    base::Random random(1, 1);
    int changed = 0;
    for (const std::string_view fen : bench_positions())
        for (int game = 0; game < 8; ++game) {
            Position position = parse_fen(fen).value();
            for (int ply = 0; ply < 12; ++ply) {
                const MoveList moves = legal_moves(position);
                if (moves.empty()) break;
                position.make(
                    moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
                // What the rules end, nobody asks of.
                if (!has_legal_move(position)) break;
                QuietValue<Counter> value{Counter()};
                Counter counter;
                counter.reset(position);
                const Score found = value.of(position);
                ASSERT_EQ(found, plain(position, -Score::infinite(), Score::infinite(), 0))
                    << to_fen(position);
                changed += found != counter.value(position);
            }
        }
    EXPECT_GT(changed, 400);
}

}  // namespace
}  // namespace scholar::search::mcts
