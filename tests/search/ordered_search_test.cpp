// The search that compares positions, by an order that is secretly a number: against the naive search by that
// number, whose scores are minimax's.

#include "search/ordered/ordered_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/mirror.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "search/alpha_beta/naive_search.hpp"
#include "search/bench_positions.hpp"
#include "search/ordered/position_order.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;

class OrderedSearches : public testing::Test {
  protected:
    SearchResult run(Search& search, const Line& line, const Limit& limit) {
        return search.run(line, Limits{{limit}, {}, {}}, {}, silent_);
    }
    std::unique_ptr<OrderedSearch> ordered(bool plain) {
        return make_ordered_search(order_, {.megabytes = 4, .plain = plain}).value();
    }
    // Of where the line ends, for the root's side.
    Score value_of(const SearchResult& result, Color side) {
        if (result.score) return *result.score;
        return PovScore(*network_.evaluate(result.leaf), result.leaf.side_to_move()).from(side);
    }

    const nets::AnyNetwork network_ = *nets::open_network("<embedded>");
    const nets::AnyNetwork order_ = *nets::open_network("<order:<embedded>>");
    Silence silent_;
};

// Few pieces, or quiescence without bounds would have no end.
std::optional<Position> some_ending(base::Random& random) {
    Setup setup;
    setup.board[random.below(64)] = make_piece(White, King);
    setup.board[random.below(64)] = make_piece(Black, King);
    constexpr std::array pieces{Knight, Bishop, Rook, Queen};
    for (const Color color : kColors) {
        setup.board[random.below(64)] = make_piece(color, pieces.at(random.below(4)));
        setup.board[8 + random.below(48)] = make_piece(color, Pawn);
    }
    setup.side_to_move = random.below(2) == 0 ? White : Black;
    auto position = Position::from_setup(setup);
    if (!position || !has_legal_move(*position)) return std::nullopt;
    return *position;
}

TEST_F(OrderedSearches, FindWhatMinimaxFinds) {
    base::Random random(8);
    std::vector<Position> positions;
    for (const char* fen : {"6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", "8/8/8/8/8/5k2/7q/5K2 b - - 0 1",
                            "7k/R7/6K1/8/8/8/8/8 b - - 0 1"})
        positions.push_back(*parse_fen(fen));
    while (positions.size() < (tests::kSanitized ? 10U : 40U))
        if (const auto position = some_ending(random)) positions.push_back(*position);
    int decided = 0;
    const auto plain = ordered(true);
    const auto naive = make_naive_search(network_).value();
    for (const Position& position : positions)
        for (int depth = 1; depth <= 3; ++depth) {
            plain->new_game();
            const SearchResult found = run(*plain, Line(position), DepthLimit{depth});
            const SearchResult wanted = run(*naive, Line(position), DepthLimit{depth});
            ASSERT_EQ(value_of(found, position.side_to_move()), *wanted.score)
                << to_fen(position) << ", depth " << depth;
            ASSERT_EQ(found.counters.depth, depth);
            decided += found.score.has_value();
        }
    EXPECT_GT(decided, 3);
}

TEST_F(OrderedSearches, FindMates) {
    const auto search = ordered(false);
    int found = 0;
    // Mates in two from suites/mates.epd.
    for (const char* fen :
         {"2brrb2/8/p7/7Q/1p1kpPp1/1P1pN1K1/3P4/8 w - - 0 1", "3R4/8/8/2p3K1/2p5/5B2/R1pPNB2/1b1k4 w - - 0 1",
          "6rk/PP1PPPnp/1N1BN2P/7R/4B3/2Q5/P3KP2/6R1 w - - 0 1"}) {
        const SearchResult result = run(*search, Line(*parse_fen(fen)), DepthLimit{4});
        found += result.score && result.score->is_mate() && result.score->is_win();
        if (result.score && result.score->is_mate()) {
            Line line(*parse_fen(fen));
            for (const Move move : result.principal_variation) line.push(move);
            EXPECT_EQ(line.terminal(), Terminal::Checkmate);
            EXPECT_EQ(result.leaf_kind, LeafKind::Mate);
        }
    }
    EXPECT_EQ(found, 3);
}

