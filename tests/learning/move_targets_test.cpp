#include "learning/targets/move_targets.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <torch/types.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "learning/conv/plane_tensors.hpp"
#include "learning/conv/policy_logits.hpp"
#include "nets/conv/policy_moves.hpp"

namespace scholar::learning {
namespace {

games::Sample sample_of(const std::string& fen, const std::string& move, float result = 0.5F) {
    games::Sample sample;
    sample.position = *chess::parse_fen(fen);
    if (!move.empty()) sample.move = *chess::parse_uci_move(sample.position, move);
    sample.result = result;
    return sample;
}

int place_in_planes(const chess::Position& position, chess::Move move) {
    return policy_place(nets::PolicyForm::Convolutional, position, move);
}

// Legal are the outputs 3 and 1, whose logits are ln 2 and 0: probabilities 2/3 and 1/3. Output 0 is not
// legal, whatever its logit.
TEST(MoveTargets, LossAndGradientAreThoseWorkedByHand) {
    const at::Tensor logits = torch::tensor({{9.0F, 0.0F, 0.0F, std::log(2.0F)}}).set_requires_grad(true);
    const at::Tensor places = torch::tensor({{3, 1, -1}}, torch::kShort);
    const at::Tensor first = torch::tensor({{1.0F, 0.0F, 0.0F}});
    const at::Tensor loss = move_loss(legal_logits(logits, places), first);
    EXPECT_NEAR(loss.item<float>(), std::log(1.5F), 1e-6);
    loss.backward();
    // p − wanted, where a move is legal; nothing elsewhere.
    EXPECT_TRUE(torch::allclose(logits.grad(), torch::tensor({{0.0F, 1.0F / 3, 0.0F, -1.0F / 3}})))
        << logits.grad();
    // A teacher's half and half: −½ ln(2/3) − ½ ln(1/3).
    const at::Tensor both = torch::tensor({{0.5F, 0.5F, 0.0F}});
    EXPECT_NEAR(move_loss(legal_logits(logits, places), both).item<float>(),
                -(std::log(2.0F / 3) + std::log(1.0F / 3)) / 2, 1e-6);
    // The mean over positions, of which one has nothing to teach.
    const at::Tensor two = move_loss(legal_logits(logits, places).repeat({2, 1}),
                                     torch::tensor({{1.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}}));
    EXPECT_NEAR(two.item<float>(), std::log(1.5F) / 2, 1e-6);
}

TEST(MoveTargets, SharesAmongTheFirstCountEqualLogitsFairly) {
    constexpr float none = -std::numeric_limits<float>::infinity();
    const at::Tensor of_legal = torch::tensor({{1.0F, 3.0F, 2.0F, none}, {5.0F, 5.0F, 5.0F, 5.0F}});
    const at::Tensor wanted = torch::tensor({{0.0F, 0.0F, 1.0F, 0.0F}, {1.0F, 0.0F, 0.0F, 0.0F}});
    // The first stands second; of the other nothing is known: one in four, two in four, …
    EXPECT_DOUBLE_EQ(share_in_first(of_legal, wanted, 1), (0 + 0.25) / 2);
    EXPECT_DOUBLE_EQ(share_in_first(of_legal, wanted, 2), (1 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(share_in_first(of_legal, wanted, 10), 1);
    // Nothing wanted, nothing foretold.
    EXPECT_DOUBLE_EQ(share_in_first(of_legal, torch::zeros({2, 4}), 10), 0);
}

TEST(MoveTargets, PlacesAreThoseOfTheEnginesPlanes) {
    // Black to move, a promotion among the moves: seen from Black, a2–a1 goes from a7 to a8.
    const games::Sample sample = sample_of("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1n");
    const MoveTargets targets = played_moves(std::span(&sample, 1), place_in_planes);
    ASSERT_EQ(targets.places.size(1), chess::kMaxMoves);
    const chess::MoveList moves = chess::legal_moves(sample.position);
    for (int i = 0; i < chess::kMaxMoves; ++i) {
        const int place = targets.places[0][i].item<std::int16_t>();
        const float wanted = targets.wanted[0][i].item<float>();
        if (i >= moves.size()) {
            EXPECT_EQ(place, -1);
            EXPECT_EQ(wanted, 0);
            continue;
        }
        const std::string move = chess::to_uci(moves[i]);
        EXPECT_EQ(wanted, move == "a2a1n" ? 1 : 0) << move;
        // North by one square from a7, which is square 48; to a queen: plane 69, straight on.
        const int plane = move == "a2a1n" ? 0 : 69;
        if (move == "a2a1n" || move == "a2a1q") {
            EXPECT_EQ(place, plane * 64 + 48) << move;
        }
    }
    EXPECT_EQ(targets.wanted.sum().item<float>(), 1);
}

// Against a count by hand of three positions.
TEST(MoveTargets, TheConstantIsTheMostFrequentMoveThatIsLegal) {
    const std::vector<games::Sample> samples{
        sample_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4"),
        sample_of("4k3/8/8/8/8/8/4P3/3K4 w - - 0 1", "e2e4"),
        // Seen from Black this is e2–e3.
        sample_of("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e7e6"),
    };
    const auto targets = played_moves(samples, place_in_planes);
    const at::Tensor constant = frequent_moves(targets, policy_places(nets::PolicyForm::Convolutional));
    ASSERT_EQ(constant.size(0), 1);
    const auto count_of = [&](const char* fen, const char* move) {
        const games::Sample sample = sample_of(fen, move);
        const int place = place_in_planes(sample.position, sample.move);
        return std::exp(constant[0][place].item<float>()) - 1;
    };
    EXPECT_NEAR(count_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4"), 2, 1e-5);
    EXPECT_NEAR(count_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e3"), 1, 1e-5);
    EXPECT_NEAR(count_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1d1"), 0, 1e-5);
    // So it guesses e2–e4 of all three.
    const at::Tensor said = constant.expand({3, -1});
    EXPECT_DOUBLE_EQ(share_in_first(legal_logits(said, targets.places), targets.wanted, 1), 2.0 / 3);
    EXPECT_DOUBLE_EQ(share_in_first(legal_logits(said, targets.places), targets.wanted, 2), 1);
}

// Three moves of which all are legal, or the first two: chosen were 0, 0, 1 of two and 2, 2, 2, 0 of three.
// Whatever the strengths, moving one of them must not lower the loss, that of the choices and of one game won
// and one lost against strength 1.
TEST(MoveTargets, PreferencesAreTheLikeliest) {
    MoveTargets targets;
    targets.places = torch::tensor(
        {{0, 1, -1}, {0, 1, -1}, {0, 1, -1}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}}, torch::kShort);
    targets.wanted = torch::zeros({7, 3});
    const std::vector<int> chosen{0, 0, 1, 2, 2, 2, 0};
    for (std::size_t i = 0; i < chosen.size(); ++i)
        targets.wanted[static_cast<std::int64_t>(i)][chosen[i]] = 1;
    const at::Tensor preferred = preferred_moves(targets, 3).to(torch::kDouble);
    ASSERT_EQ(preferred.sizes(), (std::vector<std::int64_t>{1, 3}));
    const auto surprise = [&](const at::Tensor& logits) {
        const at::Tensor games = torch::log1p(logits.exp()) * 2 - logits;
        return 7 * move_loss(legal_logits(logits.expand({7, 3}), targets.places), targets.wanted)
                       .item<double>() +
               games.sum().item<double>();
    };
    const double least = surprise(preferred);
    for (int move = 0; move < 3; ++move)
        for (const double by : {-0.02, 0.02}) {
            at::Tensor moved = preferred.clone();
            moved[0][move] += by;
            EXPECT_GT(surprise(moved), least) << move;
        }
    // Best of all, although played no more often than move 0: it could be played less often.
    EXPECT_GT(preferred[0][2].item<double>(), preferred[0][0].item<double>());
    EXPECT_LT(preferred[0][1].item<double>(), preferred[0][0].item<double>());
}

TEST(ResultTargets, KeepWhatIsExpected) {
    const std::string fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    // Won, drawn, lost, and a win that was discounted to 0.8.
    const std::vector<games::Sample> samples{sample_of(fen, "", 1), sample_of(fen, "", 0.5F),
                                             sample_of(fen, "", 0), sample_of(fen, "", 0.8F)};
    const at::Tensor wanted = result_targets(samples);
    EXPECT_TRUE(torch::allclose(
        wanted,
        torch::tensor({{1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 1.0F}, {0.6F, 0.4F, 0.0F}})))
        << wanted;
    // Logits ln 2, 0, 0: probabilities ½, ¼, ¼.
    const at::Tensor logits = torch::tensor({{std::log(2.0F), 0.0F, 0.0F}}).expand({4, 3});
    const double by_hand =
        (std::log(2.0) + std::log(4.0) + std::log(4.0) + 0.6 * std::log(2.0) + 0.4 * std::log(4.0)) / 4;
    EXPECT_NEAR(result_loss(logits, wanted).item<float>(), by_hand, 1e-6);
    EXPECT_TRUE(torch::allclose(average_result(wanted).exp(), torch::tensor({{0.4F, 0.35F, 0.25F}})));
}

TEST(PlaneTensors, HoldWhatTheEngineSees) {
    const std::vector<games::Sample> samples{
        sample_of("rnbqkbnr/pppp1ppp/8/8/3Pp3/4P3/PPP2PPP/RNBQKBNR b Kq d3 0 3", ""),
        sample_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "")};
    const at::Tensor planes = plane_tensor(nets::PlanesLayout::Board18, samples);
    ASSERT_EQ(planes.sizes(), (std::vector<std::int64_t>{2, 18, 8, 8}));
    // Black's pawns from Black's side: one has gone from e7 to e4, which is e5 seen from there.
    EXPECT_EQ(planes[0][0].sum().item<float>(), 8);
    EXPECT_EQ(planes[0][0][4][4].item<float>(), 1);
    // Black may castle on the queen's side alone, White on the king's.
    EXPECT_EQ(planes[0][12].sum().item<float>(), 0);
    EXPECT_EQ(planes[0][13].sum().item<float>(), 64);
    EXPECT_EQ(planes[0][14].sum().item<float>(), 64);
    EXPECT_EQ(planes[0][15].sum().item<float>(), 0);
    // d3 is d6 from there.
    EXPECT_EQ(planes[0][16].sum().item<float>(), 1);
    EXPECT_EQ(planes[0][16][5][3].item<float>(), 1);
    EXPECT_EQ(planes[1][5][0][4].item<float>(), 1);
    EXPECT_EQ(planes[1][17].sum().item<float>(), 64);
}

}  // namespace
}  // namespace scholar::learning
