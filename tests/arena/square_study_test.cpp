#include "arena/square_study.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "chess/movegen.hpp"
#include "set_maker.hpp"

namespace scholar::arena {
namespace {

using nets::ChessNetRole;

// Answers each question with the same logits in every position: `step` times the square, as the mover sees
// it.
std::shared_ptr<const nets::ChessNets> constant_nets(float step, bool piece_layer) {
    nets::ChessNetShape shape;
    shape.filters = {16};
    shape.units = 16;
    shape.piece_layer = piece_layer;
    auto networks = std::make_shared<nets::ChessNets>(nets::empty_chess_nets(
        shape, std::vector<ChessNetRole>(nets::kChessNetRoles.begin(), nets::kChessNetRoles.end() - 1)));
    for (auto& network : networks->by_role)
        if (network)
            for (std::size_t square = 0; square < network->output.bias.size(); ++square)
                network->output.bias[square] = step * static_cast<float>(square);
    return networks;
}

// e^(step · square) over their sum.
double chance_of(int square, double step) {
    double sum = 0;
    for (int i = 0; i < 64; ++i) sum += std::exp(step * i);
    return std::exp(step * square) / sum;
}

TEST(SquareStudy, IsWhatIsReckonedByHand) {
    SetMaker maker;
    maker.add({"e4", "Nf6", "Nc3"}, {2000, 2000});
    const auto study = study_squares(maker.set(), constant_nets(0.25F, false), {});
    ASSERT_TRUE(study) << study.error().message;

    // e2, for Black g8, which he sees where White sees g1, and b1. Before e2 of own men: f2, g2, h2; before
    // g1: h1 and eight pawns; before b1: e4, seven pawns, c1 to h1.
    const SquareScore& piece = study->of(ChessNetRole::Piece);
    EXPECT_EQ(piece.positions, 3);
    EXPECT_NEAR(piece.rank_unmasked, ((64 - 12) + (64 - 6) + (64 - 1)) / 3.0, 1e-9);
    EXPECT_NEAR(piece.rank_masked, (4 + 10 + 15) / 3.0, 1e-9);
    EXPECT_NEAR(piece.masked[2], 1 / 3.0, 1e-9);  // in 5
    EXPECT_NEAR(piece.masked[3], 2 / 3.0, 1e-9);  // in 10
    EXPECT_EQ(piece.unmasked[3], 0);
    EXPECT_EQ(piece.illegal, 1);  // h8 is the likeliest
    EXPECT_NEAR(piece.largest_distance, chance_of(63, 0.25), 1e-6);

    // b1 to c3: both knights reach a3, c3, f3, h3, and the one on g1 e2.
    const SquareScore& knight = study->of(ChessNetRole::Knight);
    EXPECT_EQ(knight.positions, 2);
    double squares = 0;
    for (int square = 0; square < 64; ++square)
        if (square != 16 && square != 18 && square != 21 && square != 23 && square != 12)
            squares += std::pow(chance_of(square, 0.25), 2);
    double first = squares + std::pow(chance_of(12, 0.25), 2);  // of Black nobody has made room on e2
    EXPECT_NEAR(knight.squared_distance, (squares + first) / 2, 1e-6);
    // h3, and for c3 also f3.
    EXPECT_NEAR(knight.rank_masked, (2 + 3) / 2.0, 1e-9);
    EXPECT_EQ(study->of(ChessNetRole::Queen).positions, 0);
}

TEST(SquareStudy, FirstChoicesWithoutMasks) {
    SetMaker maker;
    maker.add({"e4", "Nf6", "Nc3"});
    // Of all own men the likeliest is the last, and h8 the likeliest to be reached; or a1 from a1.
    for (const float step : {0.25F, -0.25F}) {
        const auto choices = study_first_choices(maker.set(), 100, constant_nets(step, false), {});
        ASSERT_TRUE(choices) << choices.error().message;
        EXPECT_EQ(choices->positions, 3);
        EXPECT_EQ(choices->illegal, 3);
    }
    // The e pawn to e4, for Black to e5.
    auto networks = std::make_shared<nets::ChessNets>(*constant_nets(0, false));
    networks->of(ChessNetRole::Piece)->output.bias[12] = 5;
    networks->of(ChessNetRole::Pawn)->output.bias[28] = 5;
    const auto choices = study_first_choices(maker.set(), 2, networks, {});
    ASSERT_TRUE(choices) << choices.error().message;
    EXPECT_EQ(choices->positions, 2);
    EXPECT_EQ(choices->illegal, 0);
}

TEST(SquareStudy, WithTheLayerOfThePieceOnlyThatManMayMove) {
    SetMaker maker;
    maker.add({"e4", "Nf6", "Nc3"});
    const auto study = study_squares(maker.set(), constant_nets(0.25F, true), {});
    ASSERT_TRUE(study) << study.error().message;
    // g8 goes to f6 or h6; b1 to a3 or c3.
    EXPECT_NEAR(study->of(ChessNetRole::Knight).rank_masked, (2 + 1) / 2.0, 1e-9);
}

// Gives each legal move a chance that depends on its bits.
class BitsPolicy final : public evaluators::BatchEvaluator {
  public:
    static float chance(chess::Move move, float sum) { return weight(move) / sum; }
    // No two sums of them are the same.
    static float weight(chess::Move move) {
        std::uint64_t state = move.bits();
        return static_cast<float>(1 + (base::split_mix(state) >> 44));
    }
    static float sum(const chess::MoveList& moves) {
        float all = 0;
        for (const chess::Move move : moves) all += weight(move);
        return all;
    }

