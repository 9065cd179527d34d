#include "engine/strength.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "engine/engine.hpp"
#include "support/test_data.hpp"

namespace scholar::engine {
namespace {

using namespace chess;

// Legal, White to move, and no piece hangs at once to make it a draw.
Position random_mate_position(PieceKind kind, base::Random& random) {
    while (true) {
        Setup setup;
        const auto square = [&] { return static_cast<Square>(random.below(64)); };
        setup.board[square()] = make_piece(White, King);
        setup.board[square()] = make_piece(Black, King);
        setup.board[square()] = make_piece(White, kind);
        const auto position = Position::from_setup(setup);
        if (position && std::popcount(position->occupied()) == 3 &&
            !position->is_attacked(lowest(position->pieces(kind)), Black, position->occupied()) &&
            has_legal_move(*position))
            return *position;
    }
}

// The weakest player of all against the best defence there is, by endgame tables: it mates, and within the
// fifty moves. This by the solved ending.
TEST(Strength, TheWeakestStillMates) {
    const auto tables = tablebases::Tablebases::open(tests::test_data("syzygy").string());
    ASSERT_TRUE(tables) << tables.error().message;
    const auto engine = std::move(*Engine::create());
    ASSERT_TRUE(engine->set_option("UCI_LimitStrength", "true"));
    ASSERT_TRUE(engine->set_option("UCI_Elo", std::to_string(weakest_elo())));
    search::Observer silent;
    base::Random random(11);
    for (const PieceKind kind : {Queen, Rook}) {
        for (int i = 0; i < (tests::kSanitized ? 2 : 8); ++i) {
            Line line(random_mate_position(kind, random));
            engine->new_game();
            while (line.terminal() == Terminal::None) {
                Move move;
                if (line.current().side_to_move() == White) {
                    engine->set_line(line);
                    move =
                        engine
                            ->search({{search::MoveTimeLimit{search::Milliseconds(60'000)}}, {}, {}}, silent)
                            .best;
                } else {
                    move = tables->probe_root(line)->moves.front().move;
                }
                line.push(move);
            }
            EXPECT_EQ(line.terminal(), Terminal::Checkmate) << i << " after " << line.ply() << " half-moves";
        }
    }
}

// And by its search, where no ending is solved, against a king that runs about. With its errors it would take
// twice the forty moves that it gets here.
TEST(Strength, TheWeakestStillMatesBySearch) {
    const auto engine = std::move(*Engine::create());
    ASSERT_TRUE(engine->set_option("UCI_LimitStrength", "true"));
    ASSERT_TRUE(engine->set_option("UCI_Elo", std::to_string(weakest_elo())));
    ASSERT_TRUE(engine->set_option("Seed", "1"));
    search::Observer silent;
    base::Random random(13);
    for (const char* fen : {"8/8/8/4k3/8/8/P7/KQ6 w - - 0 1", "8/8/8/4k3/8/8/PPP5/KR6 w - - 0 1",
                            "8/8/8/4k3/8/8/PP6/K7 w - - 0 1"}) {
        Line line(*parse_fen(fen));
        engine->new_game();
        while (line.terminal() == Terminal::None && line.ply() < 80) {
            Move move;
            if (line.current().side_to_move() == White) {
                engine->set_line(line);
                const auto result =
                    engine->search({{search::MoveTimeLimit{search::Milliseconds(60'000)}}, {}, {}}, silent);
                EXPECT_GT(result.counters.nodes, 1U);  // it searched
                move = result.best;
            } else {
                const auto replies = legal_moves(line.current());
                move = replies.begin()[random.below(replies.size())];
            }
            line.push(move);
        }
        EXPECT_EQ(line.terminal(), Terminal::Checkmate) << fen << " after " << line.ply() << " half-moves";
    }
}

// The longest mates are known: with the queen in 10 moves, with the rook in 16; and so are, by the tables,
// which positions are won at all.
TEST(LoneKing, IsSolved) {
    const auto tables = tablebases::Tablebases::open(tests::test_data("syzygy").string());
    ASSERT_TRUE(tables) << tables.error().message;
    base::Random random(12);
    for (const auto& [kind, longest] : {std::pair{Queen, 19}, std::pair{Rook, 31}}) {
        const LoneKingEnding ending(kind);
        int most = 0;
        for (int index = 0; index < 64 * 64 * 64; ++index) {
            chess::Setup setup;
            const Color strong = random.below(2) == 0 ? White : Black;
            setup.side_to_move = random.below(4) == 0 ? ~strong : strong;
            setup.board[static_cast<std::size_t>(index / 4096)] = make_piece(strong, King);
            setup.board[static_cast<std::size_t>(index / 64 % 64)] = make_piece(strong, kind);
            setup.board[static_cast<std::size_t>(index % 64)] = make_piece(~strong, King);
            const auto position = Position::from_setup(setup);
            if (!position || std::popcount(position->occupied()) != 3) continue;
            const auto plies = ending.plies_to_mate(*position);
            if (plies && position->side_to_move() == strong) most = std::max(most, *plies);
            if (plies) {
                ASSERT_EQ(*plies % 2 == 1, position->side_to_move() == strong);
            }
            if (index % 5 != 0) continue;
            const auto outcome = tables->probe_wdl(*position);
            ASSERT_TRUE(outcome);
            const bool won = *outcome == tablebases::Outcome::Win || *outcome == tablebases::Outcome::Loss;
            ASSERT_EQ(plies.has_value(), won);
        }
        EXPECT_EQ(most, longest);
    }
}

}  // namespace
}  // namespace scholar::engine