TEST_F(OrderedSearches, ComparesFarLessThanThePlainOne) {
    std::array<std::uint64_t, 2> comparisons{};
    for (const bool plain : {false, true}) {
        const auto search = ordered(plain);
        run(*search, Line(*parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")),
            DepthLimit{3});
        comparisons.at(plain) = search->counts().comparisons;
        EXPECT_GT(search->counts().triples, 0U);
        EXPECT_EQ(search->counts().cycles, 0U) << "numbers have none";
    }
    EXPECT_LT(2 * comparisons[0], comparisons[1]);
}

TEST_F(OrderedSearches, HaveAMoveWheneverTheyAreStopped) {
    const auto search = ordered(false);
    for (const std::string_view fen : bench_positions()) {
        const Line line(*parse_fen(fen));
        const auto moves = legal_moves(line.current());
        for (const std::uint64_t nodes : {1, 50, 1'000}) {
            const SearchResult result = run(*search, line, NodeLimit{nodes});
            ASSERT_NE(std::ranges::find(moves, result.best), moves.end()) << fen;
            ASSERT_LE(result.counters.nodes, nodes + 1);
        }
    }
}

// Stone, scissors, paper.
class Circular final : public evaluators::Comparator {
  public:
    std::unique_ptr<Comparator> copy() const override { return std::make_unique<Circular>(); }
    void embed(const Position& position, evaluators::Embedding& out) override {
        out.assign(1, static_cast<float>(position.key() % 3));
    }
    bool prefers(const evaluators::Embedding& a, const evaluators::Embedding& b) override {
        const int difference = static_cast<int>(a.front()) - static_cast<int>(b.front());
        return difference == 1 || difference == -2;
    }
};

TEST_F(OrderedSearches, CountsCycles) {
    const auto search = make_ordered_search(std::make_unique<Circular>());
    const SearchResult result = run(*search, Line(), DepthLimit{7});
    EXPECT_EQ(result.counters.depth, 7);
    const OrderCounts& counts = search->counts();
    ASSERT_GT(counts.triples, 50U);
    // Of three that are drawn at random 6 of 27 are all different, and each of those goes round.
    const double share = static_cast<double>(counts.cycles) / static_cast<double>(counts.triples);
    EXPECT_NEAR(share, 6.0 / 27, 4 * std::sqrt(6.0 / 27 * 21 / 27 / static_cast<double>(counts.triples)));
}

TEST(PositionOrderTest, IsAsTheNumbersAre) {
    const nets::AnyNetwork network = *nets::open_network("<embedded>");
    PositionOrder order(evaluators::make_comparator(*nets::open_network("<order:<embedded>>")).value(),
                        1 << 16);
    base::Random random(2);
    struct Valued {
        Standing standing;
        int white;
    };
    std::vector<Valued> all{{Standing(), 0},
                            {Standing::of(Score::mate_in(3)), Score::mate_in(3).value()},
                            {Standing::of(Score::mate_in(5)), Score::mate_in(5).value()},
                            {Standing::of(Score::mated_in(2)), Score::mated_in(2).value()},
                            {Standing::worst(White), -Score::infinite().value()},
                            {Standing::worst(Black), Score::infinite().value()}};
    while (all.size() < 60) {
        const auto position = some_ending(random);
        if (!position) continue;
        const PovScore value(*network.evaluate(*position), position->side_to_move());
        all.push_back({Standing(order.embedded(*position)), value.white().value()});
        // What a draw is compared by.
        const Position other = mirrored(*position);
        ASSERT_EQ(PovScore(*network.evaluate(other), other.side_to_move()).white().value(),
                  -all.back().white);
    }
    for (const Valued& a : all)
        for (const Valued& b : all) {
            ASSERT_EQ(order.is_better(a.standing, b.standing), a.white > b.white)
                << a.white << " " << b.white;
            ASSERT_EQ(order.is_better_for(Black, a.standing, b.standing), a.white < b.white);
        }
}

}  // namespace
}  // namespace scholar::search