    nets::Abilities abilities() const override { return {nets::Ability::Policy}; }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return 7; }
    void submit(const chess::Line&, const chess::MoveList& moves) override {
        auto& opinion = waiting_.emplace_back();
        for (const chess::Move move : moves) opinion.probabilities.push_back(chance(move, sum(moves)));
    }
    base::Status collect(std::vector<evaluators::Opinion>& opinions) override {
        opinions = std::exchange(waiting_, {});
        return {};
    }

  private:
    std::vector<evaluators::Opinion> waiting_;
};

// Castling is to where the king comes to stand.
int target(chess::Move move) {
    if (!move.is_castling()) return move.to();
    return move.from() + (move.to() > move.from() ? 2 : -2);
}

// The place of a square by sums over moves, reckoned move by move.
int place_of(const chess::MoveList& moves, int played, bool is_left,
             const std::function<bool(chess::Move)>& counts) {
    std::map<int, float> sums;
    const float all = BitsPolicy::sum(moves);
    for (const chess::Move move : moves)
        if (counts(move)) sums[is_left ? move.from() : target(move)] += BitsPolicy::chance(move, all);
    return 1 + static_cast<int>(std::ranges::count_if(
                   sums, [&](const auto& one) { return one.second > sums.at(played); }));
}

TEST(SquareStudy, OfAPolicySumsOverItsMoves) {
    SetMaker maker;
    base::Random random(5, 1);
    for (int i = 0; i < 10; ++i) maker.add_random(random, 60);
    maker.add({"e4", "e5", "Nf3", "Nc6"}, {2'190, 1'510});
    std::vector<int> asked;
    const auto policy_for =
        [&asked](int rating) -> base::Result<std::unique_ptr<evaluators::BatchEvaluator>> {
        asked.push_back(rating);
        return std::make_unique<BitsPolicy>();
    };
    const auto study = study_policy(maker.set(), policy_for, {});
    ASSERT_TRUE(study) << study.error().message;
    EXPECT_EQ(asked, (std::vector{0, 1'500, 2'200})) << "each mover's, to the next fifty";
    double left = 0;
    std::array<double, 6> by_man{};
    std::array<double, 6> by_kind{};
    std::array<std::uint64_t, 6> count{};
    for (const games::HeldOutPosition& position : maker.set().positions) {
        const chess::MoveList moves = chess::legal_moves(position.position);
        const chess::Move played = position.played;
        const auto kind = kind_of(position.position.piece_on(played.from()));
        left += place_of(moves, played.from(), true, [](chess::Move) { return true; });
        by_man.at(kind) += place_of(moves, target(played), false,
                                    [&](chess::Move move) { return move.from() == played.from(); });
        by_kind.at(kind) += place_of(moves, target(played), false, [&](chess::Move move) {
            return kind_of(position.position.piece_on(move.from())) == kind;
        });
        ++count.at(kind);
    }
    const auto all = static_cast<double>(maker.set().positions.size());
    EXPECT_NEAR(study->man_known.of(ChessNetRole::Piece).rank_masked, left / all, 1e-6);
    for (const chess::PieceKind kind : chess::kPieceKinds) {
        const auto number = static_cast<double>(count.at(kind));
        const ChessNetRole role = nets::role_of(kind);
        EXPECT_EQ(study->man_known.of(role).positions, count.at(kind));
        EXPECT_NEAR(study->man_known.of(role).rank_masked, by_man.at(kind) / number, 1e-6);
        EXPECT_NEAR(study->kind_known.of(role).rank_masked, by_kind.at(kind) / number, 1e-6);
        EXPECT_EQ(study->kind_known.of(role).illegal, 0);
    }
}

}  // namespace
}  // namespace scholar::arena
