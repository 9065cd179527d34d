// What a Monte-Carlo search leaves to chance, against the distributions that it should have.

#include <array>
#include <cmath>

#include "mcts_fixture.hpp"
#include "search/mcts/chance.hpp"
#include "search/mcts/playouts.hpp"

namespace scholar::search {
namespace {

using namespace chess;
using namespace mcts_tests;

class MctsChance : public MctsTest {};

// Mean and variance of a component of Dirichlet's distribution with n equal parameters α: 1/n, and
// (1/n)(1 − 1/n) / (nα + 1).
TEST_F(MctsChance, NoiseHasTheMomentsOfDirichlet) {
    constexpr int kDraws = 20'000;
    constexpr double kMoves = 5;
    for (const double alpha : {0.1, 0.3, 1.0, 5.0}) {
        mcts::Chance chance;
        chance.noise = 1;
        chance.noise_alpha = alpha;
        base::Random random(3);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < kDraws; ++i) {
            std::array<mcts::Edge, 5> edges;
            mcts::add_noise(edges, chance, random);
            double all = 0;
            for (const mcts::Edge& edge : edges) all += edge.prior;
            ASSERT_NEAR(all, 1, 1e-5);
            sum += edges[2].prior;
            squares += edges[2].prior * edges[2].prior;
        }
        const double mean = sum / kDraws;
        const double variance = (1 / kMoves) * (1 - 1 / kMoves) / (kMoves * alpha + 1);
        EXPECT_NEAR(mean, 1 / kMoves, 4 * std::sqrt(variance / kDraws)) << alpha;
        EXPECT_NEAR(squares / kDraws - mean * mean, variance, 0.05 * variance) << alpha;
    }
    // A share of it leaves the rest as it was.
    mcts::Chance chance;
    chance.noise = 0.25;
    base::Random random(4);
    std::array<mcts::Edge, 2> edges{mcts::Edge{0, 0.9F, {}}, mcts::Edge{0, 0.1F, {}}};
    mcts::add_noise(edges, chance, random);
    EXPECT_GE(edges[0].prior, 0.675F);
    EXPECT_GE(edges[1].prior, 0.075F);
    EXPECT_NEAR(edges[0].prior + edges[1].prior, 1, 1e-6);
}

TEST_F(MctsChance, MovesAreDrawnAsTheTemperatureSays) {
    constexpr int kDraws = 20'000;
    const std::array<std::uint32_t, 4> visits{400, 100, 0, 25};
    for (const double temperature : {0.01, 0.5, 1.0, 2.0}) {
        double sum = 0;
        for (const std::uint32_t count : visits) sum += std::pow(count / 400.0, 1 / temperature);
        std::array<int, 4> drawn{};
        base::Random random(5);
        for (int i = 0; i < kDraws; ++i) ++drawn[mcts::draw_by_visits(visits, temperature, random)];
        for (std::size_t i = 0; i < visits.size(); ++i) {
            const double share = std::pow(visits[i] / 400.0, 1 / temperature) / sum;
            EXPECT_NEAR(drawn[i], kDraws * share, 4 * std::sqrt(kDraws * share * (1 - share)) + 1e-9);
        }
    }
}

// The root's priors have a temperature of their own, and a tree that goes on has it too, once.
TEST_F(MctsChance, TheRootHasItsOwnTemperature) {
    const auto priors = [&](mcts::Playouts& playouts, const Line& line) {
        EXPECT_TRUE(playouts.begin(line));
        std::map<std::uint16_t, float> priors;
        for (const mcts::Edge& edge : playouts.tree().edges(playouts.tree().root()))
            priors[edge.move.bits()] = edge.prior;
        return priors;
    };
    const Line line = at(kMiddlegame);
    MctsOptions hot;
    hot.exploration.policy_temperature = 3;
    MctsOptions root;
    root.exploration.root_policy_temperature = 3;
    mcts::Playouts all_hot(evaluator(lots()), hot);
    mcts::Playouts root_hot(evaluator(lots()), root);
    const auto expect_same = [&](const Line& where) {
        all_hot.clear();
        const auto expected = priors(all_hot, where);
        for (const auto& [move, prior] : priors(root_hot, where)) EXPECT_NEAR(prior, expected.at(move), 1e-5);
    };
    expect_same(line);
    expect_same(line);  // nothing is done twice
    ASSERT_TRUE(root_hot.run(500));
    Line next = line;
    const auto edges = root_hot.tree().edges(root_hot.tree().root());
    const auto most = std::ranges::max_element(edges, {}, [&](const mcts::Edge& edge) {
        return edge.child == mcts::kNoNode ? 0 : root_hot.tree()[edge.child].visits;
    });
    next.push(most->move);
    expect_same(next);
    EXPECT_GT(root_hot.tree()[root_hot.tree().root()].visits, 1U);
}

}  // namespace
}  // namespace scholar::search
