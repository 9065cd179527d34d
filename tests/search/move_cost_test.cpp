#include "search/alpha_beta/move_cost.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace scholar::search {
namespace {

TEST(MoveCost, IsTheLogarithmOfTheProbabilityWithinItsBounds) {
    for (const double base : {2.0, 30.0, 35.5}) {
        const ProbabilityCosts costs(base);
        for (double probability = 1; probability > 1e-12; probability *= 0.9) {
            const double exact = -std::log(probability) / std::log(base);
            const double cost = costs.of(probability).units() / 64.0;
            EXPECT_NEAR(cost, std::min(4.0, std::max(0.25, exact)), 0.5 / 64 + 1e-9);
        }
        EXPECT_EQ(costs.of(0), Effort::of_half_moves(4));
        for (int moves = 1; moves <= chess::kMaxMoves; ++moves)
            EXPECT_EQ(costs.of_one_among(moves), costs.of(1.0 / moves));
    }
    EXPECT_EQ(ProbabilityCosts(30).of_one_among(30), Effort::of_half_moves(1));
    EXPECT_EQ(ProbabilityCosts(30).of_one_among(1), Effort::of_units(16));
}

}  // namespace
}  // namespace scholar::search
