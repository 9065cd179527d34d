// Policies in two steps.

#include "nets/conv/square_policy.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"

namespace scholar::nets {
namespace {

std::vector<SquareMove> moves_of(const std::string& fen) {
    const auto parsed = chess::parse_fen(fen);
    EXPECT_TRUE(parsed) << fen;
    const chess::Position position = parsed ? *parsed : chess::Position();
    std::vector<SquareMove> moves;
    for (const chess::Move move : chess::legal_moves(position))
        moves.push_back(square_move(move, position.side_to_move()));
    return moves;
}

TEST(SquarePolicy, SeesMovesFromTheMover) {
    const SquareMove jump = square_move(chess::Move(chess::E7, chess::E5), chess::Black);
    EXPECT_EQ(jump.from, chess::E2);
    EXPECT_EQ(jump.to, chess::E4);
    EXPECT_EQ(jump.promotion, 0);
    // The king goes to where he comes to stand, and not to his rook.
    const chess::Move castling(chess::E8, chess::A8, chess::Move::Castling);
    EXPECT_EQ(square_move(castling, chess::Black).to, chess::C1);
    // In Chess960 he may be there already, or next to it: no other move of his goes to his rook.
    EXPECT_EQ(square_move(chess::Move(chess::F1, chess::H1, chess::Move::Castling), chess::White).to,
              chess::H1);
    const SquareMove to_rook =
        square_move(chess::Move::promotion(chess::B7, chess::A8, chess::Rook), chess::White);
    EXPECT_EQ(to_rook.promotion, 3);
    EXPECT_EQ(square_move_index(to_rook), (3 * 64 + chess::B7) * 64 + chess::A8);
}

TEST(SquarePolicy, AddsSourceAndTarget) {
    std::vector<float> source(64);
    std::vector<float> target(64);
    source[chess::E7] = 2;
    target[chess::E8] = 0.5F;
    const auto logit = [&](chess::Move move) {
        return source_target_logit(source, target, square_move(move, chess::White));
    };
    EXPECT_EQ(logit(chess::Move(chess::E7, chess::E8)), 2.5F);
    EXPECT_EQ(logit(chess::Move(chess::E7, chess::D8)), 2);
    EXPECT_EQ(logit(chess::Move(chess::D7, chess::E8)), 0.5F);
    EXPECT_EQ(logit(chess::Move::promotion(chess::E7, chess::E8, chess::Queen)), 2.5F);
    for (const chess::PieceKind kind : {chess::Knight, chess::Bishop, chess::Rook})
        EXPECT_EQ(logit(chess::Move::promotion(chess::E7, chess::E8, kind)), -3.5F);
}

// By the definition, with sums over all legal moves: P(from) · P(to | from) · P(promotion).
TEST(SquarePolicy, DividesEachStepAmongWhatIsLegal) {
    base::Random random(4);
    std::vector<float> logits(kSquarePolicySize);
    for (float& logit : logits) logit = static_cast<float>(6 * random.unit() - 3);
    for (const char* fen :
         {"r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/1PPBBPPP/R3K2R w KQkq - 0 1",
          "8/P6k/8/8/8/8/5p2/K7 w - - 0 1", "8/P6k/8/8/8/8/5p2/K7 b - - 0 1",
          "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}) {
        const std::vector<SquareMove> moves = moves_of(fen);
        const std::vector<float> found =
            two_step_probabilities([&](int place) { return logits[static_cast<std::size_t>(place)]; }, moves);
        const auto weight = [&](int place) { return std::exp(logits[static_cast<std::size_t>(place)]); };
        double sum = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            double of_from = 0;
            double of_to = 0;
            std::array<bool, 64> from_seen{};
            std::array<bool, 64> to_seen{};
            for (const SquareMove& other : moves) {
                if (!std::exchange(from_seen[static_cast<std::size_t>(other.from)], true))
                    of_from += weight(from_place(other.from));
                if (other.from == moves[i].from &&
                    !std::exchange(to_seen[static_cast<std::size_t>(other.to)], true))
                    of_to += weight(to_place(other.from, other.to));
            }
            double promotion = 1;
            if (moves[i].promotion > 0) {
                const int file = moves[i].to % 8;
                double all = 1;
                for (int kind = 0; kind < 3; ++kind) all += weight(underpromotion_place(kind, file));
                promotion =
                    (moves[i].promotion == 4 ? 1
                                             : weight(underpromotion_place(moves[i].promotion - 1, file))) /
                    all;
            }
            const double expected = weight(from_place(moves[i].from)) / of_from *
                                    weight(to_place(moves[i].from, moves[i].to)) / of_to * promotion;
            EXPECT_NEAR(found[i], expected, 1e-5);
            sum += found[i];
        }
        EXPECT_NEAR(sum, 1, 1e-5);
    }
}

}  // namespace
}  // namespace scholar::nets
