// What must hold at every node of a tree: the parts of the rules agree with each other.

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "chess/checks.hpp"
#include "chess/fen.hpp"
#include "chess/legality.hpp"
#include "chess/line.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "chess/perft.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "perft_file.hpp"
#include "support/test_data.hpp"

namespace scholar::chess {
namespace {

std::vector<std::uint16_t> sorted_bits(const MoveList& moves) {
    std::vector<std::uint16_t> bits;
    for (const Move move : moves) bits.push_back(move.bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

// The order that the game store's format fixes, written down a second time.
auto format_order(Move move) {
    return std::tuple(move.from(), move.to(), move.is_promotion() ? move.promotion_kind() : Pawn);
}

void expect_generator_agrees(const Position& position) {
    const MoveList all = legal_moves(position);
    ASSERT_EQ(count_legal_moves(position), all.size());
    ASSERT_EQ(has_legal_move(position), !all.empty());

    MoveList parts;
    for (const Move move : legal_moves(position, MoveSet::Noisy)) {
        ASSERT_TRUE(position.is_noisy(move)) << to_uci(move);
        parts.push(move);
    }
    for (const Move move : legal_moves(position, MoveSet::Quiet)) {
        ASSERT_FALSE(position.is_noisy(move)) << to_uci(move);
        parts.push(move);
    }
    const auto bits = sorted_bits(all);
    ASSERT_EQ(sorted_bits(parts), bits);

    // The smaller sets are what filtering gives; each move says the same of itself as the set it is in.
    MoveList captures;
    MoveList quiet_checks;
    const CheckSquares check_squares = find_check_squares(position);
    for (const Move move : all) {
        ASSERT_TRUE(is_legal(position, move)) << to_uci(move);
        const bool check = position.after(move).in_check();
        ASSERT_EQ(gives_check(position, move), check) << to_uci(move);
        ASSERT_EQ(gives_check(position, check_squares, move), check) << to_uci(move);
        if (position.is_capture(move)) captures.push(move);
        if (check && !position.is_noisy(move)) quiet_checks.push(move);
    }
    ASSERT_EQ(sorted_bits(legal_moves(position, MoveSet::Captures)), sorted_bits(captures));
    ASSERT_EQ(sorted_bits(legal_moves(position, MoveSet::QuietChecks)), sorted_bits(quiet_checks));
    ASSERT_EQ(std::adjacent_find(bits.begin(), bits.end()), bits.end()) << "a move twice";
}

void expect_indices_are_in_order(const Position& position) {
    const MoveList all = legal_moves(position);
    std::vector<Move> moves(all.begin(), all.end());
    std::sort(moves.begin(), moves.end(), [](Move a, Move b) { return format_order(a) < format_order(b); });
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto index = move_to_index(position, moves[i]);
        ASSERT_TRUE(index.has_value()) << to_uci(moves[i]);
        ASSERT_EQ(*index, i) << to_uci(moves[i]);
        const auto back = index_to_move(position, static_cast<std::uint8_t>(i));
        ASSERT_TRUE(back.has_value()) << i;
        ASSERT_EQ(back->bits(), moves[i].bits());
    }
    ASSERT_FALSE(index_to_move(position, static_cast<std::uint8_t>(moves.size())).has_value());
}

void expect_state_is_whole(const Position& position) {
    ASSERT_EQ(position.key(), position.fresh_key());
    const auto rebuilt = Position::from_setup(position.setup());
    ASSERT_TRUE(rebuilt.has_value()) << rebuilt.error().message;
    ASSERT_EQ(*rebuilt, position);
    const auto reread = parse_fen(to_fen(position));
    ASSERT_TRUE(reread.has_value()) << reread.error().message;
    ASSERT_EQ(*reread, position);
}

void expect_notation_round_trips(const Position& position) {
    for (const Move move : legal_moves(position)) {
        const std::string san = to_san(position, move);
        const auto from_san = parse_san(position, san);
        ASSERT_TRUE(from_san.has_value()) << from_san.error().message;
        ASSERT_EQ(*from_san, move) << san;
        const auto as960 = parse_uci_move(position, to_uci(move, CastlingNotation::Chess960));
        ASSERT_TRUE(as960.has_value()) << as960.error().message;
        ASSERT_EQ(*as960, move) << san;
        const auto standard = parse_uci_move(position, to_uci(move, CastlingNotation::Standard));
        ASSERT_TRUE(standard.has_value()) << standard.error().message;
        // King e1 to g1 may also be an ordinary move's text only if castling is not one file away.
        ASSERT_EQ(to_uci(*standard), to_uci(move)) << san;
    }
}

// Nodes at full depth get the checks that cost little; those above also the notations of all their moves.
void walk(Line& line, int depth) {
    const Position position = line.current();
    SCOPED_TRACE(to_fen(position));
    expect_generator_agrees(position);
    expect_indices_are_in_order(position);
    expect_state_is_whole(position);
    if (testing::Test::HasFatalFailure() || depth == 0) return;
    expect_notation_round_trips(position);
    if (testing::Test::HasFatalFailure()) return;
    for (const Move move : legal_moves(position)) {
        const bool gives_check = to_san(position, move).find_first_of("+#") != std::string::npos;
        line.push(move);
        ASSERT_EQ(line.current(), position.after(move));
        ASSERT_EQ(line.current().in_check(), gives_check);
        if (!move.is_castling() && line.current().en_passant() == NoSquare && !move.is_en_passant() &&
            line.current().castling_rights() == position.castling_rights()) {
            ASSERT_EQ(position.nearly_key_after(move), line.current().key());
        }
        walk(line, depth - 1);
        line.pop();
        ASSERT_EQ(line.current(), position);
        if (testing::Test::HasFatalFailure()) return;
    }
}

class Walk : public testing::TestWithParam<tests::PerftCase> {};

TEST_P(Walk, EveryNodeAgrees) {
    Line line(GetParam().position);
    walk(line, tests::kSanitized ? 2 : 3);
}

INSTANTIATE_TEST_SUITE_P(Positions, Walk, testing::ValuesIn(tests::shipped_perft_cases()),
                         [](const auto& one) { return tests::test_name(one.param.id); });

TEST(MoveIndex, FollowsTheFormatsOrder) {
    // Start position: knights and pawns by from-square, then to-square.
    const Position start;
    const char* expected[] = {"b1a3", "b1c3", "g1f3", "g1h3", "a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4",
                              "d2d3", "d2d4", "e2e3", "e2e4", "f2f3", "f2f4", "g2g3", "g2g4", "h2h3", "h2h4"};
    for (int i = 0; i < 20; ++i) {
        const auto move = index_to_move(start, static_cast<std::uint8_t>(i));
        ASSERT_TRUE(move.has_value());
        EXPECT_EQ(to_uci(*move), expected[i]);
    }
    EXPECT_FALSE(index_to_move(start, 20).has_value());
    EXPECT_FALSE(index_to_move(start, 255).has_value());
}

TEST(MoveIndex, PromotionsCountKnightToQueen) {
    const Position position = parse_fen("8/P7/8/8/8/8/8/k1K5 w - - 0 1").value();
    // King c1: b1 is beside the black king; c2, d1, d2 and b2's neighbours first, then a7a8 as N, B, R, Q.
    std::vector<std::string> tail;
    for (int i = 0; auto move = index_to_move(position, static_cast<std::uint8_t>(i)); ++i)
        if (move->is_promotion()) tail.push_back(to_uci(*move));
    EXPECT_EQ(tail, (std::vector<std::string>{"a7a8n", "a7a8b", "a7a8r", "a7a8q"}));
}

TEST(MoveIndex, RefusesWhatIsNotLegal) {
    const Position start;
    EXPECT_FALSE(move_to_index(start, Move::none()).has_value());
    EXPECT_FALSE(move_to_index(start, Move(E2, E5)).has_value());
    EXPECT_FALSE(move_to_index(start, Move(E7, E5)).has_value());
    EXPECT_FALSE(move_to_index(start, Move::promotion(E2, E4, Queen)).has_value());
    const Position promoting = parse_fen("8/P7/8/8/8/8/8/k1K5 w - - 0 1").value();
    EXPECT_FALSE(move_to_index(promoting, Move(A7, A8)).has_value());
    // Right squares, wrong kind of move.
    const Position castling = parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").value();
    EXPECT_TRUE(move_to_index(castling, Move(E1, H1, Move::Castling)).has_value());
    EXPECT_FALSE(move_to_index(castling, Move(E1, H1)).has_value());
    const Position en_passant = parse_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").value();
    EXPECT_TRUE(move_to_index(en_passant, Move(E5, D6, Move::EnPassant)).has_value());
    EXPECT_FALSE(move_to_index(en_passant, Move(E5, D6)).has_value());
}

TEST(MoveIndex, TheMostMovesThatAPositionCanHaveFit) {
    // 218 legal moves: N. Petrović, 1964.
    const Position position = parse_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").value();
    EXPECT_EQ(count_legal_moves(position), 218);
    expect_generator_agrees(position);
    expect_indices_are_in_order(position);
    expect_notation_round_trips(position);
}

}  // namespace
}  // namespace scholar::chess
